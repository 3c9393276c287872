// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.CallersSimulation;
import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Headroom;
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
import java.util.concurrent.Executor;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The future of a submitted task, and the task that completes it. */
@SuppressWarnings("NullAway") // CompletableFuture's type variable cannot say that a task may give null
class TaskFuture<T extends @Nullable Object> extends CompletableFuture<T>
        implements RunnableFuture<T>, CancellableEntry {
    /*
     * `runner` keeps an interrupt for the turn that it is meant for:
     *   null -> the thread that runs -> ENDED, or null for one that runs again      (no cancel(true) in between)
     *   null -> the thread that runs -> INTERRUPTING -> ENDED                       (cancel(true) of one that runs)
     *   null -> ENDED                                                               (cancel(true) of any other)
     * The worker that finds INTERRUPTING waits until the interrupt has been sent and clears it. Who leaves the second
     * state decides: the worker, then the outcome is the task's; or cancel(true), then this is cancelled, by the one or
     * the other. So the interrupt comes before what depends on this is run, and hits none of that.
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

    /** Returns what has to act for this to complete, a lane or a thread, or null if it is done or not known. */
    final @Nullable Object party() {
        LaneHandle handle = lane;
        return handle != null ? handle.known() : runner instanceof Thread thread ? thread : null;
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
        Object result = null;
        Throwable thrown = null;
        try {
            result = work();
        } catch (Throwable t) {
            thrown = t;
        }
        boolean mine = endInterrupts();
        WorkerContext.clearInterruptOfWorker(); // callbacks of the future come next
        if (!mine) {
            cancelled(result);
        } else if (thrown != null) {
            failWith(thrown);
        } else {
            try {
                worked(result);
            } catch (Throwable t) {
                failWith(t);
            }
        }
        afterRun();
    }

    /** Fails with what the task threw, which means nothing else where it is an exception with a meaning for futures. */
    private void failWith(Throwable thrown) {
        noteFailure(thrown);
        boolean hasMeaning = thrown instanceof CancellationException || thrown instanceof CompletionException;
        completeExceptionally(hasMeaning ? new CompletionException(thrown) : thrown);
    }

    /** Returns how many stages of the library's own depend on this. */
    int ownDependents() {
        return 0;
    }

    /** Has a simulation see what the future is about to fail with. */
    final void noteFailure(Throwable thrown) {
        Pool by = pool;
        if (by != null) {
            by.futureFails(this, thrown, getNumberOfDependents() > ownDependents());
        }
    }

    @Override
    public boolean complete(T value) {
        Headroom.require();
        return endedIf(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        Headroom.require();
        return endedIf(super.completeExceptionally(failure));
    }

    /** Completes this for a caller that has proven the stack for it, and what failed here would be lost. */
    final void finish(T value) {
        boolean unused = endedIf(super.complete(value));
    }

    /** The same with a failure. */
    final void finishExceptionally(Throwable failure) {
        boolean unused = endedIf(super.completeExceptionally(failure));
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

    /** Does the user's work once, and returns what it gives. */
    @Nullable
    Object work() throws Exception {
        return call();
    }

    /** Goes on with what {@link #work} has returned: no interrupt comes any more. */
    @SuppressWarnings("unchecked")
    void worked(@Nullable Object given) {
        finish((T) given);
    }

    /** Called after {@link #work} instead if a thread has interrupted it to cancel this, or is about to cancel it. */
    void cancelled(@Nullable Object given) {
        boolean unused = cancel(false);
    }

    /** Returns whether this may run more than once. */
    boolean runsAgain() {
        return false;
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

    /** Ends a run; false if {@code cancel(true)} has decided about it before, and its interrupt is over. */
    private boolean endInterrupts() {
        if (RUNNER.compareAndSet(this, Thread.currentThread(), runsAgain() ? null : ENDED)) {
            return true;
        }
        while (runner == INTERRUPTING) {
            Thread.yield();
        }
        Thread.interrupted();
        return false;
    }

    /** Interrupts before it completes this, since what depends on this may take its time. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        Headroom.require();
        if (mayInterruptIfRunning && !isDone()) {
            preventRun();
        }
        return endedIf(super.cancel(mayInterruptIfRunning));
    }

    /** Interrupts the run, or sees to it that none begins any more: one that began now would not be interrupted. */
    private void preventRun() {
        Object by;
        do {
            if (RUNNER.compareAndSet(this, (Thread) null, ENDED)) { // of a type that is linked already
                return;
            }
            interruptRun();
            by = runner;
        } while (by == null || by instanceof Thread);
    }

    /** Interrupts the run, if there is one, which then ends as a cancelled one. */
    void interruptRun() {
        if (runner instanceof Thread thread && RUNNER.compareAndSet(this, thread, INTERRUPTING)) {
            Throwable failure = null;
            try {
                failure = Interrupts.send(thread);
            } finally {
                runner = ENDED; // or its worker would wait
            }
            Interrupts.report(failure);
        }
    }

    @Override
    public void obtrudeValue(T value) {
        Headroom.require();
        super.obtrudeValue(value);
        ended();
    }

    @Override
    public void obtrudeException(Throwable failure) {
        Headroom.require();
        super.obtrudeException(failure);
        ended();
    }

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        CompletableFuture<T> unused = whenComplete((value, failure) -> ended());
        return super.completeAsync(supplier, executor);
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
        WorkerContext waiter = beginWait(false);
        try {
            long unused = await(waiter, Long.MAX_VALUE, true);
            return super.get();
        } catch (ExecutionException e) {
            CallersSimulation.failureSeen(this);
            throw e;
        } finally {
            endWait(waiter);
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        WorkerContext waiter = beginWait(true);
        try {
            long left = await(waiter, unit.toNanos(timeout), true);
            if (left < 0 && timeout > 0) {
                throw new TimeoutException(); // it was done later, if at all
            }
            return super.get(left, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            CallersSimulation.failureSeen(this);
            throw e;
        } finally {
            endWait(waiter);
        }
    }

    @Override
    public T join() {
        WorkerContext waiter = beginWait(false);
        try {
            long unused = await(waiter, Long.MAX_VALUE, false);
            return super.join();
        } catch (CompletionException e) {
            CallersSimulation.failureSeen(this);
            throw e;
        } finally {
            endWait(waiter);
        }
    }

    @Override
    public boolean isCompletedExceptionally() {
        boolean failed = super.isCompletedExceptionally();
        if (failed) {
            CallersSimulation.failureSeen(this);
        }
        return failed;
    }

    /** Called for each stage that depends on this. */
    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        CallersSimulation.failureSeen(this);
        return super.newIncompleteFuture();
    }

    /** Returns for how long the wait still lasts. */
    private long await(@Nullable WorkerContext waiter, long nanos, boolean interruptible) {
        Pool by = pool;
        if (by == null || isDone()) {
            return nanos;
        }
        TaskService.Done done = new TaskService.Done(this);
        if (waiter == null) {
            by.stayAwake(done, nanos);
        }
        return by.await(done, nanos, interruptible);
    }

    /** Begins a wait: on a worker, refuses one that can never end, and has the pool replace the worker meanwhile. */
    private @Nullable WorkerContext beginWait(boolean limited) {
        WorkerContext waiter = isDone() ? null : WorkerContext.current();
        if (waiter == null) {
            return null;
        }
        Headroom.require();
        LaneHandle handle = lane;
        LaneCore target = handle == null ? null : handle.existing();
        if (!isDone()) {
            WaitGraph.begin(waiter, target, this, limited);
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
