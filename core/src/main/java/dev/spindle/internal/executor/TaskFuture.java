// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Interrupts;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.CoalescingSubmission;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.stage.Origin;
import dev.spindle.internal.stage.StageFuture;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RunnableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The future of a submitted task, and the task that completes it. */
@SuppressWarnings("NullAway") // CompletableFuture's type variable cannot express a null result
public class TaskFuture<T extends @Nullable Object> extends StageFuture<T>
        implements RunnableFuture<T>, CancellableEntry {
    /*
     * The field `runner` confines an interrupt to the run that cancel(true) cancels:
     *
     *   value         next value    set by
     *   null          the thread    the thread that begins a run
     *   null          ENDED         cancel(true), if no run has begun
     *   the thread    ENDED         the end of a run without cancel(true); null instead if the task runs again
     *   the thread    INTERRUPTING  cancel(true) during a run
     *   INTERRUPTING  ENDED         the same cancel(true), after it has sent the interrupt
     *
     * A run that finds INTERRUPTING at its end waits for ENDED, clears the interrupt, and ends as cancelled. So the
     * interrupt reaches no dependent of this future.
     *
     * A future that is done keeps only its result (U3), and its origin and key, which later stages need: the thread
     * that completes the future clears the references to the task and the lane. A reader first copies such a field to a
     * local variable, which is null if the future is done.
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
    private final @Nullable Object key;
    private volatile @Nullable Object runner;

    /**
     * Creates a future.
     *
     * @param origin the origin of the task
     * @param lane the lane of the task, or null for a plain task
     * @param user the user's {@code Callable} or {@code Runnable}
     */
    public TaskFuture(Origin origin, @Nullable LaneHandle lane, Object user) {
        super(origin);
        this.lane = lane;
        this.user = Objects.requireNonNull(user, "task");
        key = lane == null ? null : lane.spaceKey;
    }

    /** Creates the future of a task in the lane of {@code key}; null for a strand. */
    TaskFuture(Origin origin, Object user, @Nullable Object key) {
        super(origin);
        this.user = user;
        this.key = key;
    }

    /**
     * Returns the future of {@code task}, which completes with {@code result}. The parameters are those of the
     * constructor.
     */
    public static <T extends @Nullable Object> TaskFuture<T> of(
            Origin origin, @Nullable LaneHandle lane, Object task, @Nullable T result) {
        return result == null ? new TaskFuture<>(origin, lane, task) : OfResult.with(origin, lane, task, result);
    }

    @Override
    protected final @Nullable Object key() {
        return key;
    }

    /** Returns the user's task, or null if this future is done. */
    public final @Nullable Object user() {
        return user;
    }

    /** Returns the lane of the task; null for a plain task, or if this future is done. */
    public final @Nullable LaneHandle lane() {
        return lane;
    }

    /**
     * Returns the lane of this task, or the thread that runs a plain task; null if neither is known. The result is
     * stale if this future is done.
     */
    @Override
    public @Nullable Object party() {
        LaneHandle handle = lane;
        return handle != null ? handle.known() : runner instanceof Thread thread ? thread : null;
    }

    @Override
    public void run() {
        Throwable unused = runOnce();
    }

    /**
     * Runs the task once, and completes this future unless the task runs again. Returns the throwable of the task, or
     * null if the task returned normally, was cancelled, or did not run.
     */
    final @Nullable Throwable runOnce() {
        if (isDone()) {
            ended();
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
        WorkerContext.clearInterruptOfWorker(); // dependents of this future run next
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

    /**
     * Completes this future with the throwable of the task. {@code CompletableFuture} gives a CancellationException or
     * a CompletionException a special meaning, so each of these is wrapped.
     */
    private void failWith(Throwable thrown) {
        noteFailure(thrown);
        boolean hasMeaning = thrown instanceof CancellationException || thrown instanceof CompletionException;
        completeExceptionally(hasMeaning ? new CompletionException(thrown) : thrown);
    }

    /** Returns the number of the library's own stages that depend on this future. */
    int ownDependents() {
        return 0;
    }

    /** Notifies a simulation of a failure of the task, before this future completes. */
    void noteFailure(Throwable thrown) {
        Pool by = pool();
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

    /** Completes this future like {@link #complete}, but without a check of the stack. */
    final void finish(T value) {
        boolean unused = endedIf(super.complete(value));
    }

    /** Completes this future like {@link #completeExceptionally}, but without a check of the stack. */
    final void finishExceptionally(Throwable failure) {
        boolean unused = endedIf(super.completeExceptionally(failure));
    }

    private boolean endedIf(boolean completed) {
        if (completed) {
            ended();
        }
        return completed;
    }

    /** Clears the references that this future no longer needs when it is done. May be called more than once. */
    void ended() {
        lane = null;
        user = null; // U3
        if (!(home instanceof Origin)) { // this test loads no class
            endContinuations();
        }
    }

    /** Called at the end of each run. */
    void afterRun() {}

    /** Runs the user's task once and returns its result. */
    @Nullable
    Object work() throws Exception {
        return call();
    }

    /** Processes the result of {@link #work}. An interrupt of this run can no longer arrive. */
    @SuppressWarnings("unchecked")
    void worked(@Nullable Object given) {
        if (given instanceof CompletableFuture<?>) { // a test for the interface would take long (TaskKeys)
            FailureReport.stageReturned(user, lane);
        }
        finish((T) given);
    }

    /** Called instead of {@link #worked} if {@code cancel(true)} came before the end of the run. */
    void cancelled(@Nullable Object given) {
        boolean unused = cancel(false);
    }

    /** Returns true if the task may run more than once. */
    boolean runsAgain() {
        return false;
    }

    @SuppressWarnings("unchecked")
    @Nullable
    T call() throws Exception {
        Object task = user;
        if (task instanceof Callable<?> callable) {
            return (T) callable.call();
        }
        if (task != null) { // null if this future was completed concurrently
            ((Runnable) task).run();
        }
        return null;
    }

    /**
     * Ends a run. Returns false if {@code cancel(true)} came before the end; this method has then cleared the
     * interrupt.
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

    /**
     * Cancels this future. If {@code mayInterruptIfRunning} is true, interrupts the run before the completion, since
     * dependents may take long.
     */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        Headroom.require();
        if (mayInterruptIfRunning && !isDone()) {
            preventRun();
        }
        return endedIf(super.cancel(mayInterruptIfRunning));
    }

    /**
     * Interrupts the run, or prevents a run that has not begun, since a run that begins later would not be interrupted.
     */
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

    /** Interrupts the run, if there is one. The run then ends as cancelled. */
    void interruptRun() {
        if (runner instanceof Thread thread && RUNNER.compareAndSet(this, thread, INTERRUPTING)) { // F2
            Throwable failure = null;
            try {
                failure = Interrupts.send(thread);
            } finally {
                runner = ENDED; // the worker waits for this write
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

    /** Completes this future as the JDK does: not on its lane, which an open async task holds until then (A1). */
    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier) {
        return completeAsync(supplier, new CompletableFuture<T>().defaultExecutor());
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

    /** Fails this future with a CancellationException, since a newer submission has replaced the task. */
    void supersede() {
        completeExceptionally(new CancellationException("superseded by a newer submission of the same key"));
    }

    /** Returns a coalescing submission that runs {@code carried}. A newer submission calls {@link #supersede}. */
    public final CoalescingSubmission submission(Runnable carried) {
        return Submission.of(this, carried);
    }

    /** Returns the lane of the task; null for a plain task, if the lane does not exist, or if this future is done. */
    @Override
    public @Nullable LaneCore existingLane() {
        LaneHandle handle = lane;
        return handle == null ? null : handle.existing();
    }

    @Override
    public String toString() {
        Object task = user;
        LaneHandle handle = lane;
        return super.toString() + (task == null ? "" : "[task " + task + (handle == null ? "" : " of " + handle) + "]");
    }

    /** The future of a {@code Runnable} that was submitted with a result. */
    private static final class OfResult<T extends @Nullable Object> extends TaskFuture<T> {
        private final T result;

        /** Returns a future. The return type is the superclass, so that the verification loads no class. */
        static <T extends @Nullable Object> TaskFuture<T> with(
                Origin origin, @Nullable LaneHandle lane, Object user, T result) {
            return new OfResult<>(origin, lane, user, result);
        }

        private OfResult(Origin origin, @Nullable LaneHandle lane, Object user, T result) {
            super(origin, lane, user);
            this.result = result;
        }

        @Override
        T call() throws Exception {
            T unused = super.call();
            return result;
        }
    }

    /** A coalescing submission of a task that has a future. */
    private static final class Submission implements CoalescingSubmission, CancellableEntry.Wrapper {
        private final TaskFuture<?> future;
        private final Runnable carried;
        private volatile long count;

        private Submission(TaskFuture<?> future, Runnable carried) {
            this.future = future;
            this.carried = carried;
        }

        /**
         * Creates a submission. The return type is the interface, so that the verification of a caller does not load
         * this class.
         */
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
