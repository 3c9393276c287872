// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code shutdown}, {@code isShutdown}, {@code isTerminated} and {@code awaitTermination}. */
@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the tasks
abstract class ShutdownContract extends ServiceContract<ExecutorService> {
    private final AtomicInteger runs = new AtomicInteger();

    ShutdownContract(Subject<? extends ExecutorService> subject) {
        super(subject);
    }

    /** Shuts down in one of two ways, and returns the number of tasks that it returned. */
    private int shutDown(boolean now) {
        if (now) {
            return executor.shutdownNow().size();
        }
        executor.shutdown();
        return 0;
    }

    @Test
    void newExecutor_isNeitherShutDownNorTerminated() throws Exception {
        assertThat(executor.isShutdown()).isFalse();
        assertThat(executor.isTerminated()).isFalse();
        assertThat(executor.awaitTermination(0, SECONDS)).isFalse();
        assertThat(executor.awaitTermination(-1, SECONDS)).isFalse();
        assertThat(executor.awaitTermination(2, MILLISECONDS)).isFalse();
    }

    @Test
    void usedExecutor_withNothingToDo_isNotTerminated() throws Exception {
        assertThat(result(executor.submit(() -> "done"))).isEqualTo("done");

        assertThat(executor.awaitTermination(2, MILLISECONDS)).isFalse();
        assertThat(executor.isShutdown()).isFalse();
        assertThat(executor.isTerminated()).isFalse();
    }

    @ParameterizedTest(name = "now: {0}")
    @ValueSource(booleans = {false, true})
    void shutdown_neverUsed_terminates(boolean now) throws Exception {
        assertThat(shutDown(now)).isZero();

        assertTerminates();
    }

    @Test
    void shutdown_runsAllThatWasAcceptedAndInterruptsNothing() throws Exception {
        List<Gate> places = occupy();
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            executor.execute(runs::incrementAndGet);
            futures.add(executor.submit(runs::incrementAndGet));
        }

        executor.shutdown();

        assertStillEnding();
        assertThat(runs).hasValue(0);
        open(places);
        assertTerminates();
        assertThat(runs).hasValue(100);
        assertThat(futures).allMatch(Future::isDone).noneMatch(Future::isCancelled);
        assertThat(places).noneMatch(Gate::wasInterrupted);
    }

    @Test
    void isTerminated_whileATaskRuns_isFalse() throws Exception {
        AtomicInteger early = new AtomicInteger();
        List<Gate> places = occupy();
        for (int i = 0; i < 500; i++) {
            executor.execute(() -> {
                if (executor.isTerminated()) {
                    early.incrementAndGet();
                }
                runs.incrementAndGet();
            });
        }

        executor.shutdown();
        open(places);

        assertTerminates();
        assertThat(runs).hasValue(500);
        assertThat(early).hasValue(0);
    }

    @ParameterizedTest(name = "first now: {0}, then now: {1}")
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void shutdown_again_hasNoFurtherEffect(boolean firstNow, boolean thenNow) throws Exception {
        List<Gate> places = occupy(executor, true);
        for (int i = 0; i < 5; i++) {
            executor.execute(runs::incrementAndGet);
        }

        int first = shutDown(firstNow);
        int then = shutDown(thenNow);

        assertThat(executor.isShutdown()).isTrue();
        boolean now = firstNow || thenNow;
        for (Gate place : places) {
            if (now) {
                await(place.interrupted());
            }
            place.open();
        }
        assertTerminates();
        int given = now && !has(Trait.SHUTDOWN_NOW_RETURNS_NOTHING) ? 5 : 0;
        assertThat(first).isEqualTo(firstNow ? given : 0);
        assertThat(then).isEqualTo(firstNow ? 0 : given);
        assertThat(runs).hasValue(now ? 0 : 5);
        assertThat(places).allMatch(place -> place.wasInterrupted() == now);
        assertThat(shutDown(firstNow)).isZero();
        assertThat(shutDown(thenNow)).isZero();
        assertTerminates();
    }

    @Test
    void shutdown_byATask_runsTheRest() throws Exception {
        executor.execute(() -> {
            executor.execute(runs::incrementAndGet);
            executor.execute(runs::incrementAndGet);
            executor.shutdown();
            runs.incrementAndGet();
        });

        until(executor::isShutdown);
        assertTerminates();
        assertThat(runs).hasValue(3);
    }

    @Test
    void awaitTermination_byATaskOfItsOwn_timesOut() throws Exception {
        Future<Boolean> terminated = executor.submit(() -> {
            executor.shutdown();
            return executor.awaitTermination(2, MILLISECONDS);
        });

        assertThat(result(terminated)).isFalse();
        assertTerminates();
    }

    @Test
    void awaitTermination_byManyThreads_wakesAll() throws Exception {
        List<Gate> places = occupy();
        List<Caller<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiters.add(call(() -> executor.awaitTermination(60, SECONDS)));
        }
        waiters.add(call(() -> executor.awaitTermination(Long.MAX_VALUE, SECONDS)));
        waiters.forEach(this::untilWaiting);
        assertThat(waiters).noneMatch(waiter -> waiter.outcome().isDone());

        executor.shutdown();
        open(places);

        for (Caller<Boolean> waiter : waiters) {
            assertThat(result(waiter)).isTrue();
        }
        assertThat(executor.isTerminated()).isTrue();
    }

    @ParameterizedTest(name = "shut down: {0}")
    @ValueSource(booleans = {false, true})
    void awaitTermination_interrupted_throwsAndChangesNothing(boolean shut) throws Exception {
        List<Gate> places = occupy();
        executor.execute(runs::incrementAndGet);
        if (shut) {
            executor.shutdown();
        }
        Caller<Boolean> waiter = call(() -> executor.awaitTermination(60, SECONDS));
        untilWaiting(waiter);
        Caller<Boolean> interruptedBefore = call(() -> {
            Thread.currentThread().interrupt();
            return executor.awaitTermination(60, SECONDS);
        });

        waiter.interrupt();

        assertThat(failure(waiter)).isInstanceOf(InterruptedException.class);
        assertThat(failure(interruptedBefore)).isInstanceOf(InterruptedException.class);
        assertThat(waiter.wasFlagged()).isFalse();
        assertThat(interruptedBefore.wasFlagged()).isFalse();
        assertThat(executor.isShutdown()).isEqualTo(shut);
        open(places);
        executor.shutdown();
        assertTerminates();
        assertThat(runs).hasValue(1);
        assertThat(places).noneMatch(Gate::wasInterrupted);
    }

    @Test
    void shutdown_afterTasksThatThrew_terminates() throws Exception {
        for (int i = 0; i < 10; i++) {
            executor.execute(Tasks.throwingRunnable(new AssertionError("expected")));
            executor.submit(Tasks.throwing(new Exception("expected")));
        }

        executor.shutdown();

        assertTerminates();
    }
}
