// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import static java.util.Collections.synchronizedList;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Keyed;
import dev.spindle.LogicalExecutor;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits of tasks and of the test, which behave as with one more worker, in simulated time. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class SimulationWaitsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static long seconds(Simulation simulation, long begin) {
        return TimeUnit.NANOSECONDS.toSeconds(simulation.spindle().nanoTime() - begin);
    }

    // ---------------------------------------------------------------- as if there were one more worker

    /** Task b waits for a, which waits for c. */
    @Test
    void get_chainOfWaitsInAnyOrder_ends() {
        Simulation.explore(300, simulation -> {
            Keyed<String> keyed = simulation.spindle().keyed("keys");
            Map<String, CompletableFuture<String>> futures = new HashMap<>();
            futures.put(
                    "a",
                    keyed.submit("a", () -> requireNonNull(futures.get("c")).get() + "a"));
            futures.put(
                    "b",
                    keyed.submit("b", () -> requireNonNull(futures.get("a")).get() + "b"));
            futures.put("c", keyed.submit("c", () -> "c"));
            simulation.run();

            assertThat(requireNonNull(futures.get("b")).join()).isEqualTo("cab");
        });
    }

    @Test
    void get_chainOfWaitsOfPlainTasksAndExecutors_ends() {
        Simulation.explore(300, simulation -> {
            Spindle spindle = simulation.spindle();
            LogicalExecutor two = spindle.executor("two", 2);
            List<CompletableFuture<Integer>> chain = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int before = i - 1;
                Future<Integer> unused = add(
                        chain,
                        i % 2 == 0
                                ? spindle.submit(
                                        () -> before < 0 ? 1 : chain.get(before).get() + 1)
                                : two.submit(() -> chain.get(before).get() + 1));
            }
            assertThat(chain.get(5).get()).isEqualTo(6);
        });
    }

    private static <T> CompletableFuture<T> add(List<CompletableFuture<T>> to, CompletableFuture<T> future) {
        to.add(future);
        return future;
    }

    /** The wait of one task does not affect the time limit of another. */
    @Test
    void timedGet_besideATaskThatWaitsLonger_doesNotTimeOut() {
        Simulation.explore(1_000, simulation -> {
            Spindle spindle = simulation.spindle();
            Future<?> late = spindle.schedule(() -> {}, 100, TimeUnit.SECONDS);
            spindle.execute(() -> assertThatCode(late::get).doesNotThrowAnyException());
            Future<String> soon = spindle.schedule(() -> "soon", 1, TimeUnit.SECONDS);
            CompletableFuture<String> waiter = spindle.submit(() -> soon.get(5, TimeUnit.SECONDS));

            assertThat(waiter.get()).isEqualTo("soon");
        });
    }

    @Test
    void get_byTheTest_returnsThoughATaskWaitsForWhatTheTestDoesNext() {
        Simulation.explore(100, simulation -> {
            Spindle spindle = simulation.spindle();
            Keyed<String> keyed = spindle.keyed("keys");
            keyed.at("k").pause();
            CompletableFuture<String> later = keyed.submit("k", () -> "later");
            CompletableFuture<String> waiter = spindle.submit(() -> later.get() + " on");

            assertThat(spindle.submit(() -> "now").get()).isEqualTo("now");
            simulation.run();
            assertThat(waiter).isNotDone();
            keyed.at("k").resume();
            simulation.run();
            assertThat(waiter).isCompletedWithValue("later on");
        });
    }

    @Test
    void get_inALockThatNoOtherNeeds_ends() {
        Simulation.explore(50, simulation -> {
            Spindle spindle = simulation.spindle();
            Object lock = new Object();
            CompletableFuture<String> waiter = spindle.submit(() -> {
                synchronized (lock) {
                    return spindle.submit(() -> "inner").get();
                }
            });
            assertThat(waiter.get()).isEqualTo("inner");
        });
    }

    // ---------------------------------------------------------------- dead ends

    @Test
    void get_plainTasksThatWaitForEachOther_isADeadlockThatNamesBoth() {
        try (Simulation simulation = Simulation.inOrder()) {
            List<CompletableFuture<String>> futures = new ArrayList<>();
            add(futures, simulation.spindle().submit(() -> futures.get(1).get()));
            add(futures, simulation.spindle().submit(() -> futures.get(0).get()));

            simulation.run();

            assertThat(futures).allMatch(CompletableFuture::isCompletedExceptionally);
            assertThatThrownBy(() -> futures.get(1).get())
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("would never end")
                    .hasMessageContaining("task 1 of this run (plain) waits for task 2 of this run (plain), "
                            + "task 2 of this run (plain) waits for task 1 of this run (plain)")
                    .satisfies(e -> assertThat(e.getSuppressed()[0].getStackTrace())
                            .as("where the other one waits")
                            .anyMatch(frame -> frame.getClassName().contains("SimulationWaitsTest")));
        }
    }

    @Test
    void get_ofATaskThatWaitsForAPausedKey_isADeadlock() {
        try (Simulation simulation = Simulation.inOrder()) {
            Keyed<String> keyed = simulation.spindle().keyed("keys");
            keyed.at("k").pause();
            Future<?> never = keyed.submit("k", () -> {});
            Future<?> waiter = keyed.submit("w", () -> never.get());

            assertThatThrownBy(waiter::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("(lane keys/w) waits for lane keys/k");
        }
    }

    @Test
    void get_inALockThatAnotherTaskNeeds_saysSo() {
        try (Simulation simulation = Simulation.inOrder()) {
            Spindle spindle = simulation.spindle();
            Object lock = new Object();
            Future<?> holder = spindle.submit(() -> {
                synchronized (lock) {
                    return spindle.submit(() -> "inner").get();
                }
            });
            Future<String> other = spindle.submit(() -> {
                synchronized (lock) {
                    return "other";
                }
            });
            simulation.run();

            assertThatThrownBy(holder::get)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("task 1 of this run (plain) waits while it holds a lock that task 2 of this"
                            + " run (plain) needs");
            assertThat(other).isDone();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void get_inALockThatALaneNeeds_laneGoesOnWhenTheTurnHasEnded() throws Exception {
        List<String> order = synchronizedList(new ArrayList<>());
        try (Simulation simulation = Simulation.inOrder()) {
            Spindle spindle = simulation.spindle();
            Keyed<String> keyed = spindle.keyed("keys");
            Object lock = new Object();
            Future<Boolean> holder = spindle.submit(() -> {
                synchronized (lock) {
                    assertThatThrownBy(spindle.submit(() -> "inner")::get).isInstanceOf(IllegalStateException.class);
                }
                boolean unused =
                        new CountDownLatch(1).await(200, MILLISECONDS); // the lane's first task ends in this time
                return order.add("turn");
            });
            keyed.execute("k", () -> {
                synchronized (lock) {
                    order.add("lane");
                }
            });
            keyed.execute("k", () -> order.add("next task of the lane"));
            simulation.run();
            assertThat(holder.get()).isTrue();
        }

        assertThat(order).containsExactly("lane", "turn", "next task of the lane");
    }

    // ---------------------------------------------------------------- other threads

    @Test
    void await_stageThatAnotherThreadCompletes_returnsItsResult() throws Exception {
        try (Simulation simulation = Simulation.seeded(1)) {
            CompletableFuture<String> stage = new CompletableFuture<>();
            Thread other = new Thread(() -> stage.complete("done"));
            simulation.spindle().execute(other::start);

            assertThat(simulation.await(stage)).isEqualTo("done");
        }
    }

    @Test
    void submitAsync_stageThatAnotherThreadCompletes_isWaitedFor() throws Exception {
        CompletableFuture<String> atClose;
        CompletableFuture<String> open = new CompletableFuture<>();
        try (Simulation simulation = Simulation.seeded(1)) {
            CompletableFuture<String> stage = new CompletableFuture<>();
            Strand strand = simulation.spindle().strand("s");
            CompletableFuture<String> async = strand.submitAsync(() -> {
                new Thread(() -> stage.complete("done")).start();
                return stage;
            });
            assertThat(async.get()).isEqualTo("done");
            atClose = strand.submitAsync(() -> {
                new Thread(() -> open.complete("closed")).start();
                return open;
            });
        }
        assertThat(atClose).isCompletedWithValue("closed");
    }

    @Test
    void await_ofATaskForAStageThatAnotherThreadCompletes_returnsItsResult() throws Exception {
        try (Simulation simulation = Simulation.seeded(1)) {
            CompletableFuture<String> stage = new CompletableFuture<>();
            simulation.spindle().execute(new Thread(() -> stage.complete("done"))::start);

            assertThat(simulation
                            .spindle()
                            .submit(() -> simulation.await(stage) + " by a task")
                            .get())
                    .isEqualTo("done by a task");
        }
    }

    /** The real time of waiting for a foreign thread is spent only once. */
    @Test
    @Timeout(20)
    void await_stagesThatNothingCompletes_areDeadlocks() {
        try (Simulation simulation = Simulation.seeded(1)) {
            for (int i = 0; i < 10; i++) {
                assertThatThrownBy(() -> simulation.await(new CompletableFuture<>()))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("the test waits");
            }
        }
    }

    // ---------------------------------------------------------------- limits

    /** Returns the future of the last task of a strand, behind a hundred tasks of one second each. */
    private static Future<?> behindAHundredSeconds(Simulation simulation) {
        Strand busy = simulation.spindle().strand("busy");
        for (int i = 0; i < 100; i++) {
            busy.execute(() -> simulation.advance(SECOND));
        }
        return busy.submit(() -> {});
    }

    @Test
    void timedGet_whileOthersAreReadyAndTakeTime_endsAtItsLimit() {
        Simulation.explore(50, simulation -> {
            long begin = simulation.spindle().nanoTime();
            Future<?> last = behindAHundredSeconds(simulation);

            assertThatThrownBy(() -> last.get(5, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(seconds(simulation, begin)).isBetween(5L, 6L);
        });
    }

    @Test
    void timedGet_ofATaskWhileOthersTakeTime_endsAtItsLimit() {
        Simulation.explore(50, simulation -> {
            long begin = simulation.spindle().nanoTime();
            Future<?> last = behindAHundredSeconds(simulation);
            List<Long> waited = new ArrayList<>();
            simulation.spindle().execute(() -> {
                long from = simulation.spindle().nanoTime();
                assertThatThrownBy(() -> last.get(5, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
                waited.add(seconds(simulation, from));
            });
            boolean more = true;
            while (more && seconds(simulation, begin) < 40 && waited.isEmpty()) {
                more = simulation.step();
            }
            simulation.spindle().shutdownNow();

            assertThat(waited).allMatch(time -> time >= 5 && time <= 6);
        });
    }

    @Test
    void timedGet_ofATaskThatIsDoneTooLate_timesOut() {
        try (Simulation simulation = Simulation.inOrder()) {
            Future<?> slow = simulation.spindle().submit(() -> simulation.advance(SECOND.multipliedBy(100)));

            assertThatThrownBy(() -> slow.get(5, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        }
    }

    @Test
    void timedGet_besideATaskThatWaitsLonger_endsAtItsLimit() {
        Simulation.explore(50, simulation -> {
            long begin = simulation.spindle().nanoTime();
            Spindle spindle = simulation.spindle();
            Future<?> late = spindle.schedule(() -> {}, 100, TimeUnit.SECONDS);
            CompletableFuture<?> waiter = spindle.submit(() -> late.get());

            assertThatThrownBy(() -> waiter.get(5, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(seconds(simulation, begin)).isEqualTo(5);
            simulation.advance(SECOND);
            assertThat(seconds(simulation, begin)).isEqualTo(6);
        });
    }

    @Test
    void a3_limitOfAnAsyncTask_actsWhileOthersAreReadyAndTakeTime() {
        Simulation.explore(50, simulation -> {
            long begin = simulation.spindle().nanoTime();
            Strand busy = simulation.spindle().strand("busy");
            for (int i = 0; i < 30; i++) {
                busy.execute(() -> simulation.advance(SECOND));
            }
            List<Long> ended = new ArrayList<>();
            CompletableFuture<?> unused = simulation
                    .spindle()
                    .strand("async")
                    .submitAsync(CompletableFuture::new, SECOND.multipliedBy(5))
                    .whenComplete((value, failure) -> ended.add(seconds(simulation, begin)));
            simulation.advance(SECOND.multipliedBy(30));

            assertThat(ended).hasSize(1).allMatch(time -> time < 31 && time >= 5);
        });
    }

    // ---------------------------------------------------------------- interrupts

    @Test
    void cancel_ofATaskThatWaits_interruptsIt() throws Exception {
        try (Simulation simulation = Simulation.inOrder()) {
            Spindle spindle = simulation.spindle();
            Future<?> late = spindle.schedule(() -> {}, 1, TimeUnit.HOURS);
            List<String> log = new ArrayList<>();
            Future<?> waiter = spindle.submit(() -> {
                try {
                    late.get();
                } catch (InterruptedException e) {
                    log.add("interrupted");
                }
                return log;
            });
            simulation.advance(SECOND);
            waiter.cancel(true);
            simulation.advance(SECOND);

            assertThat(log).containsExactly("interrupted");
            assertThat(late).isNotDone();
        }
    }

    @Test
    void shutdownNow_whileTasksWait_interruptsThem() {
        Simulation simulation = Simulation.inOrder();
        Spindle spindle = simulation.spindle();
        List<String> log = new ArrayList<>();
        Future<?> late = spindle.schedule(() -> {}, 1, TimeUnit.HOURS);
        for (int i = 0; i < 3; i++) {
            spindle.execute(() -> {
                try {
                    late.get();
                } catch (Exception e) {
                    log.add(e.getClass().getSimpleName());
                }
            });
        }
        simulation.advance(SECOND);
        spindle.shutdownNow();
        simulation.run();

        assertThat(log).hasSize(3).containsOnly("CancellationException");
        assertThat(spindle.isTerminated()).isTrue();
    }

    // ---------------------------------------------------------------- failures

    @Test
    void explore_taskThatFails_failsWithItsSeed() {
        assertThatThrownBy(() -> Simulation.explore(20, simulation -> {
                    simulation.spindle().<String>keyed("keys").execute("k", () -> {
                        throw new IllegalArgumentException("expected");
                    });
                    simulation.run();
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed 0 fails")
                .hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void explore_assertionThatFailsInAFuture_failsWithItsSeed() {
        assertThatThrownBy(() -> Simulation.explore(
                        20,
                        simulation ->
                                simulation.spindle().submit(() -> assertThat(1).isEqualTo(2))))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed 0 fails");
    }

    @Test
    void explore_failureThatTheScenarioTakes_isFine() {
        Simulation.explore(20, simulation -> {
            simulation.spindle().execute(() -> {
                throw new IllegalArgumentException("expected");
            });
            simulation.run();
            assertThat(simulation.takeFailures()).hasSize(1);
        });
    }

    @Test
    void explore_withOptions_usesThem() {
        List<Throwable> told = new ArrayList<>();
        assertThatThrownBy(() -> Simulation.explore(
                        3,
                        Spindle.builder().name("mine").onFailure((activity, failure) -> told.add(failure)),
                        simulation -> {
                            simulation.spindle().execute(() -> {
                                throw new IllegalArgumentException("expected");
                            });
                        }))
                .isInstanceOf(AssertionError.class);
        assertThat(told).hasSize(1);
    }

    @Test
    void explore_assertionOfAFailureHandler_failsWithItsSeed() {
        assertThatThrownBy(() -> Simulation.explore(
                        3,
                        Spindle.builder().onFailure((activity, failure) -> {
                            throw new AssertionError("expected");
                        }),
                        simulation -> {
                            simulation.spindle().execute(() -> {
                                throw new IllegalArgumentException("expected");
                            });
                            simulation.run();
                            assertThat(simulation.takeFailures()).hasSize(1);
                        }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a failure handler has thrown");
    }

    @Test
    void explore_failureOfAFutureThatNothingLooksAt_failsWithItsSeed() {
        assertThatThrownBy(() -> Simulation.explore(3, simulation -> {
                    Spindle spindle = simulation.spindle();
                    spindle.schedule(
                            () -> {
                                throw new IllegalArgumentException("expected");
                            },
                            1,
                            TimeUnit.SECONDS);
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed 0 fails")
                .hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void explore_failureOfAFutureThatIsLookedAt_isFine() {
        Simulation.explore(20, simulation -> {
            List<CompletableFuture<?>> futures = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                futures.add(simulation.spindle().submit(() -> {
                    throw new IllegalArgumentException("expected");
                }));
            }
            List<Throwable> seen = new ArrayList<>();
            futures.get(0).whenComplete((value, failure) -> seen.add(requireNonNull(failure)));
            simulation.run();
            futures.get(1).whenComplete((value, failure) -> seen.add(requireNonNull(failure)));
            assertThat(futures.get(2)).isCompletedExceptionally();
            assertThatThrownBy(() -> futures.get(3).get()).isInstanceOf(ExecutionException.class);
            assertThat(seen).hasSize(2);
        });
    }
}
