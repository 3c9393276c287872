// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code invokeAll}, with and without a time limit. */
abstract class InvokeAllContract extends ServiceContract<ExecutorService> {
    private final AtomicInteger runs = new AtomicInteger();

    InvokeAllContract(Subject<? extends ExecutorService> subject) {
        super(subject);
    }

    private <T> List<Future<T>> invokeAll(boolean timed, Collection<? extends Callable<T>> tasks)
            throws InterruptedException {
        return timed ? executor.invokeAll(tasks, 60, SECONDS) : executor.invokeAll(tasks);
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAll_null_throwsNullPointerException(boolean timed) {
        assertThatThrownBy(() -> invokeAll(timed, Tasks.<List<Callable<String>>>unsafeNull()))
                .isInstanceOf(NullPointerException.class);
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAll_nullAmongTheTasks_throwsAndLeavesNothingBehind(boolean timed) throws Exception {
        Gate first = gate();
        List<Callable<String>> tasks =
                Arrays.asList(Tasks.through(first), Tasks.<Callable<String>>unsafeNull(), Tasks.through(first));

        assertThatThrownBy(() -> invokeAll(timed, tasks)).isInstanceOf(NullPointerException.class);

        if (has(Trait.CANCEL_NEVER_INTERRUPTS)) {
            first.open();
        }
        executor.shutdown();
        assertTerminates();
    }

    @Test
    void invokeAll_nullUnit_throwsNullPointerException() {
        List<Callable<String>> tasks = List.of(() -> "result");

        assertThatThrownBy(() -> executor.invokeAll(tasks, 1, Tasks.unsafeNull()))
                .isInstanceOf(NullPointerException.class);
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAll_noTasks_givesNoFutures(boolean timed) throws Exception {
        assertThat(invokeAll(timed, new ArrayList<Callable<String>>())).isEmpty();
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAll_manyTasks_givesTheirResultsInOrder(boolean timed) throws Exception {
        int[] written = new int[200]; // plain: visible after the call
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < written.length; i++) {
            int value = i;
            tasks.add(() -> {
                written[value] = value + 1;
                return value;
            });
        }

        List<Future<Integer>> futures = invokeAll(timed, tasks);

        assertThat(futures).hasSize(written.length).allMatch(Future::isDone).noneMatch(Future::isCancelled);
        for (int i = 0; i < written.length; i++) {
            assertThat(futures.get(i).get()).isEqualTo(i);
            assertThat(written[i]).isEqualTo(i + 1);
        }
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAll_someTasksThrow_reportsThemInTheirPlaces(boolean timed) throws Exception {
        List<Throwable> failures = Tasks.failures();
        List<Callable<String>> tasks = new ArrayList<>();
        for (Throwable failure : failures) {
            tasks.add(Tasks.throwing(failure));
            tasks.add(() -> "result " + runs.incrementAndGet());
        }

        List<Future<String>> futures = invokeAll(timed, tasks);

        assertThat(futures).hasSize(2 * failures.size()).allMatch(Future::isDone);
        for (int i = 0; i < failures.size(); i++) {
            assertFailed(futures.get(2 * i), failures.get(i));
            assertThat(futures.get(2 * i + 1).get()).startsWith("result");
        }
        assertThat(runs).hasValue(failures.size());
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAll_allTasksThrow_returns(boolean timed) throws Exception {
        Exception failure = new Exception("expected");
        List<Callable<String>> tasks = List.of(Tasks.throwing(failure), Tasks.throwing(failure));

        for (Future<String> future : invokeAll(timed, tasks)) {
            assertFailed(future, failure);
        }
    }

    // ---------------------------------------------------------------- interrupts

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAll_interruptedWhileWaiting_cancelsWhatIsNotDone(boolean timed) throws Exception {
        List<Gate> places = new ArrayList<>();
        List<Callable<String>> tasks = tasksBehind(places);
        Caller<List<Future<String>>> caller = call(() -> invokeAll(timed, tasks));
        for (Gate place : places) {
            await(place.entered());
        }
        untilWaiting(caller);

        caller.interrupt();

        assertCancels(places, caller);
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void invokeAll_byAnInterruptedThread_cancelsWhatIsNotDone(boolean timed) throws Exception {
        List<Gate> places = occupy(); // no task of the call starts before it is cancelled
        List<Callable<Integer>> tasks = List.of(runs::incrementAndGet, runs::incrementAndGet);
        Caller<List<Future<Integer>>> caller = call(() -> {
            Thread.currentThread().interrupt();
            return invokeAll(timed, tasks);
        });

        if (has(Trait.INVOKE_ALL_IGNORES_INTERRUPTS)) {
            open(places);
            assertRun(2, result(caller));
            assertThat(runs).hasValue(2);
        } else {
            assertThat(failure(caller)).isInstanceOf(InterruptedException.class);
            open(places);
            executor.shutdown();
            assertTerminates();
            assertThat(runs).hasValue(0);
        }
    }

    /** Returns tasks that take all places, and others that wait behind them. */
    private List<Callable<String>> tasksBehind(List<Gate> places) {
        List<Callable<String>> tasks = new ArrayList<>();
        for (int i = 0; i < concurrency(); i++) {
            Gate gate = gate(true);
            places.add(gate);
            tasks.add(Tasks.through(gate));
        }
        for (int i = 0; i < 10; i++) {
            tasks.add(() -> "ran " + runs.incrementAndGet());
        }
        return tasks;
    }

    /**
     * The futures of a pool that ignores interrupts, although the interrupt may have ended its wait for one of them.
     */
    private <T> void assertRun(int expected, List<Future<T>> returned) throws Exception {
        assertThat(returned).hasSize(expected);
        for (Future<T> task : returned) {
            assertThat(result(task)).isNotNull();
        }
    }

    private void assertCancels(List<Gate> places, Caller<List<Future<String>>> caller) throws Exception {
        if (has(Trait.INVOKE_ALL_IGNORES_INTERRUPTS)) {
            open(places);
            assertRun(concurrency() + 10, result(caller));
            assertThat(runs).hasValue(10);
            return;
        }
        assertThat(failure(caller)).isInstanceOf(InterruptedException.class);
        assertThat(caller.wasFlagged()).isFalse();
        for (Gate place : places) {
            await(place.interrupted());
        }
        open(places); // the tasks behind it were cancelled before
        executor.shutdown();
        assertTerminates();
        assertThat(runs).hasValue(0);
    }

    // ---------------------------------------------------------------- time limits

    @ParameterizedTest(name = "{0} ms")
    @ValueSource(longs = {20, 0, -1, Long.MIN_VALUE})
    void invokeAll_limitPasses_cancelsWhatIsNotDone(long limit) throws Exception {
        if (limit == Long.MIN_VALUE) {
            unless(Trait.INVOKE_ALL_OVERFLOWS);
        }
        List<Gate> places = occupy();
        List<Callable<Integer>> tasks = List.of(runs::incrementAndGet, runs::incrementAndGet);
        long start = System.nanoTime();

        List<Future<Integer>> futures = executor.invokeAll(tasks, limit, MILLISECONDS);

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(MILLISECONDS.toNanos(Math.max(0, limit)));
        assertThat(futures).hasSize(2);
        futures.forEach(ServiceContract::assertCancelled);
        open(places);
        executor.shutdown();
        assertTerminates();
        assertThat(runs).hasValue(0);
        assertThat(places).noneMatch(Gate::wasInterrupted);
    }

    @Test
    void invokeAll_limitPasses_interruptsWhatRuns() throws Exception {
        Gate gate = gate();
        Gate unopened = gate();
        List<Callable<String>> tasks = List.of(() -> "quick", Tasks.through(gate), Tasks.through(unopened));

        List<Future<String>> futures = executor.invokeAll(tasks, 30, MILLISECONDS);

        assertThat(futures).hasSize(3).allMatch(Future::isDone);
        if (!futures.get(0).isCancelled()) { // a slow machine may be too late
            assertThat(futures.get(0).get()).isEqualTo("quick");
        }
        assertCancelled(futures.get(1));
        assertCancelled(futures.get(2));
        executor.shutdown();
        assertTerminates();
        assertThat(gate.wasInterrupted()).isEqualTo(gate.wasEntered());
    }

    @Test
    void invokeAll_hugeLimit_doesNotOverflow() throws Exception {
        List<Callable<String>> tasks = List.of(() -> "a", () -> "b");

        List<Future<String>> futures = executor.invokeAll(tasks, Long.MAX_VALUE, SECONDS);

        assertThat(futures.get(0).get()).isEqualTo("a");
        assertThat(futures.get(1).get()).isEqualTo("b");
    }
}
