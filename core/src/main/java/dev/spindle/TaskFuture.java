// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Interrupts;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.WaitGraph;
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
class TaskFuture<T extends @Nullable Object> extends CompletableFuture<T>
        implements RunnableFuture<T>, CancellableEntry {
    /*
     * `runner` keeps an interrupt for the turn that it is meant for:
     *   null -> the thread that runs -> ENDED                       (no cancel(true) in between)
     *   null -> the thread that runs -> INTERRUPTING -> ENDED       (cancel(true))
     * The worker that finds INTERRUPTING waits until the interrupt has been sent and clears it.
     *
     * A future that is done keeps nothing but its result (U3): whoever completes it lets go of the task, of where it
     * ran and of the pool. Who reads one of these fields takes it to a local first; null means that the future is done.
     *
     * Tests: InterruptContractTest, RetentionContractTest; jcstress CancelAgainstRun.
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

    private @Nullable LaneHandle lane;
    private @Nullable Object user;
    private @Nullable T result;
    private volatile @Nullable Object runner;
    private @Nullable Pool pool;

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

    /** Returns the user's own object, which may carry a key; null if this is done. */
    final @Nullable Object user() {
        return user;
    }

    /** Returns what runs the task; null if this is done. */
    final @Nullable Pool pool() {
        return pool;
    }

    /** Returns where the task runs, or null for a plain task, or if this is done. */
    final @Nullable LaneHandle lane() {
        return lane;
    }

    @Override
    public void run() {
        if (isDone()) {
            ended(); // in whatever way
            return;
        }
        if (!RUNNER.compareAndSet(this, null, Thread.currentThread())) {
            return;
        }
        try {
            work();
        } catch (Throwable t) {
            failWith(t);
        } finally {
            endInterrupts();
        }
        afterRun();
    }

    /** Fails with what the task threw, which means nothing else where it is an exception with a meaning for futures. */
    private void failWith(Throwable thrown) {
        WorkerContext.clearInterruptOfWorker();
        boolean hasMeaning = thrown instanceof CancellationException || thrown instanceof CompletionException;
        completeExceptionally(hasMeaning ? new CompletionException(thrown) : thrown);
    }

    @Override
    public boolean complete(T value) {
        return endedIf(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return endedIf(super.completeExceptionally(failure));
    }

    private boolean endedIf(boolean completed) {
        if (completed) {
            ended();
        }
        return completed;
    }

    /** Lets go of all that a future does not need any more when it is done. May be called more than once. */
    void ended() {
        lane = null;
        user = null;
        result = null;
        pool = null;
    }

    /** Called when a run has ended and the task may run again. */
    void afterRun() {}

    /** Does the user's work once. */
    void work() throws Exception {
        T value = call();
        WorkerContext.clearInterruptOfWorker(); // callbacks of the future come next
        complete(value);
    }

    @SuppressWarnings("unchecked")
    final @Nullable T call() throws Exception {
        T value = result;
        Object task = user;
        if (task instanceof Callable<?> callable) {
            return (T) callable.call();
        }
        if (task != null) { // else it was cancelled just now
            ((Runnable) task).run();
        }
        return value;
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
            Throwable failure = Interrupts.send(thread);
            runner = ENDED;
            Interrupts.report(failure);
        }
        return endedIf(cancelled);
    }

    @Override
    public Runnable userTask() {
        return user instanceof Runnable runnable ? runnable : this;
    }

    @Override
    public Object origin() {
        Object task = user;
        return task == null ? this : task;
    }

    @Override
    public void withdrawn() {
        cancel(false);
    }

    @Override
    public final boolean hasFuture() {
        return true;
    }

    @Override
    public final boolean fail(Throwable thrown) {
        completeExceptionally(thrown);
        return true;
    }

    /** Cancels this task because a newer submission took its place. */
    void supersede() {
        completeExceptionally(new CancellationException("superseded by a newer submission of the same key"));
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        WorkerContext waiter = beginWait();
        try {
            await(waiter, Long.MAX_VALUE);
            return super.get();
        } finally {
            endWait(waiter);
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        WorkerContext waiter = beginWait();
        try {
            return super.get(await(waiter, unit.toNanos(timeout)), TimeUnit.NANOSECONDS);
        } finally {
            endWait(waiter);
        }
    }

    @Override
    public T join() {
        WorkerContext waiter = beginWait();
        try {
            await(waiter, Long.MAX_VALUE);
            return super.join();
        } finally {
            endWait(waiter);
        }
    }

    /** Returns for how long the wait still lasts. */
    private long await(@Nullable WorkerContext waiter, long nanos) {
        Pool by = pool;
        if (by == null || isDone()) {
            return nanos;
        }
        TaskService.Done done = new TaskService.Done(this);
        if (waiter == null) {
            by.stayAwake(done, nanos);
        }
        return by.await(done, nanos);
    }

    /** Begins a wait: on a worker, refuses one that can never end, and has the pool replace the worker meanwhile. */
    private @Nullable WorkerContext beginWait() {
        WorkerContext waiter = isDone() ? null : WorkerContext.current();
        if (waiter == null) {
            return null;
        }
        LaneHandle handle = lane;
        LaneCore target = handle == null ? null : handle.existing();
        if (!isDone()) {
            WaitGraph.begin(waiter, target, this);
        }
        waiter.beginBlocking();
        return waiter;
    }

    private static void endWait(@Nullable WorkerContext waiter) {
        if (waiter != null) {
            WaitGraph.end(waiter);
            waiter.endBlocking();
        }
    }

    @Override
    public String toString() {
        Object task = user;
        LaneHandle handle = lane;
        return super.toString() + (task == null ? "" : "[task " + task + (handle == null ? "" : " of " + handle) + "]");
    }
}
