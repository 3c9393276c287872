// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code invokeAny}, with and without a time limit. */
abstract class InvokeAnyContract extends ServiceContract<ExecutorService> {
    static final List<Throwable> FAILURES = Tasks.failures();

    private final AtomicInteger runs = new AtomicInteger();

    InvokeAnyContract(Subject<? extends ExecutorService> subject) {
        super(subject);
    }

    private <T> T invokeAny(boolean timed, Collection<? extends Callable<T>> tasks)
            throws InterruptedException, ExecutionException, TimeoutException {
        return timed ? executor.invokeAny(tasks, 60, SECONDS) : executor.invokeAny(tasks);
    }

    /** All tasks of the call have ended, or have been cancelled: those that run were interrupted. */
    private void assertNothingLeft() throws InterruptedException {
        executor.shutdown();
        assertTerminates();
    }

    // ---------------------------------------------------------------- arguments

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAny_null_throwsNullPointerException(boolean timed) {
        assertThatThrownBy(() -> invokeAny(timed, Tasks.<List<Callable<String>>>unsafeNull()))
                .isInstanceOf(NullPointerException.class);
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAny_onlyNull_throwsNullPointerException(boolean timed) {
        List<Callable<String>> tasks = Arrays.asList(Tasks.<Callable<String>>unsafeNull());

        assertThatThrownBy(() -> invokeAny(timed, tasks)).isInstanceOf(NullPointerException.class);
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAny_nullBehindATaskThatDoesNotEnd_throwsAndLeavesNothingBehind(boolean timed) throws Exception {
        Gate gate = gate();
        List<Callable<String>> tasks = Arrays.asList(Tasks.through(gate), Tasks.<Callable<String>>unsafeNull());

        assertThatThrownBy(() -> invokeAny(timed, tasks)).isInstanceOf(NullPointerException.class);

        if (has(Trait.INVOKE_ANY_MISSES_STARTING_TASKS)) {
            gate.open();
        }
        assertNothingLeft();
    }

    @Test
    void invokeAny_nullUnit_throwsNullPointerException() {
        List<Callable<String>> tasks = List.of(() -> "result");

        assertThatThrownBy(() -> executor.invokeAny(tasks, 1, Tasks.unsafeNull()))
                .isInstanceOf(NullPointerException.class);
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAny_noTasks_throwsIllegalArgumentException(boolean timed) {
        assertThatThrownBy(() -> invokeAny(timed, new ArrayList<Callable<String>>()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---------------------------------------------------------------- results

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAny_oneTask_givesItsResult(boolean timed) throws Exception {
        Object value = new Object();

        List<Callable<Object>> tasks = List.of(() -> value);

        Object given = invokeAny(timed, tasks);

        assertThat(given).isSameAs(value);
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAny_oneGoodAmongBad_givesItsResult(boolean timed) throws Exception {
        List<Callable<String>> tasks = new ArrayList<>();
        for (Throwable failure : FAILURES) {
            tasks.add(Tasks.throwing(failure));
        }
        tasks.add(() -> "good");
        tasks.add(Tasks.throwing(new Exception("expected")));

        assertThat(invokeAny(timed, tasks)).isEqualTo("good");
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAny_oneIsGood_cancelsTheOthers(boolean timed) throws Exception {
        List<Callable<String>> tasks = new ArrayList<>();
        tasks.add(() -> "good");
        for (int i = 0; i < 3 * concurrency(); i++) {
            tasks.add(Tasks.through(gate()));
        }

        assertThat(invokeAny(timed, tasks)).isEqualTo("good");

        assertNothingLeft();
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAny_allTasksThrow_throwsExecutionException(boolean timed) {
        List<Exception> failures = List.of(new Exception("first"), new Exception("second"), new Exception("third"));
        List<Callable<String>> tasks = new ArrayList<>();
        failures.forEach(failure -> tasks.add(Tasks.throwing(failure)));

        Throwable thrown = catchThrowable(() -> invokeAny(timed, tasks));

        assertThat(thrown).isInstanceOf(ExecutionException.class);
        assertThat(Tasks.chain(thrown)).containsAnyElementsOf(failures);
    }

    /** The tasks may throw anything: the interface documents one exception for "no task successfully completes". */
    @ParameterizedTest(name = "{0}")
    @FieldSource("FAILURES")
    void invokeAny_onlyTaskThrows_throwsExecutionException(Throwable failure) {
        List<Callable<String>> tasks = List.of(Tasks.throwing(failure));

        Throwable plain = catchThrowable(() -> invokeAny(false, tasks));
        Throwable timed = catchThrowable(() -> invokeAny(true, tasks));

        assertThat(plain).isInstanceOf(ExecutionException.class);
        assertThat(timed).isInstanceOf(ExecutionException.class);
    }

    // ---------------------------------------------------------------- interrupts and limits

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAny_interruptedWhileWaiting_cancelsAll(boolean timed) throws Exception {
        List<Gate> places = new ArrayList<>();
        List<Callable<String>> tasks = tasksBehind(places);
        Caller<String> caller = call(() -> invokeAny(timed, tasks));
        for (Gate place : places) {
            await(place.entered());
        }
        untilWaiting(caller);

        caller.interrupt();

        assertThat(failure(caller)).isInstanceOf(InterruptedException.class);
        assertThat(caller.wasFlagged()).isFalse();
        assertCancelled(places);
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAny_byAnInterruptedThread_cancelsAll(boolean timed) throws Exception {
        List<Gate> places = occupy(); // no task of the call starts before it is cancelled
        List<Callable<Integer>> tasks = List.of(runs::incrementAndGet, runs::incrementAndGet);
        Caller<Integer> caller = call(() -> {
            Thread.currentThread().interrupt();
            return invokeAny(timed, tasks);
        });

        assertThat(failure(caller)).isInstanceOf(InterruptedException.class);
        open(places);
        assertNothingLeft();
        assertThat(runs).hasValue(0);
    }

    /** Returns tasks that take all places, and others that wait behind them. */
    private List<Callable<String>> tasksBehind(List<Gate> places) {
        List<Callable<String>> tasks = new ArrayList<>();
        for (int i = 0; i < concurrency(); i++) {
            Gate gate = gate(true);
            places.add(gate);
            tasks.add(Tasks.through(gate));
        }
        for (int i = 0; i < 5; i++) {
            tasks.add(() -> "ran " + runs.incrementAndGet());
        }
        return tasks;
    }

    /** Running tasks were interrupted, and waiting tasks were cancelled before the places became free. */
    private void assertCancelled(List<Gate> places) throws InterruptedException {
        for (Gate place : places) {
            await(place.interrupted());
        }
        open(places);
        assertNothingLeft();
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest(name = "{0} ms")
    @ValueSource(longs = {20, 0, -1, Long.MIN_VALUE})
    void invokeAny_limitPasses_throwsTimeoutExceptionAndCancelsAll(long limit) throws Exception {
        List<Callable<Integer>> tasks = new ArrayList<>();
        tasks.add(runs::incrementAndGet);
        tasks.add(runs::incrementAndGet);
        List<Gate> places = occupy();
        long start = System.nanoTime();

        assertThatThrownBy(() -> executor.invokeAny(tasks, limit, MILLISECONDS)).isInstanceOf(TimeoutException.class);

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(MILLISECONDS.toNanos(Math.max(0, limit)));
        open(places);
        assertNothingLeft();
        assertThat(runs).hasValue(0);
    }

    @Test
    void invokeAny_limitPassesWhileTasksRun_interruptsThem() throws Exception {
        unless(Trait.INVOKE_ANY_MISSES_STARTING_TASKS);
        Gate gate = gate();

        assertThatThrownBy(() -> executor.invokeAny(List.of(Tasks.through(gate)), 20, MILLISECONDS))
                .isInstanceOf(TimeoutException.class);

        assertNothingLeft();
        assertThat(gate.wasInterrupted()).isEqualTo(gate.wasEntered());
    }

    @Test
    void invokeAny_hugeLimit_doesNotOverflow() throws Exception {
        List<Callable<String>> tasks = List.of(() -> "result", () -> "result");

        assertThat(executor.invokeAny(tasks, Long.MAX_VALUE, SECONDS)).isEqualTo("result");
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAny_shutdownNowTakesAllTasksAway_throwsExecutionException(boolean timed) throws Exception {
        unless(Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN); // it would wait without end
        unless(Trait.INVOKE_ANY_OUTWAITS_SHUTDOWN_NOW);
        occupy();
        List<Callable<Integer>> tasks = List.of(runs::incrementAndGet, runs::incrementAndGet);
        Caller<Integer> caller = call(() -> invokeAny(timed, tasks));
        untilWaiting(caller);

        executor.shutdownNow();

        assertThat(failure(caller)).isInstanceOfAny(ExecutionException.class, RejectedExecutionException.class);
    }
}
