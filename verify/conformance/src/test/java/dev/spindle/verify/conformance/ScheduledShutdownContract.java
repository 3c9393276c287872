// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The shutdown of executors with delayed and periodic tasks. */
@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the tasks
abstract class ScheduledShutdownContract extends ServiceContract<ScheduledExecutorService> {
    private final AtomicInteger runs = new AtomicInteger();
    private final Runnable task = runs::incrementAndGet;

    ScheduledShutdownContract(Subject<? extends ScheduledExecutorService> subject) {
        super(subject);
    }

    private void assertRejects(ScheduledEntryPoint way) {
        assertThatThrownBy(() -> way.schedule(executor, task, 0, 1)).isInstanceOf(RejectedExecutionException.class);
    }

    // ---------------------------------------------------------------- rejection

    @ParameterizedTest
    @EnumSource
    void schedule_afterShutdown_isRejected(ScheduledEntryPoint way) throws Exception {
        Gate gate = gate();
        executor.execute(gate);
        await(gate.entered());
        executor.shutdown();

        assertRejects(way);
        gate.open();
        assertTerminates();
        assertRejects(way);
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void schedule_afterShutdownNow_isRejected(ScheduledEntryPoint way) throws Exception {
        executor.shutdownNow();

        assertRejects(way);
        assertTerminates();
        assertRejects(way);
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void schedule_byAnOwnTaskAfterShutdown_isRejected(ScheduledEntryPoint way) throws Exception {
        Future<Throwable> thrown = executor.submit(() -> {
            executor.shutdown();
            return catchThrowable(() -> way.schedule(executor, task, 0, 1));
        });

        assertThat(result(thrown)).isInstanceOf(RejectedExecutionException.class);
        assertTerminates();
        assertThat(runs).hasValue(0);
    }

    // ---------------------------------------------------------------- shutdown

    @Test
    void shutdown_delayedTasks_stillRunWhenTheyAreDue() throws Exception {
        long delayMillis = 40;
        while (!runsWhatIsDueAfterAShutdown(newExecutor(), delayMillis)) {
            delayMillis *= 2;
        }
    }

    /** Returns false if the machine was so slow that the task was due before the shutdown, which shows nothing. */
    private boolean runsWhatIsDueAfterAShutdown(ScheduledExecutorService ending, long delayMillis) throws Exception {
        runs.set(0);
        long start = System.nanoTime();
        ScheduledFuture<Long> late = ending.schedule(
                () -> {
                    runs.incrementAndGet();
                    return System.nanoTime();
                },
                delayMillis,
                MILLISECONDS);
        ScheduledFuture<?> soon = ending.schedule(task, 5, MILLISECONDS);

        ending.shutdown();
        boolean inTime = System.nanoTime() - start < MILLISECONDS.toNanos(delayMillis);

        assertThat(ending.isShutdown()).isTrue();
        assertTerminates(ending);
        assertThat(runs).hasValue(2);
        assertThat(result(late) - start).isGreaterThanOrEqualTo(MILLISECONDS.toNanos(delayMillis));
        assertThat(soon.isCancelled()).isFalse();
        return inTime;
    }

    @Test
    void shutdown_delayedTaskOfADay_holdsTermination() throws Exception {
        executor.schedule(task, 1, DAYS);

        executor.shutdown();

        assertStillEnding();
        executor.shutdownNow();
        assertTerminates();
    }

    @Test
    void shutdown_cancelledDelayedTask_holdsNothing() throws Exception {
        ScheduledFuture<?> before = executor.schedule(task, 1, DAYS);
        ScheduledFuture<?> after = executor.schedule(task, 1, DAYS);
        before.cancel(false);
        executor.shutdown();
        assertStillEnding();

        after.cancel(false);

        if (has(Trait.CANCELLED_DELAYED_TASKS_HOLD_TERMINATION)) {
            assertStillEnding();
        } else {
            assertTerminates();
        }
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void shutdown_periodicTasksThatWait_areCancelled(ScheduledEntryPoint way) throws Exception {
        ScheduledFuture<?> never = way.schedule(executor, task, 86_400_000, 1);
        ScheduledFuture<?> often = way.schedule(executor, task, 0, 1);
        until(() -> runs.get() >= 3);

        executor.shutdown();

        assertTerminates();
        int ended = runs.get();
        assertCancelled(never);
        assertCancelled(often);
        assertThat(runs).hasValue(ended);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void shutdown_periodicTaskThatRuns_endsItsRunAndIsCancelled(ScheduledEntryPoint way) throws Exception {
        Gate gate = gate();
        ScheduledFuture<?> future = way.schedule(
                executor,
                () -> {
                    runs.incrementAndGet();
                    gate.run();
                },
                0,
                1);
        await(gate.entered());

        executor.shutdown();

        assertStillEnding();
        gate.open();
        assertTerminates();
        assertCancelled(future);
        assertThat(gate.wasInterrupted()).isFalse();
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void shutdown_byAPeriodicTask_isItsLastRun(ScheduledEntryPoint way) throws Exception {
        CompletableFuture<String> second = new CompletableFuture<>();
        ScheduledFuture<?> future = way.schedule(
                executor,
                () -> {
                    if (runs.incrementAndGet() == 2) {
                        executor.shutdown();
                        second.complete("shut down");
                    }
                },
                0,
                1);

        assertThat(result(second)).isEqualTo("shut down");
        assertTerminates();
        assertCancelled(future);
        assertThat(runs).hasValue(2);
    }

    // ---------------------------------------------------------------- shutdownNow

    @Test
    void shutdownNow_delayedAndPeriodicTasks_areGivenBackAndNeverRun() throws Exception {
        Runnable rate = () -> runs.addAndGet(1);
        Runnable delay = () -> runs.addAndGet(1);
        List<ScheduledFuture<?>> futures = new ArrayList<>();
        futures.add(executor.schedule(task, 1, DAYS));
        futures.add(executor.schedule(runs::incrementAndGet, 1, DAYS));
        futures.add(executor.scheduleAtFixedRate(rate, 1, 1, DAYS));
        futures.add(executor.scheduleWithFixedDelay(delay, 1, 1, DAYS));

        List<Runnable> returned = executor.shutdownNow();

        assertThat(returned).hasSize(4).doesNotHaveDuplicates();
        if (!has(Trait.SHUTDOWN_NOW_RETURNS_WRAPPERS)) {
            assertThat(returned).contains(task, rate, delay);
        }
        assertTerminates();
        assertThat(runs).hasValue(0);
        for (ScheduledFuture<?> future : futures) {
            if (has(Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN)) {
                assertPending(future);
            } else {
                assertCancelled(future);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"FIXED_RATE", "FIXED_DELAY"})
    void shutdownNow_periodicTaskThatRuns_isInterruptedAndCancelled(ScheduledEntryPoint way) throws Exception {
        Gate gate = gate();
        ScheduledFuture<?> future = way.schedule(
                executor,
                () -> {
                    runs.incrementAndGet();
                    gate.run();
                },
                0,
                1);
        await(gate.entered());

        assertThat(executor.shutdownNow()).isEmpty();

        await(gate.interrupted());
        assertTerminates();
        assertCancelled(future);
        assertThat(runs).hasValue(1);
    }
}
