// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Accepted;
import dev.spindle.internal.LaneCore;
import dev.spindle.internal.Pool;
import dev.spindle.internal.Runner;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The future of a submitted task, and the task that completes it. */
@SuppressWarnings("NullAway") // CompletableFuture's type variable cannot say that a task may give null
class TaskFuture<T extends @Nullable Object> extends CompletableFuture<T> implements RunnableFuture<T>, Accepted {
    /*
     * `runner` keeps an interrupt for the turn that it is meant for:
     *   null -> the thread that runs -> ENDED                       (no cancel(true) in between)
     *   null -> the thread that runs -> INTERRUPTING -> ENDED       (cancel(true))
     * The runner that finds INTERRUPTING waits until the interrupt has been sent and clears it.
     *
     * Tests: InterruptContractTest; jcstress CancelAgainstRun.
     */
    private static final Object INTERRUPTING = new Object();
    private static final Object ENDED = new Object();
    private static final VarHandle RUNNER;

    static {
        try {
            RUNNER = MethodHandles.lookup().findVarHandle(TaskFuture.class, "runner", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable LaneHandle lane;
    private final Object user;
    private final @Nullable T result;
    private volatile @Nullable Object runner;
    final Pool pool;

    /**
     * Creates a future.
     *
     * @param pool what will run the task
     * @param lane where the task will run, or null for a plain task
     * @param user the user's {@code Callable} or {@code Runnable}
     * @param result what a {@code Runnable} gives
     */
    TaskFuture(Pool pool, @Nullable LaneHandle lane, Object user, @Nullable T result) {
        this.pool = pool;
        this.lane = lane;
        this.user = Objects.requireNonNull(user, "task");
        this.result = result;
    }

    /** Returns the user's own object, which may carry a key. */
    final Object user() {
        return user;
    }

    /** Returns where the task runs, or null for a plain task. */
    final @Nullable LaneHandle lane() {
        return lane;
    }

    @Override
    public void run() {
        if (isDone() || !RUNNER.compareAndSet(this, null, Thread.currentThread())) {
            return;
        }
        try {
            work();
        } catch (Throwable t) {
            fail(t);
        } finally {
            endInterrupts();
        }
        afterRun();
    }

    /** Fails with what the task threw, which means nothing else where it is an exception with a meaning for futures. */
    private void fail(Throwable thrown) {
        boolean hasMeaning = thrown instanceof CancellationException || thrown instanceof CompletionException;
        completeExceptionally(hasMeaning ? new CompletionException(thrown) : thrown);
    }

    /** Called when a run has ended and the task may run again. */
    void afterRun() {}

    /** Does the user's work once. */
    void work() throws Exception {
        complete(call());
    }

    @SuppressWarnings("unchecked")
    final @Nullable T call() throws Exception {
        if (user instanceof Callable<?> callable) {
            return (T) callable.call();
        }
        ((Runnable) user).run();
        return result;
    }

    /** Makes ready for another run, or for none if {@link #isDone}. */
    final void endInterrupts() {
        if (!RUNNER.compareAndSet(this, Thread.currentThread(), isDone() ? ENDED : null)) {
            while (runner == INTERRUPTING) {
                Thread.yield();
            }
            Thread.interrupted();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled
                && mayInterruptIfRunning
                && runner instanceof Thread thread
                && RUNNER.compareAndSet(this, thread, INTERRUPTING)) {
            thread.interrupt();
            runner = ENDED;
        }
        return cancelled;
    }

    @Override
    public Runnable userTask() {
        return user instanceof Runnable runnable ? runnable : this;
    }

    @Override
    public Object origin() {
        return user;
    }

    @Override
    public void withdrawn() {
        cancel(false);
    }

    /** Says that a newer submission took this task's place. */
    void supersede() {
        completeExceptionally(new CancellationException("superseded by a newer submission of the same key"));
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        Runner waiter = beginWait();
        try {
            await(waiter, Long.MAX_VALUE);
            return super.get();
        } finally {
            endWait(waiter);
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        Runner waiter = beginWait();
        try {
            return super.get(await(waiter, unit.toNanos(timeout)), TimeUnit.NANOSECONDS);
        } finally {
            endWait(waiter);
        }
    }

    @Override
    public T join() {
        Runner waiter = beginWait();
        try {
            await(waiter, Long.MAX_VALUE);
            return super.join();
        } finally {
            endWait(waiter);
        }
    }

    /** Returns for how long the wait still lasts. */
    private long await(@Nullable Runner waiter, long nanos) {
        if (isDone()) {
            return nanos;
        }
        if (waiter == null) {
            pool.stayAwake(this::isDone, nanos);
        }
        return pool.await(this::isDone, nanos);
    }

    /** Begins a wait: on a worker, refuses one that can never end, and has the pool replace the worker meanwhile. */
    private @Nullable Runner beginWait() {
        Runner waiter = isDone() ? null : Runner.current();
        if (waiter == null) {
            return null;
        }
        LaneCore target = lane == null ? null : lane.existing();
        if (target != null && !isDone()) {
            waiter.beginWait(target, this);
        }
        waiter.beginBlocking();
        return waiter;
    }

    private static void endWait(@Nullable Runner waiter) {
        if (waiter != null) {
            waiter.endWait();
            waiter.endBlocking();
        }
    }

    @Override
    public String toString() {
        return super.toString() + "[task " + user + (lane == null ? "" : " of " + lane) + "]";
    }
}
