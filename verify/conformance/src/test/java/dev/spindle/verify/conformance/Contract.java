// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;

/**
 * The tests of one topic, for any kind of executor. Each test has an executor of its own. After the test all executors
 * that it made are ended; one that does not end fails the test.
 */
@Timeout(60)
abstract class Contract<E extends Executor> {
    final E executor;
    private final Subject<? extends E> subject;
    private final List<ExecutorService> owned = new ArrayList<>();
    private final List<Gate> gates = new ArrayList<>();

    Contract(Subject<? extends E> subject) {
        this.subject = subject;
        executor = newExecutor();
    }

    /** Returns another executor of the kind. */
    final E newExecutor() {
        return subject.make(owned::add);
    }

    @AfterEach
    final void endAll() throws InterruptedException {
        boolean unused = Thread.interrupted(); // left by a test that failed
        owned.forEach(ExecutorService::shutdownNow);
        gates.forEach(Gate::open);
        for (ExecutorService made : owned) {
            if (!made.awaitTermination(timeout(), NANOSECONDS)) {
                throw new AssertionError(made + " did not end");
            }
        }
        owned.clear();
        gates.clear();
    }

    // ---------------------------------------------------------------- the subject

    final boolean has(Trait trait) {
        return subject.has(trait);
    }

    /** Aborts the test, visibly, if the subject has {@code trait}. */
    final void unless(Trait trait) {
        if (has(trait)) {
            Assumptions.abort(subject + " has the trait " + trait);
        }
    }

    final int concurrency() {
        return subject.concurrency();
    }

    // ---------------------------------------------------------------- tasks

    final Gate gate() {
        return gate(false);
    }

    /** Returns a gate that stays closed until it is opened or the test ends. */
    final Gate gate(boolean stubborn) {
        Gate gate = new Gate(stubborn);
        gates.add(gate);
        return gate;
    }

    /** Takes all places of {@link #executor}, so that later tasks wait. */
    final List<Gate> occupy() throws Exception {
        return occupy(executor, false);
    }

    /** Takes all places of {@code target}, with gates that ignore interrupts or not. */
    final List<Gate> occupy(Executor target, boolean stubborn) throws Exception {
        List<Gate> places = new ArrayList<>();
        for (int i = 0; i < concurrency(); i++) {
            Gate gate = gate(stubborn);
            places.add(gate);
            target.execute(gate);
        }
        for (Gate gate : places) {
            await(gate.entered());
        }
        return places;
    }

    static void open(List<Gate> places) {
        places.forEach(Gate::open);
    }

    /** Makes a call on a new thread. */
    static <T extends @Nullable Object> Caller<T> call(Callable<T> body) {
        return Caller.start(body);
    }

    // ---------------------------------------------------------------- waiting

    /** Returns the nanoseconds after which an event that must come counts as missing. */
    final long timeout() {
        return subject.timeout().toNanos();
    }

    final void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(timeout(), NANOSECONDS)) {
            throw new AssertionError("not reached within " + subject.timeout() + ": " + latch);
        }
    }

    final <T extends @Nullable Object> T result(Future<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(timeout(), NANOSECONDS);
    }

    final <T extends @Nullable Object> T result(Caller<T> caller)
            throws InterruptedException, ExecutionException, TimeoutException {
        return result(caller.outcome());
    }

    /** Returns the throwable of the call. */
    final Throwable failure(Caller<?> caller) throws InterruptedException, TimeoutException {
        try {
            throw new AssertionError("the call returned, with " + result(caller));
        } catch (ExecutionException e) {
            Throwable thrown = e.getCause();
            return thrown == null ? e : thrown;
        }
    }

    /** Waits until the caller sleeps in its call. */
    final void untilWaiting(Caller<?> caller) {
        until(() -> caller.isWaiting() || caller.outcome().isDone());
    }

    final void until(BooleanSupplier condition) {
        long end = System.nanoTime() + timeout();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("condition did not come true within " + subject.timeout());
            }
            LockSupport.parkNanos(100_000);
        }
    }
}
