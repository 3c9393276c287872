// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** F4: bounds, and the policies that reject or block. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class BoundsContractTest {
    private final List<Gate> gates = new ArrayList<>();
    private final List<Spindle> spindles = new ArrayList<>();

    @AfterEach
    void close() {
        gates.forEach(Gate::open);
        spindles.forEach(Spindle::close);
    }

    private Spindle build(SpindleBuilder builder) {
        Spindle spindle = builder.name("bounded").coreThreads(1).maxThreads(1).build();
        spindles.add(spindle);
        return spindle;
    }

    /** Returns a task that runs until it is opened, at the latest at the end of the test. */
    private Gate gate() {
        Gate gate = new Gate();
        gates.add(gate);
        return gate;
    }

    private Gate occupy(Spindle spindle) {
        Gate gate = gate();
        spindle.execute(gate);
        return gate.awaitEntered();
    }

    private static Throwable rejectionOf(Runnable submit) {
        Throwable thrown = catchThrowable(submit::run);
        assertThat(thrown).isInstanceOf(RejectedExecutionException.class).hasMessageContaining("bounded");
        return thrown;
    }

    // ---------------------------------------------------------------- reject

    @Test
    void f4_perKeyFull_rejectsExactlyThenAndNamesTheBound() {
        Spindle spindle = build(Spindles.options());
        spindle.keyed("keys").setKeyCapacity(2, OnFull.reject());
        Keyed<String> keys = spindle.keyed("keys");
        Gate gate = gate();
        keys.execute("a", gate);
        gate.awaitEntered(); // running: holds no place
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        keys.execute("a", ran::incrementAndGet);
        CompletableFuture<?> second = keys.submit("a", ran::incrementAndGet);
        assertThat(rejectionOf(() -> keys.execute("a", refused::incrementAndGet)))
                .hasMessageContaining("running")
                .hasMessageContaining("task of key keys/a")
                .hasMessageContaining("2 waiting tasks");
        rejectionOf(() -> keys.submit("a", refused::incrementAndGet));
        rejectionOf(() -> keys.at("a").execute(refused::incrementAndGet));
        keys.execute("b", ran::incrementAndGet);
        gate.open();
        result(second);
        assertThat(result(keys.submit("a", () -> "again"))).isEqualTo("again");
        result(keys.at("b").quiesce());
        assertThat(ran).hasValue(3);
        assertThat(refused).hasValue(0);
        assertThat(spindle.stats().rejected()).isEqualTo(3);
        assertThat(spindle.stats().dropped()).isZero();
    }

    @Test
    void f4_strand_hasABoundOfItsOwn() {
        Spindle spindle = build(Spindles.options());
        Gate gate = occupy(spindle);
        Strand strand = spindle.strandBuilder("db").capacity(1, OnFull.reject()).build();
        strand.execute(() -> {});
        assertThat(rejectionOf(() -> strand.execute(() -> {}))).hasMessageContaining("strand db");
        Strand other = spindle.strand("db");
        other.execute(() -> {});
        other.execute(() -> {});
        gate.open();
    }

    @Test
    void f4_totalFull_rejectsPlainAndKeyedTasks() {
        Spindle spindle = build(Spindles.options().capacity(3, OnFull.reject()));
        Keyed<String> keys = spindle.keyed("keys");
        Gate gate = occupy(spindle);
        CompletableFuture<?> plain = spindle.submit(() -> {});
        keys.execute("a", () -> {});
        keys.execute("b", () -> {});
        assertThat(rejectionOf(() -> spindle.execute(() -> {})))
                .hasMessageContaining("plain task")
                .hasMessageContaining("of the spindle, 3 waiting tasks");
        assertThat(rejectionOf(() -> keys.execute("c", () -> {}))).hasMessageContaining("3 waiting tasks");
        gate.open();
        result(plain);
        result(keys.at("b").quiesce());
        assertThat(result(spindle.submit(() -> "again"))).isEqualTo("again");
    }

    @Test
    void f4_coalescingTasks_holdNoPlace() {
        Spindle spindle = build(Spindles.options().capacity(1, OnFull.reject()));
        spindle.keyed("keys").setKeyCapacity(1, OnFull.reject());
        Gate gate = occupy(spindle);
        Keyed<Integer> keys = spindle.keyed("keys");
        for (int key = 0; key < 10; key++) {
            keys.coalesce(key, () -> {});
            keys.at(key).coalesceSlot("slot", () -> {});
        }
        keys.execute(0, () -> {});
        rejectionOf(() -> keys.execute(0, () -> {}));
        gate.open();
    }

    @Test
    void f4_refusedByOneBound_holdsNoPlaceOfTheOther() {
        Spindle spindle = build(Spindles.options().capacity(2, OnFull.reject()));
        spindle.keyed("keys").setKeyCapacity(1, OnFull.reject());
        Keyed<String> keys = spindle.keyed("keys");
        Gate gate = occupy(spindle);
        keys.execute("a", () -> {});
        for (int i = 0; i < 5; i++) {
            rejectionOf(() -> keys.execute("a", () -> {})); // by its lane: must keep no place of the spindle
        }
        keys.execute("b", () -> {});
        for (int i = 0; i < 5; i++) {
            rejectionOf(() -> keys.execute("c", () -> {})); // by the spindle: must keep no place of the lane
        }
        keys.at("a").cancelPending();
        keys.execute("c", () -> {});
        gate.open();
    }

    @Test
    void f4_withdrawnTasks_giveTheirPlacesBack() {
        Spindle spindle = build(Spindles.options().capacity(2, OnFull.reject()));
        spindle.keyed("keys").setKeyCapacity(2, OnFull.reject());
        Keyed<String> keys = spindle.keyed("keys");
        Gate gate = occupy(spindle);
        for (int round = 0; round < 10; round++) {
            keys.execute("a", () -> {});
            keys.submit("a", () -> {});
            rejectionOf(() -> keys.execute("a", () -> {}));
            assertThat(keys.at("a").cancelPending()).hasSize(2);
        }
        Strand strand = spindle.strand("s");
        strand.execute(() -> {});
        strand.execute(() -> {});
        assertThat(strand.shutdownNow()).hasSize(2);
        spindle.execute(() -> {});
        spindle.execute(() -> {});
        rejectionOf(() -> spindle.execute(() -> {}));
        gate.open();
    }

    @Test
    void f4_failedTasks_giveTheirPlacesBack() {
        Spindle spindle = build(Spindles.options().capacity(1, OnFull.reject()).onFailure((activity, f) -> {}));
        spindle.keyed("keys").setKeyCapacity(1, OnFull.reject());
        Keyed<String> keys = spindle.keyed("keys");
        for (int i = 0; i < 100; i++) {
            keys.execute("a", () -> {
                throw new IllegalStateException("on purpose");
            });
            result(keys.at("a").quiesce());
            CompletableFuture<?> future = spindle.submit(() -> {
                throw new IllegalStateException("on purpose");
            });
            assertThat(catchThrowable(future::get)).hasCauseInstanceOf(IllegalStateException.class);
        }
        assertThat(spindle.stats().rejected()).isZero();
    }

    @Test
    void f4_delayedTask_runsPastTheBoundWhenDue() {
        Spindle spindle = build(Spindles.options().capacity(1, OnFull.reject()));
        spindle.keyed("keys").setKeyCapacity(1, OnFull.reject());
        Gate gate = occupy(spindle);
        CountDownLatch ran = new CountDownLatch(2);
        spindle.schedule(ran::countDown, 1, TimeUnit.MILLISECONDS);
        spindle.keyed("keys").at("a").schedule(ran::countDown, 1, TimeUnit.MILLISECONDS);
        spindle.execute(() -> {});
        gate.open();
        await(ran);
    }

    // ---------------------------------------------------------------- block

    @Test
    void f4_blockAndNoRoom_rejectsAfterTheLimit() {
        Spindle spindle = build(Spindles.options().capacity(1, OnFull.block(Duration.ofMillis(60))));
        Gate gate = occupy(spindle);
        spindle.execute(() -> {});
        long start = System.nanoTime();
        assertThat(rejectionOf(() -> spindle.execute(() -> {})))
                .hasMessageContaining("1 waiting tasks")
                .hasMessageContaining("PT0.06S");
        rejectionOf(() -> spindle.keyed("keys").execute("a", () -> {}));
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(120_000_000);
        gate.open();
    }

    @Test
    void f4_blockAndRoomIsMade_submitterGoesOn() throws Exception {
        Spindle spindle = build(Spindles.options().capacity(5, OnFull.block(Duration.ofMinutes(5))));
        spindle.keyed("keys").setKeyCapacity(1, OnFull.block(Duration.ofMinutes(5)));
        Gate gate = gate();
        Keyed<String> keys = spindle.keyed("keys");
        keys.execute("a", gate);
        gate.awaitEntered();
        List<Integer> order = new ArrayList<>();
        keys.execute("a", () -> order.add(1));
        Thread submitter = new Thread(() -> {
            for (int i = 2; i <= 50; i++) {
                int number = i;
                keys.execute("a", () -> order.add(number));
            }
        });
        submitter.start();
        TestSupport.until(() -> submitter.getState() == Thread.State.TIMED_WAITING);
        gate.open();
        submitter.join();
        result(keys.at("a").quiesce());
        assertThat(order).hasSize(50).isSorted();
    }

    @Test
    void f4_blockedSubmitterInterrupted_rejectedAtOnceAndFlagStays() throws Exception {
        Spindle spindle = build(Spindles.options().capacity(1, OnFull.block(Duration.ofMinutes(5))));
        Gate gate = occupy(spindle);
        spindle.execute(() -> {});
        FutureTask<Boolean> flag = new FutureTask<>(() -> {
            assertThat(rejectionOf(() -> spindle.execute(() -> {}))).hasMessageContaining("interrupted");
            return Thread.currentThread().isInterrupted();
        });
        Thread submitter = new Thread(flag);
        submitter.start();
        TestSupport.until(() -> submitter.getState() == Thread.State.TIMED_WAITING);
        submitter.interrupt();
        assertThat(flag.get(20, TimeUnit.SECONDS)).isTrue();
        gate.open();
    }

    @Test
    void f4_workerAtItsOwnBound_isRejectedInsteadOfBlocked() {
        Spindle spindle = build(Spindles.options().capacity(1, OnFull.block(Duration.ofMinutes(5))));
        spindle.keyed("keys").setKeyCapacity(1, OnFull.block(Duration.ofMinutes(5)));
        Keyed<String> keys = spindle.keyed("keys");
        CompletableFuture<Throwable> plain = spindle.submit(() -> {
            spindle.execute(() -> {});
            return rejectionOf(() -> spindle.execute(() -> {}));
        });
        assertThat(result(plain)).hasMessageContaining("worker");
        CompletableFuture<Throwable> keyed = keys.submit("a", () -> {
            keys.execute("a", () -> {});
            return rejectionOf(() -> keys.execute("a", () -> {}));
        });
        assertThat(result(keyed)).hasMessageContaining("worker");
        CompletableFuture<Throwable> hooked = keys.submit(
                "a",
                () -> Spindle.callBlocking(() -> {
                    keys.execute("a", () -> {});
                    return rejectionOf(() -> keys.execute("a", () -> {}));
                }));
        assertThat(result(hooked)).hasMessageContaining("worker");
    }

    @Test
    void f4_workerOfAnotherExecutor_mayBlock() {
        Spindle spindle = build(Spindles.options().capacity(1, OnFull.block(Duration.ofMinutes(5))));
        Spindle other = build(Spindles.options());
        Gate gate = occupy(spindle);
        spindle.execute(() -> {});
        CompletableFuture<?> submitting = other.submit(() -> spindle.execute(() -> {}));
        TestSupport.until(() -> Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(e -> e.getKey().getState() == Thread.State.TIMED_WAITING
                        && List.of(e.getValue()).toString().contains("Bounds")));
        gate.open();
        result(submitting);
    }

    @Test
    void f4_shutdownWhileASubmitterBlocks_itsTaskIsRejectedOrRun() throws Exception {
        for (int round = 0; round < 40; round++) {
            Spindle spindle = Spindles.options()
                    .name("bounded")
                    .coreThreads(1)
                    .maxThreads(1)
                    .capacity(1, OnFull.block(Duration.ofMinutes(5)))
                    .build();
            boolean keyed = round % 2 == 0;
            boolean now = round % 4 < 2;
            Gate gate = occupy(spindle);
            spindle.execute(() -> {});
            AtomicInteger ran = new AtomicInteger();
            FutureTask<Boolean> accepted = new FutureTask<>(() -> {
                try {
                    if (keyed) {
                        spindle.keyed("keys").execute("a", ran::incrementAndGet);
                    } else {
                        spindle.execute(ran::incrementAndGet);
                    }
                    return true;
                } catch (RejectedExecutionException e) {
                    return false;
                }
            });
            Thread submitter = new Thread(accepted);
            submitter.start();
            TestSupport.until(() -> submitter.getState() == Thread.State.TIMED_WAITING);
            int returned = now ? spindle.shutdownNow().size() : 0;
            spindle.shutdown();
            gate.open();
            boolean taken = accepted.get(20, TimeUnit.SECONDS);
            assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            int givenBack = now ? returned - 1 : 0; // the other one is the task that filled the bound
            assertThat(ran.get() + givenBack).isEqualTo(taken ? 1 : 0);
        }
    }

    @Test
    void f4_producersAgainstConsumers_boundIsExactAndNothingLost() throws Exception {
        int capacity = 8;
        Spindle spindle = Spindles.options()
                .coreThreads(2)
                .maxThreads(2)
                .capacity(capacity, OnFull.block(Duration.ofMinutes(1)))
                .keyKeepAlive(Duration.ofNanos(1))
                .build();
        spindle.keyed("keys").setKeyCapacity(3, OnFull.block(Duration.ofMinutes(1)));
        spindles.add(spindle);
        AtomicInteger ran = new AtomicInteger();
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            Thread producer = new Thread(() -> {
                for (int i = 0; i < 4_000; i++) {
                    if (i % 5 == 0) {
                        spindle.execute(ran::incrementAndGet);
                    } else {
                        spindle.keyed("keys").execute(i % 4, ran::incrementAndGet);
                    }
                }
            });
            producers.add(producer);
            producer.start();
        }
        for (Thread producer : producers) {
            producer.join();
        }
        TestSupport.until(() -> ran.get() == 12_000);
        Gate first = gate();
        Gate second = gate();
        spindle.execute(first);
        spindle.execute(second);
        first.awaitEntered();
        second.awaitEntered();
        for (int i = 0; i < capacity; i++) {
            spindle.execute(() -> {});
        }
        Thread.currentThread().interrupt(); // ends the wait for room at once
        assertThatThrownBy(() -> spindle.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
