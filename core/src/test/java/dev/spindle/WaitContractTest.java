// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_ANY;

import dev.spindle.TestSupport.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** K6: a wait inside a turn that could never end throws; no other wait does. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the tests wait for futures of futures
class WaitContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    /** A way to wait for a future. */
    enum Wait {
        GET(Future::get),
        TIMED_GET(future -> future.get(60, TimeUnit.SECONDS)),
        JOIN(future -> ((CompletableFuture<?>) future).join());

        @SuppressWarnings("ImmutableEnumChecker") // has no state
        private final Waiting way;

        Wait(Waiting way) {
            this.way = way;
        }
    }

    interface Waiting {
        void on(Future<?> future) throws Exception;
    }

    // ---------------------------------------------------------------- own lane

    @ParameterizedTest
    @EnumSource
    void k6_waitForTheOwnLane_throwsAndNamesTheKey(Wait wait) {
        Lane lane = spindles.spindle().<Object>keyed("tasks").at("K-17");
        List<Future<?>> later = new ArrayList<>();

        CompletableFuture<?> outer = lane.submit(() -> {
            for (Future<?> future : List.of(
                    lane.submit(() -> "callable"),
                    lane.submit((Runnable) () -> {}),
                    lane.submitAsync(() -> CompletableFuture.completedFuture("async")),
                    (Future<?>) lane.schedule(() -> {}, 0, TimeUnit.NANOSECONDS),
                    lane.quiesce())) {
                if (wait != Wait.JOIN || future instanceof CompletableFuture<?>) {
                    later.add(future);
                    assertRefused(() -> wait.way.on(future), "K-17");
                }
            }
            return "done";
        });

        result(outer);
        later.forEach(TestSupport::result); // the futures themselves still complete
    }

    @Test
    void k6_waitForTheOwnLaneOfATask_throwsAndNamesTheKey() {
        Spindle spindle = spindles.spindle();
        EntryPoint.Sequential task = new EntryPoint.Sequential(() -> "K-17", () -> {});

        CompletableFuture<?> outer = spindle.submit((Runnable) new EntryPoint.Sequential(
                () -> "K-17",
                () -> assertRefused(() -> spindle.submit((Runnable) task).get(), "K-17")));

        result(outer);
    }

    @Test
    void k6_waitInAStrandForItself_throwsAndNamesTheStrand() {
        Strand strand = spindles.spindle().strand("orders");

        CompletableFuture<?> outer =
                strand.submit(() -> assertRefused(() -> strand.submit(() -> "x").get(), "orders"));

        result(outer);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ANY, names = "INVOKE_.*")
    void k6_invokeForTheOwnLane_throwsAndNamesTheKey(EntryPoint invoke) {
        Spindle spindle = spindles.spindle();

        CompletableFuture<?> outer = spindle.<Object>keyed("tasks")
                .submit("K-17", () -> assertRefused(() -> invoke.submit(spindle, "K-17", () -> {}), "K-17"));

        result(outer);
    }

    @ParameterizedTest
    @EnumSource
    void k6_waitInAnAsyncTaskBeforeItsStage_throws(Wait wait) {
        Lane lane = spindles.spindle().<Object>keyed("tasks").at("K-17");

        CompletableFuture<String> outer = lane.submitAsync(() -> {
            assertRefused(() -> wait.way.on(lane.submit(() -> "x")), "K-17");
            return CompletableFuture.completedFuture("done");
        });

        assertThat(result(outer)).isEqualTo("done");
    }

    @Test
    void k6_refusedWait_leavesTheLaneInOrder() {
        Lane lane = spindles.spindle().<Object>keyed("tasks").at("key");

        CompletableFuture<?> failed = lane.submit(() -> lane.submit(() -> "x").join());
        CompletableFuture<String> next = lane.submit(() -> "next");

        assertThatThrownBy(() -> result(failed)).cause().isInstanceOf(IllegalStateException.class);
        assertThat(result(next)).isEqualTo("next");
    }

    // ---------------------------------------------------------------- cycles

    @Test
    void k6_cycleOfTwoLanes_isDetected() {
        assertCycleDetected(2);
    }

    @Test
    void k6_cycleOfThreeLanes_isDetected() {
        assertCycleDetected(3);
    }

    /**
     * Lets each lane i wait for lane i + 1 at the same time. Without an exception in one of them, none would ever end.
     */
    private void assertCycleDetected(int lanes) {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(lanes));
        Keyed<String> keys = spindle.keyed("tasks");
        CountDownLatch inside = new CountDownLatch(lanes);
        List<CompletableFuture<String>> outer = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            String next = "K-" + (i + 1) % lanes;
            outer.add(keys.submit("K-" + i, () -> {
                inside.countDown();
                TestSupport.await(inside);
                return keys.submit(next, () -> "inner").join();
            }));
        }

        List<Throwable> refused = new ArrayList<>();
        for (CompletableFuture<String> future : outer) {
            try {
                assertThat(result(future)).isEqualTo("inner");
            } catch (CompletionException e) {
                refused.add(Objects.requireNonNull(e.getCause()));
            }
        }
        assertThat(refused).isNotEmpty().allSatisfy(e -> {
            assertThat(e).isInstanceOf(IllegalStateException.class);
            for (int i = 0; i < lanes; i++) {
                assertThat(e).hasMessageContaining("K-" + i);
            }
        });
    }

    // ---------------------------------------------------------------- no false alarm

    @ParameterizedTest
    @EnumSource
    void k6_waitForADoneFutureOfTheOwnLane_returns(Wait wait) throws Exception {
        Lane lane = spindles.spindle().<Object>keyed("tasks").at("key");
        CompletableFuture<String> done = lane.submit(() -> "done");
        result(done);

        CompletableFuture<?> outer = lane.submit(() -> {
            wait.way.on(done);
            return "waited";
        });

        result(outer);
    }

    @Test
    void k6_chainOfWaitsWithoutACycle_ends() {
        Spindle spindle = spindles.spindle();
        Keyed<Integer> keys = spindle.keyed("tasks");

        assertThat(result(keys.submit(0, () -> chain(keys, 1)))).isEqualTo("end");
    }

    private static String chain(Keyed<Integer> keys, int depth) {
        return depth == 5
                ? "end"
                : keys.submit(depth, () -> chain(keys, depth + 1)).join();
    }

    @Test
    void k6_waitForPlainTasksAndOtherExecutors_ends() {
        Spindle spindle = spindles.spindle();
        Spindle other = spindles.spindle();

        CompletableFuture<String> outer = spindle.<Object>keyed("tasks")
                .submit(
                        "key",
                        () -> spindle.submit(() -> "plain").get()
                                + other.<Object>keyed("tasks")
                                        .submit("key", () -> "same key")
                                        .get());

        assertThat(result(outer)).isEqualTo("plainsame key");
    }

    @Test
    void k6_timedWaitThatRanOut_leavesNoEdgeBehind() {
        Keyed<String> keys = spindles.spindle().keyed("tasks");
        Gate gate = new Gate();
        keys.execute("b", gate);

        CompletableFuture<String> waited = keys.submit("a", () -> {
            CompletableFuture<String> slow = keys.submit("b", () -> "slow");
            assertThatThrownBy(() -> slow.get(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            gate.open();
            return keys.submit("c", () -> keys.submit("b", () -> "b").join()).join();
        });

        assertThat(result(waited)).isEqualTo("b");
        assertThat(result(keys.submit("b", () -> keys.submit("a", () -> "back").join())))
                .isEqualTo("back");
    }

    /**
     * Lane b waits for a task of lane a; after that task the next one of lane a waits for lane b. That is no cycle,
     * although the worker of b may not have woken yet.
     */
    @Test
    void k6_waitForALaneWhoseOwnWaitHasJustEnded_isNoCycle() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(4));
        Keyed<String> keys = spindle.keyed("tasks");
        for (int i = 0; i < 300; i++) {
            Gate gate = new Gate();
            keys.execute("a", gate);
            gate.awaitEntered();
            CompletableFuture<String> first = keys.submit("a", () -> "first");
            CompletableFuture<Thread> waiter = new CompletableFuture<>();
            CompletableFuture<String> b = keys.submit("b", () -> {
                waiter.complete(Thread.currentThread());
                return first.join();
            });
            Thread thread = result(waiter);
            until(() -> thread.getState() == Thread.State.WAITING);
            CompletableFuture<String> second =
                    keys.submit("a", () -> keys.submit("b", () -> "second").join());
            gate.open();

            assertThat(result(b)).isEqualTo("first");
            assertThat(result(second)).isEqualTo("second");
        }
    }

    /**
     * The worker that completes the future that lane a waits for continues with a task that waits for lane a. The
     * detection must not confuse the two turns of that worker.
     */
    @Test
    void k6_waitForATaskThatIsJustDone_isNoCycle() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2).maxThreads(4));
        Keyed<String> keys = spindle.keyed("tasks");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        while (System.nanoTime() - end < 0) {
            CompletableFuture<CompletableFuture<String>> a = keys.submit("a", () -> {
                CompletableFuture<String> b = keys.submit("b", () -> "b");
                CompletableFuture<String> waits =
                        keys.submit("c", () -> keys.submit("a", () -> "after").join());
                for (int spins = ThreadLocalRandom.current().nextInt(3_000); spins > 0; spins--) {
                    Thread.onSpinWait(); // so that it sometimes completes just before, sometimes just after
                }
                assertThat(b.get()).isEqualTo("b");
                return waits;
            });
            assertThat(result(result(a))).isEqualTo("after");
        }
    }

    @Test
    void k6_waitThatIsAllowed_neverAsksTheKeysForText() {
        Keyed<Object> keys = spindles.spindle().keyed("tasks");
        Object mute = new Object() {
            @Override
            public String toString() {
                throw new IllegalArgumentException("no text");
            }
        };

        CompletableFuture<String> outer =
                keys.submit(mute, () -> keys.submit("other", () -> "other").join());

        assertThat(result(outer)).isEqualTo("other");
    }

    private static void assertRefused(TestSupport.Checked wait, String key) {
        assertThatThrownBy(wait::run).isInstanceOf(IllegalStateException.class).hasMessageContaining(key);
    }

    @Test
    void k6_otherSideWaitsWithATimeLimit_isNoDeadlock() throws Exception {
        Keyed<String> keys = spindles.of(spindles.builder().coreThreads(4)).keyed("tasks");
        CountDownLatch both = new CountDownLatch(2);
        CountDownLatch waiting = new CountDownLatch(1);
        CompletableFuture<Boolean> limited = keys.submit("a", () -> {
            both.countDown();
            await(both);
            waiting.countDown();
            try {
                keys.submit("b", () -> {}).get(300, TimeUnit.MILLISECONDS);
                return false;
            } catch (TimeoutException e) {
                return true;
            }
        });
        CompletableFuture<String> unlimited = keys.submit("b", () -> {
            both.countDown();
            await(waiting);
            return keys.submit("a", () -> "end").join();
        });
        assertThat(result(unlimited)).isEqualTo("end");
        assertThat(result(limited)).isNotNull();
    }
}
