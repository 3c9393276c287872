// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
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
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** F4 for logical executors: the bound and its policies. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class LogicalExecutorBoundsContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final List<Gate> gates = new ArrayList<>();

    @AfterEach
    void open() {
        gates.forEach(Gate::open);
    }

    /** Returns a new executor of one task at a time whose queue has {@code capacity} places. */
    private LogicalExecutor reads(Spindle spindle, int capacity, OnFull onFull) {
        return spindle.executorBuilder("reads")
                .maxConcurrency(1)
                .capacity(capacity, onFull)
                .build();
    }

    private Gate occupy(LogicalExecutor executor) {
        Gate gate = new Gate();
        gates.add(gate);
        executor.execute(gate);
        return gate.awaitEntered();
    }

    private static Throwable rejectionOf(Runnable submit) {
        Throwable thrown = catchThrowable(submit::run);
        assertThat(thrown)
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("executor reads of spindle");
        return thrown;
    }

    @Test
    void f4_full_rejectsExactlyThenAndNamesTheBound() {
        Spindle spindle = spindles.of(spindles.builder().name("orders"));
        LogicalExecutor reads = reads(spindle, 2, OnFull.reject());
        Gate gate = occupy(reads); // running: holds no place
        AtomicInteger ran = new AtomicInteger();
        reads.execute(ran::incrementAndGet);
        CompletableFuture<?> second = reads.submit(ran::incrementAndGet);
        for (int i = 0; i < 3; i++) {
            assertThat(rejectionOf(() -> reads.submit(() -> ran.addAndGet(100))))
                    .hasMessageContaining("reads")
                    .hasMessageContaining("orders")
                    .hasMessageContaining("running")
                    .hasMessageContaining("2 waiting tasks");
        }
        gate.open();
        result(second);
        assertThat(result(reads.submit(() -> "again"))).isEqualTo("again");
        assertThat(ran).hasValue(2);
        assertThat(reads.stats().rejected()).isEqualTo(3);
        assertThat(spindle.stats().rejected()).isEqualTo(3);
    }

    @Test
    void f4_burst_takesWhatCouldRunAtOnceAndWhatMayWait() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        Gate busy = new Gate();
        gates.add(busy);
        spindle.execute(busy); // no task of the burst starts before all are accepted
        busy.awaitEntered();
        LogicalExecutor reads = spindle.executorBuilder("reads")
                .maxConcurrency(32)
                .capacity(10, OnFull.reject())
                .build();
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 42; i++) {
            reads.execute(ran::incrementAndGet);
        }
        rejectionOf(() -> reads.execute(ran::incrementAndGet));
        busy.open();
        until(() -> ran.get() == 42);
        assertThat(reads.stats().rejected()).isEqualTo(1);
    }

    @Test
    void f4_burstWhileSomeRun_takesTheFreePlacesAndWhatMayWait() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2).maxThreads(2));
        LogicalExecutor reads = spindle.executorBuilder("reads")
                .maxConcurrency(2)
                .capacity(3, OnFull.reject())
                .build();
        Gate gate = occupy(reads);
        Gate busy = new Gate();
        gates.add(busy);
        spindle.execute(busy); // keeps the second place free
        busy.awaitEntered();
        for (int i = 0; i < 4; i++) {
            reads.execute(() -> {});
        }
        rejectionOf(() -> reads.execute(() -> {}));
        gate.open();
        until(() -> reads.stats().completed() == 5);
        for (int i = 0; i < 2; i++) {
            occupy(reads);
            busy.open();
        }
        for (int i = 0; i < 3; i++) {
            reads.execute(() -> {});
        }
        rejectionOf(() -> reads.execute(() -> {}));
    }

    @Test
    void f4_otherExecutorsAndTheSpindle_haveRoomAllTheSame() {
        Spindle spindle = spindles.spindle();
        LogicalExecutor reads = reads(spindle, 1, OnFull.reject());
        occupy(reads);
        reads.execute(() -> {});
        rejectionOf(() -> reads.execute(() -> {}));
        assertThat(result(reads(spindle, 1, OnFull.reject()).submit(() -> 1))).isEqualTo(1);
        assertThat(result(spindle.submit(() -> 2))).isEqualTo(2);
    }

    @Test
    void f4_block_waitsForRoomAndIsServed() {
        LogicalExecutor reads = reads(spindles.spindle(), 1, OnFull.block(Duration.ofMinutes(5)));
        Gate gate = occupy(reads);
        reads.execute(() -> {});
        AtomicInteger ran = new AtomicInteger();
        List<Thread> submitters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread submitter = new Thread(() -> reads.execute(ran::incrementAndGet));
            submitters.add(submitter);
            submitter.start();
        }
        until(() -> submitters.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING));
        gate.open();
        until(() -> ran.get() == 3);
        until(() -> submitters.stream().noneMatch(Thread::isAlive));
        assertThat(reads.stats().rejected()).isZero();
    }

    @Test
    void f4_block_rejectsWhenItsTimeIsOver() {
        LogicalExecutor reads = reads(spindles.spindle(), 1, OnFull.block(Duration.ofMillis(30)));
        occupy(reads);
        reads.execute(() -> {});
        long start = System.nanoTime();
        assertThat(rejectionOf(() -> reads.execute(() -> {})))
                .hasMessageContaining("1 waiting tasks")
                .hasMessageContaining("0.03");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(30_000_000);
    }

    @Test
    void f4_block_interruptedRejectsAndKeepsTheFlag() {
        LogicalExecutor reads = reads(spindles.spindle(), 1, OnFull.block(Duration.ofMinutes(5)));
        occupy(reads);
        reads.execute(() -> {});
        Thread.currentThread().interrupt();
        assertThat(rejectionOf(() -> reads.execute(() -> {}))).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void f4_block_workerOfTheSpindle_isRejectedInsteadOfBlocked() {
        Spindle spindle = spindles.spindle();
        LogicalExecutor reads = reads(spindle, 1, OnFull.block(Duration.ofMinutes(5)));
        occupy(reads);
        reads.execute(() -> {});
        CompletableFuture<Throwable> plain = spindle.submit(() -> rejectionOf(() -> reads.execute(() -> {})));
        assertThat(result(plain)).hasMessageContaining("worker");
    }

    @Test
    void f4_block_shutdownEndsTheWaitAtOnce() throws Exception {
        for (boolean now : new boolean[] {false, true}) {
            LogicalExecutor reads = reads(spindles.spindle(), 1, OnFull.block(Duration.ofMinutes(5)));
            Gate gate = occupy(reads);
            reads.execute(() -> {});
            FutureTask<Throwable> waiting = new FutureTask<>(() -> rejectionOf(() -> reads.execute(() -> {})));
            Thread submitter = new Thread(waiting);
            submitter.start();
            until(() -> submitter.getState() == Thread.State.TIMED_WAITING);
            if (now) {
                assertThat(reads.shutdownNow()).hasSize(1);
            } else {
                reads.shutdown();
                gate.open();
            }
            assertThat(waiting.get(20, TimeUnit.SECONDS)).hasMessageMatching(".*\\((shut down|terminated)\\).*");
            assertThat(reads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void f4_callerRuns_runsOnTheSubmittersThreadWithAClearFlag() {
        LogicalExecutor reads = reads(spindles.spindle(), 1, OnFull.callerRuns());
        Gate gate = occupy(reads);
        CompletableFuture<Thread> queued = reads.submit(Thread::currentThread);
        Thread.currentThread().interrupt();
        CompletableFuture<Boolean> flag =
                reads.submit(() -> Thread.currentThread().isInterrupted());
        assertThat(Thread.interrupted()).as("the submitter's own flag").isTrue();
        assertThat(flag).isCompletedWithValue(false);
        assertThat(reads.submit(Thread::currentThread)).isCompletedWithValue(Thread.currentThread());
        assertThat(queued).isNotDone();
        gate.open();
        assertThat(result(queued)).isNotSameAs(Thread.currentThread());
        until(() -> reads.stats().completed() == 4);
        assertThat(reads.stats().rejected()).isZero();
    }

    @Test
    void f4_callerRuns_failureGoesToTheHandlerAndNotToTheSubmitter() {
        LogicalExecutor reads = reads(spindles.spindle(), 1, OnFull.callerRuns());
        occupy(reads);
        reads.execute(() -> {});
        reads.execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        assertThat(spindles.takeFailures())
                .singleElement()
                .satisfies(f -> assertThat(f).hasMessage("on purpose"));
    }

    @Test
    void f4_callerRuns_afterShutdown_rejects() {
        LogicalExecutor reads = reads(spindles.spindle(), 1, OnFull.callerRuns());
        occupy(reads);
        reads.execute(() -> {});
        reads.shutdown();
        assertThat(rejectionOf(() -> reads.execute(() -> {}))).hasMessageContaining("shut down");
    }

    @Test
    void f4_callerRuns_holdsTerminationAndCannotCloseItsExecutors() throws Exception {
        Spindle spindle = spindles.spindle();
        LogicalExecutor reads = reads(spindle, 1, OnFull.callerRuns());
        Gate busy = occupy(reads);
        reads.execute(() -> {});
        Gate gate = new Gate();
        gates.add(gate);
        CompletableFuture<Throwable> ofExecutor = new CompletableFuture<>();
        CompletableFuture<Throwable> ofSpindle = new CompletableFuture<>();
        Thread submitter = new Thread(() -> reads.execute(() -> {
            ofExecutor.complete(catchThrowable(reads::close));
            ofSpindle.complete(catchThrowable(spindle::close));
            gate.run();
        }));
        submitter.start();
        gate.awaitEntered();
        assertThat(ofExecutor.getNow(null)).isInstanceOf(IllegalStateException.class);
        assertThat(ofSpindle.getNow(null)).isInstanceOf(IllegalStateException.class);
        reads.shutdown();
        busy.open();
        until(() -> reads.stats().pending() == 0 && reads.stats().running() == 1);
        assertThat(reads.awaitTermination(20, TimeUnit.MILLISECONDS)).isFalse();
        gate.open();
        assertThat(reads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        submitter.join();
    }

    @Test
    void f4_callerRuns_forLanes_isRefusedByTheBuilder() {
        assertThatThrownBy(() -> Spindles.options().capacity(1, OnFull.callerRuns()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CALLER_RUNS");
    }

    @Test
    void f4_dropOldest_cancelsTheOldestAndRunsTheNewest() {
        LogicalExecutor reads = reads(spindles.spindle(), 3, OnFull.dropOldest());
        Gate gate = occupy(reads);
        List<CompletableFuture<?>> futures = new ArrayList<>();
        List<Integer> order = new ArrayList<>(); // plain: one task at a time
        for (int i = 0; i < 10; i++) {
            int number = i;
            futures.add(reads.submit(() -> {
                order.add(number);
            }));
            assertThat(reads.stats().pending()).isLessThanOrEqualTo(3);
        }
        assertThat(futures.subList(0, 7)).allMatch(CompletableFuture::isCancelled);
        gate.open();
        futures.subList(7, 10).forEach(TestSupport::result);
        assertThat(order).containsExactly(7, 8, 9);
        assertThat(reads.stats().dropped()).isEqualTo(7);
        assertThat(reads.stats().rejected()).isZero();
    }

    @Test
    void f4_dropOldestWithoutFuture_tellsTheHandler() {
        LogicalExecutor reads = reads(spindles.spindle(), 1, OnFull.dropOldest());
        Gate gate = occupy(reads);
        AtomicInteger ran = new AtomicInteger();
        reads.execute(() -> ran.addAndGet(100));
        CompletableFuture<?> newest = reads.submit(ran::incrementAndGet);
        assertThat(spindles.takeFailures())
                .singleElement()
                .satisfies(f -> assertThat(f)
                        .isInstanceOf(RejectedExecutionException.class)
                        .hasMessageContaining("1 waiting tasks"));
        gate.open();
        result(newest);
        assertThat(ran).hasValue(1);
    }

    @Test
    void f4_dropOldest_neverDropsADelayedTaskThatIsDue() {
        neverDropsADelayedTask(spindles.spindle());
        neverDropsADelayedTask(spindles.of(spindles.builder().taskDecorator(UnaryOperator.identity())));
    }

    private void neverDropsADelayedTask(Spindle spindle) {
        LogicalExecutor reads = reads(spindle, 1, OnFull.dropOldest());
        Gate gate = occupy(reads);
        ScheduledFuture<String> due = reads.schedule(() -> "due", 1, TimeUnit.MILLISECONDS);
        until(() -> reads.stats().pending() == 1);
        assertThat(rejectionOf(() -> reads.execute(() -> {}))).hasMessageContaining("delayed");
        gate.open();
        assertThat(result(due)).isEqualTo("due");
    }

    @Test
    void f4_boundOfTheSpindle_countsTheTasksOfItsExecutors() {
        Spindle spindle = spindles.of(spindles.builder().capacity(2, OnFull.reject()));
        LogicalExecutor reads = spindle.executorBuilder("reads")
                .maxConcurrency(1)
                .capacity(10, OnFull.reject())
                .build();
        Gate gate = occupy(reads);
        CompletableFuture<?> first = reads.submit(() -> {});
        CompletableFuture<?> second = reads.submit(() -> {});
        assertThatThrownBy(() -> reads.submit(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("of the spindle, 2 waiting tasks");
        gate.open();
        result(first);
        result(second);
        assertThat(result(reads.submit(() -> "room"))).isEqualTo("room");
        assertThat(result(spindle.submit(() -> "room"))).isEqualTo("room");
    }

    @Test
    void f4_boundOfTheSpindle_placesComeBackWhateverBecomesOfTheTasks() {
        Spindle spindle = spindles.of(spindles.builder().capacity(4, OnFull.dropOldest()));
        for (int round = 0; round < 10; round++) {
            LogicalExecutor dropping = reads(spindle, 2, OnFull.dropOldest());
            occupy(dropping);
            for (int i = 0; i < 6; i++) {
                dropping.submit(() -> {});
            }
            LogicalExecutor rejecting = reads(spindle, 1, OnFull.reject());
            occupy(rejecting);
            rejecting.submit(() -> {});
            rejectionOf(() -> rejecting.submit(() -> {}));
            dropping.shutdownNow();
            rejecting.shutdownNow();
            gates.forEach(Gate::open);
        }
        LogicalExecutor last = spindle.executor("last", 1);
        Gate gate = occupy(last);
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(last.submit(() -> {}));
        }
        assertThat(waiting).as("all four places are free").noneMatch(CompletableFuture::isDone);
        gate.open();
        waiting.forEach(TestSupport::result);
    }

    @Test
    void f4_producersAgainstWorkers_neverMoreThanTheBoundWait() throws InterruptedException {
        int capacity = 5;
        LogicalExecutor reads = spindles.spindle()
                .executorBuilder("reads")
                .maxConcurrency(2)
                .capacity(capacity, OnFull.block(Duration.ofMinutes(1)))
                .build();
        AtomicInteger ran = new AtomicInteger();
        AtomicLong most = new AtomicLong();
        CountDownLatch done = new CountDownLatch(12_000);
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            Thread producer = new Thread(() -> {
                for (int i = 0; i < 4_000; i++) {
                    reads.execute(() -> {
                        most.accumulateAndGet(reads.stats().pending(), Math::max);
                        ran.incrementAndGet();
                        done.countDown();
                    });
                }
            });
            producers.add(producer);
            producer.start();
        }
        await(done);
        for (Thread producer : producers) {
            producer.join();
        }
        assertThat(ran).hasValue(12_000);
        assertThat(most.get()).as("one runs, and one could").isLessThanOrEqualTo(capacity + 1);
    }
}
