// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.CallersSimulation;
import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Interrupts;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WaitParty;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.CoalescingSubmission;
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
import java.util.concurrent.Future;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The future of a submitted task, and the task that completes it. */
@SuppressWarnings("NullAway") // CompletableFuture's type variable cannot express a null result
public class TaskFuture<T extends @Nullable Object> extends CompletableFuture<T>
        implements RunnableFuture<T>, CancellableEntry {
    /*
     * `runner` confines an interrupt to the turn that it is meant for:
     *   null -> the running thread -> ENDED, or null for a task that runs again  (no cancel(true) during the run)
     *   null -> the running thread -> INTERRUPTING -> ENDED                      (cancel(true) during the run)
     *   null -> ENDED                                                            (cancel(true) otherwise)
     * A worker that finds INTERRUPTING waits until the interrupt has been sent, and clears it. The thread that changes
     * the second state decides: if it is the worker, the outcome is that of the task; if it is the caller of
     * cancel(true), this future is cancelled, by either thread. So the interrupt precedes the dependents of this future
     * and reaches none of them.
     *
     * A future that is done keeps only its result (U3): the thread that completes it clears its references to the task,
     * the lane and the pool. A reader of these fields first copies one to a local variable; null means that the future
     * is done.
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
     * @param pool the pool that will run the task
     * @param lane the lane of the task, or null for a plain task
     * @param user the user's {@code Callable} or {@code Runnable}
     * @param result the result if the task is a {@code Runnable}
     */
    public TaskFuture(Pool pool, @Nullable LaneHandle lane, Object user, @Nullable T result) {
        this.pool = pool;
        this.lane = lane;
        this.user = Objects.requireNonNull(user, "task");
        this.result = result;
    }

    /** Returns the user's object, which may carry a key, or null if this is done. */
    public final @Nullable Object user() {
        return user;
    }

    /** Returns the pool that runs the task, or null if this is done. */
    final @Nullable Pool pool() {
        return pool;
    }

    /** Returns the lane of the task, or null for a plain task or if this is done. */
    public final @Nullable LaneHandle lane() {
        return lane;
    }

    /**
     * Returns the lane or thread that must act before this future can complete; null if this is done, or if that party
     * is not known.
     */
    @Nullable
    Object party() {
        LaneHandle handle = lane;
        return handle != null ? handle.known() : runner instanceof Thread thread ? thread : null;
    }

    @Override
    public void run() {
        Throwable unused = runOnce();
    }

    /** Runs the task, completes this, and returns what the task threw, or null if it did not throw or was cancelled. */
    final @Nullable Throwable runOnce() {
        if (isDone()) {
            ended(); // completed from outside
            return null;
        }
        if (!RUNNER.compareAndSet(this, null, Thread.currentThread())) { // S1
            return null;
        }
        Object result = null;
        Throwable thrown = null;
        try {
            result = work();
        } catch (Throwable t) {
            thrown = t;
        }
        boolean mine = endInterrupts();
        WorkerContext.clearInterruptOfWorker(); // callbacks of the future run next
        if (!mine) {
            cancelled(result);
        } else if (thrown != null) {
            failWith(thrown);
        } else {
            try {
                worked(result);
            } catch (Throwable t) {
                thrown = t;
                failWith(t);
            }
        }
        afterRun();
        return mine ? thrown : null;
    }

    /** Fails with the task's throwable. It is wrapped if {@code CompletableFuture} gives its type a special meaning. */
    private void failWith(Throwable thrown) {
        noteFailure(thrown);
        boolean hasMeaning = thrown instanceof CancellationException || thrown instanceof CompletionException;
        completeExceptionally(hasMeaning ? new CompletionException(thrown) : thrown);
    }

    /** Returns the number of the library's own stages that depend on this. */
    int ownDependents() {
        return 0;
    }

    /** Reports a failure to a simulation before the future completes with it. */
    void noteFailure(Throwable thrown) {
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

    /** Completes this without a check of the stack, which the caller has made. */
    final void finish(T value) {
        boolean unused = endedIf(super.complete(value));
    }

    /** Completes this with a failure, without a check of the stack, which the caller has made. */
    final void finishExceptionally(Throwable failure) {
        boolean unused = endedIf(super.completeExceptionally(failure));
    }

    private boolean endedIf(boolean completed) {
        if (completed) {
            ended();
        }
        return completed;
    }

    /** Clears the references that a future does not need once it is done. May be called more than once. */
    void ended() {
        lane = null;
        user = null; // U3
        result = null;
        pool = null;
    }

    /** Called at the end of each run. */
    void afterRun() {}

    /** Runs the user's task once and returns its result. */
    @Nullable
    Object work() throws Exception {
        return call();
    }

    /** Processes the result of {@link #work}. No further interrupt arrives. */
    @SuppressWarnings("unchecked")
    void worked(@Nullable Object given) {
        if (given instanceof CompletableFuture<?>) { // a class: a failing check of the interface takes long (TaskKeys)
            FailureReport.stageReturned(user, lane);
        }
        finish((T) given);
    }

    /** Called instead of {@link #worked} if a thread has interrupted the run and is cancelling this future. */
    void cancelled(@Nullable Object given) {
        boolean unused = cancel(false);
    }

    /** Returns true if this may run more than once. */
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
        if (task != null) { // null if this future was cancelled concurrently
            ((Runnable) task).run();
        }
        return value;
    }

    /**
     * Ends a run. Returns false if {@code cancel(true)} came before the end; its interrupt has been sent, and was
     * cleared here.
     */
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

    /** Cancels this. The interrupt comes before the completion, since dependents may take long. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        Headroom.require();
        if (mayInterruptIfRunning && !isDone()) {
            preventRun();
        }
        return endedIf(super.cancel(mayInterruptIfRunning));
    }

    /** Interrupts the run or, if none has begun, prevents it: a run that began later would not be interrupted. */
    private void preventRun() {
        Object by;
        do {
            if (RUNNER.compareAndSet(this, null, ENDED)) {
                return;
            }
            interruptRun();
            by = runner;
        } while (by == null || by instanceof Thread);
    }

    /** Interrupts the run, if any, which then ends as cancelled. */
    void interruptRun() {
        if (runner instanceof Thread thread && RUNNER.compareAndSet(this, thread, INTERRUPTING)) { // F2
            Throwable failure = null;
            try {
                failure = Interrupts.send(thread);
            } finally {
                runner = ENDED; // otherwise the worker would wait without end
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

    /** Cancels this task because a newer submission replaces it. */
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
                throw new TimeoutException(); // not done in time
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

    /** Creates a dependent stage, which observes a failure of this future. */
    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        CallersSimulation.failureSeen(this);
        return super.newIncompleteFuture();
    }

    /** Returns a coalescing submission that runs {@code carried}, and cancels this future if it is superseded. */
    public final CoalescingSubmission submission(Runnable carried) {
        return Submission.of(this, carried);
    }

    /** Waits by means of the pool, and returns the remaining time. */
    private long await(@Nullable WorkerContext waiter, long nanos, boolean interruptible) {
        Pool by = pool;
        if (by == null || isDone()) {
            return nanos;
        }
        Done done = new Done(this);
        if (waiter == null) {
            by.stayAwake(done, nanos);
        }
        return by.await(done, nanos, interruptible);
    }

    /** Begins a wait. On a worker, it throws if the wait could never end, and lets the pool replace the worker. */
    private @Nullable WorkerContext beginWait(boolean limited) {
        WorkerContext waiter = isDone() ? null : WorkerContext.current();
        if (waiter == null) {
            return null;
        }
        Headroom.require();
        LaneCore target = existingLane();
        if (!isDone()) {
            WaitGraph.begin(waiter, target, this, limited);
        }
        waiter.beginBlocking(); // T2
        return waiter;
    }

    /**
     * Returns the lane that will run the task or runs it; null for a plain task, without a lane, or if this is done.
     */
    @Nullable
    LaneCore existingLane() {
        LaneHandle handle = lane;
        return handle == null ? null : handle.existing();
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

    /**
     * The condition that a future is done. A class and not a lambda, whose linkage would delay the first wait in a JVM.
     */
    public record Done(Future<?> future) implements WaitParty {
        @Override
        public boolean getAsBoolean() {
            return future.isDone();
        }

        @Override
        public @Nullable Object party() {
            return future instanceof TaskFuture<?> task ? task.party() : null;
        }
    }

    /** A submission whose task has a future. */
    private static final class Submission implements CoalescingSubmission, CancellableEntry.Wrapper {
        private final TaskFuture<?> future;
        private final Runnable carried;
        private volatile long count;

        private Submission(TaskFuture<?> future, Runnable carried) {
            this.future = future;
            this.carried = carried;
        }

        /** Creates a submission. The return type lets the verifier check the caller without loading this class. */
        static CoalescingSubmission of(TaskFuture<?> future, Runnable carried) {
            return new Submission(future, carried);
        }

        @Override
        public void run() {
            carried.run();
        }

        @Override
        public void superseded() {
            future.supersede();
        }

        @Override
        public void setCount(long replaced) {
            count = replaced;
        }

        @Override
        public long count() {
            return count;
        }

        @Override
        public Runnable inner() {
            return future;
        }
    }
}
