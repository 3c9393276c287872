// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Future}: its states, its waits and its cancellation, before, while and after its task runs. */
abstract class FutureContract extends ServiceContract<ExecutorService> {
    private final AtomicInteger runs = new AtomicInteger();

    FutureContract(Subject<? extends ExecutorService> subject) {
        super(subject);
    }

    private static <T> Caller<T> waiter(Future<T> future, boolean timed) {
        return call(() -> timed ? future.get(60, SECONDS) : future.get());
    }

    // ---------------------------------------------------------------- states and waits

    @Test
    void future_ofATaskThatWaits_isNotDone() throws Exception {
        List<Gate> places = occupy();
        Future<String> future = executor.submit(() -> "result");

        assertPending(future);

        open(places);
        assertThat(result(future)).isEqualTo("result");
    }

    @Test
    void future_ofATaskThatRuns_isNotDone() throws Exception {
        Gate gate = gate();
        Future<String> future = executor.submit(gate, "result");
        await(gate.entered());

        assertPending(future);

        gate.open();
        assertThat(result(future)).isEqualTo("result");
        assertThat(gate.wasInterrupted()).isFalse();
    }

    @Test
    void future_ofATaskThatHasEnded_givesTheSameAgain() throws Exception {
        Object value = new Object();
        Callable<Object> task = () -> value;
        Future<Object> future = executor.submit(task);

        assertThat(result(future)).isSameAs(value);
        assertThat(future.isDone()).isTrue();
        assertThat(future.isCancelled()).isFalse();
        assertThat(future.get()).isSameAs(value);
        assertThat(future.get(0, SECONDS)).isSameAs(value);
        assertThat(future.get(-1, SECONDS)).isSameAs(value);
    }

    @Test
    void get_byManyThreads_givesAllTheResult() throws Exception {
        Gate gate = gate();
        Future<String> future = executor.submit(gate, "result");
        List<Caller<String>> waiters = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            waiters.add(waiter(future, i % 2 == 0));
        }
        waiters.forEach(this::untilWaiting);

        gate.open();

        for (Caller<String> waiter : waiters) {
            assertThat(result(waiter)).isEqualTo("result");
        }
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void get_interrupted_throwsAndLeavesTheTaskAlone(boolean timed) throws Exception {
        Gate gate = gate();
        Future<String> future = executor.submit(gate, "result");
        await(gate.entered());
        Caller<String> waiter = waiter(future, timed);
        untilWaiting(waiter);

        waiter.interrupt();

        assertThat(failure(waiter)).isInstanceOf(InterruptedException.class);
        assertThat(waiter.wasFlagged()).isFalse();
        assertThat(future.isDone()).isFalse();
        gate.open();
        assertThat(result(future)).isEqualTo("result");
        assertThat(gate.wasInterrupted()).isFalse();
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void get_byAThreadThatIsInterruptedAlready_throws(boolean timed) throws Exception {
        Gate gate = gate();
        Future<String> future = executor.submit(gate, "result");
        Caller<String> waiter = call(() -> {
            Thread.currentThread().interrupt();
            return timed ? future.get(60, SECONDS) : future.get();
        });

        assertThat(failure(waiter)).isInstanceOf(InterruptedException.class);
        assertThat(waiter.wasFlagged()).isFalse();
    }

    // ---------------------------------------------------------------- cancel

    @ParameterizedTest(name = "may interrupt: {0}")
    @ValueSource(booleans = {false, true})
    void cancel_taskThatWaits_neverRuns(boolean mayInterrupt) throws Exception {
        List<Gate> places = occupy();
        Future<Integer> future = executor.submit(runs::incrementAndGet);
        Future<String> other = executor.submit(() -> "other");

        assertThat(future.cancel(mayInterrupt)).isTrue();

        assertCancelled(future);
        assertThat(other.isDone()).isFalse();
        open(places);
        assertThat(result(other)).isEqualTo("other");
        executor.shutdown();
        assertTerminates();
        assertThat(runs).hasValue(0);
        assertThat(places).noneMatch(Gate::wasInterrupted);
    }

    @Test
    void cancel_taskThatRuns_goesOnWithoutItsFuture() throws Exception {
        Gate gate = gate();
        Future<String> future = executor.submit(gate, "result");
        await(gate.entered());

        assertThat(future.cancel(false)).isTrue();

        assertCancelled(future);
        executor.shutdown();
        assertStillEnding();
        gate.open();
        await(gate.left());
        assertTerminates();
        assertThat(gate.wasInterrupted()).isFalse();
        assertCancelled(future);
    }

    @Test
    void cancelTrue_taskThatRuns_isInterrupted() throws Exception {
        Gate gate = gate();
        Gate other = gate();
        Future<String> future = executor.submit(gate, "result");
        await(gate.entered());
        if (concurrency() > 1) {
            executor.execute(other);
            await(other.entered());
        }

        assertThat(future.cancel(true)).isTrue();

        assertCancelled(future);
        if (has(Trait.CANCEL_NEVER_INTERRUPTS)) {
            gate.open();
        }
        await(gate.left());
        assertThat(gate.wasInterrupted()).isEqualTo(!has(Trait.CANCEL_NEVER_INTERRUPTS));
        assertThat(other.wasInterrupted()).isFalse();
    }

    @ParameterizedTest(name = "may interrupt: {0}")
    @ValueSource(booleans = {false, true})
    void cancel_taskThatHasEnded_changesNothing(boolean mayInterrupt) throws Exception {
        Exception failure = new Exception("expected");
        Future<String> good = executor.submit(() -> "result");
        Future<String> bad = executor.submit(Tasks.throwing(failure));
        assertThat(result(good)).isEqualTo("result");
        assertFailed(bad, failure);

        assertThat(good.cancel(mayInterrupt)).isFalse();
        assertThat(bad.cancel(mayInterrupt)).isFalse();

        assertThat(good.isDone()).isTrue();
        assertThat(good.isCancelled()).isFalse();
        assertThat(result(good)).isEqualTo("result");
        assertFailed(bad, failure);
    }

    @Test
    void cancel_again_staysCancelled() throws Exception {
        List<Gate> places = occupy();
        Future<Integer> future = executor.submit(runs::incrementAndGet);
        assertThat(future.cancel(false)).isTrue();

        future.cancel(true); // may succeed or not
        future.cancel(false);

        assertCancelled(future);
        open(places);
        assertThat(result(executor.submit(() -> "next"))).isEqualTo("next");
        assertCancelled(future);
        assertThat(places).noneMatch(Gate::wasInterrupted);
    }

    @ParameterizedTest(name = "with a limit: {0}")
    @ValueSource(booleans = {false, true})
    void cancel_whileOthersWaitInGet_wakesThem(boolean timed) throws Exception {
        List<Gate> places = occupy();
        Future<Integer> future = executor.submit(runs::incrementAndGet);
        List<Caller<Integer>> waiters = List.of(waiter(future, timed), waiter(future, timed));
        waiters.forEach(this::untilWaiting);

        future.cancel(false);

        for (Caller<Integer> waiter : waiters) {
            assertThat(failure(waiter)).isInstanceOf(CancellationException.class);
        }
        open(places);
    }

    @Test
    void cancel_byTheTaskItself_isCancelled() throws Exception {
        CompletableFuture<Future<?>> self = new CompletableFuture<>();
        Future<?> future = executor.submit(() -> {
            boolean done = self.get(60, SECONDS).cancel(false);
            return done ? runs.incrementAndGet() : -1;
        });
        self.complete(future);

        until(() -> runs.get() == 1);
        assertCancelled(future);
        executor.shutdown();
        assertTerminates();
    }

    @Test
    void cancel_racingWithTheRun_eitherWinsAndNobodyWaitsForEver() throws Exception {
        for (int i = 0; i < 500; i++) {
            Future<Integer> future = executor.submit(runs::incrementAndGet);
            boolean cancelled = future.cancel(i % 2 == 0);

            if (cancelled || (has(Trait.REFUSED_CANCELS_TAKE_EFFECT) && future.isCancelled())) {
                assertCancelled(future);
            } else {
                assertThat(result(future)).isPositive();
                assertThat(future.isCancelled()).isFalse();
            }
        }
        executor.shutdown();
        assertTerminates();
    }
}
