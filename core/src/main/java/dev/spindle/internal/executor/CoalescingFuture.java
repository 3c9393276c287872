// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.HandedContext;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.CoalescingSlot;
import dev.spindle.internal.lane.CoalescingSubmission;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.stage.Origin;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A submission of a coalescing task, and its future. The result is true if the task ran, false if a newer submission
 * superseded this submission.
 */
@SuppressWarnings("NullAway") // see TaskFuture
final class CoalescingFuture extends TaskFuture<Boolean> implements CoalescingSubmission {
    /*
     * The thread that removes the submission from its cell completes the future (CoalescingSlot-3). If a caller
     * completes the future first, `ended` withdraws the submission.
     *
     * `cell` is plain. A thread that reads a stale value withdraws nothing; the lane then finds the future done, and
     * skips the task. A future that is done refers neither to the user's objects nor to its cell, from which the
     * executor is reachable (U3). After a failure, however, `failed` refers to the task until the failure is reported.
     *
     * Tests: CoalescingContractTest, RetentionContractTest.
     */
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(CoalescingFuture.class, "count", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // read through COUNT
    private long count;

    private @Nullable Cell cell;

    private final @Nullable HandedContext context;

    private @Nullable Runnable failed; // the user's task, from its failure until the failure is reported

    private CoalescingFuture(Origin origin, Runnable user, @Nullable Object key, @Nullable HandedContext context) {
        super(origin, user, key);
        this.context = context;
    }

    /**
     * Returns a new submission. The return type is the superclass, so that the verification of a caller does not load
     * this class.
     *
     * @param user the task as it was submitted
     * @param key the key of the lane, or null for a strand
     * @param context the context of the submitter, or null if there is no task decorator
     */
    static CompletableFuture<Boolean> of(
            Origin origin, Runnable user, @Nullable Object key, @Nullable HandedContext context) {
        return new CoalescingFuture(origin, user, key, context);
    }

    @Override
    void worked(@Nullable Object given) {
        finish(true);
    }

    @Override
    public void offeredTo(Cell accepting) {
        cell = accepting; // published by the CAS of the cell
    }

    /** Runs the task. A throwable of the task fails the future, and is rethrown to the caller, which reports it. */
    @Override
    public void run() {
        if (context == null) {
            runTask();
            return;
        }
        Object task = user();
        try {
            context.run(() -> WorkerContext.runReporting(this, this::runTask));
        } catch (Throwable t) { // thrown by the runnable of the decorator
            failed = (Runnable) task;
            finishExceptionally(t);
            throw t;
        }
    }

    private void runTask() {
        Object task = user();
        Throwable thrown = runOnce();
        if (thrown != null) {
            failed = (Runnable) task;
            throw CoalescingFuture.<RuntimeException>unchecked(thrown);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X unchecked(Throwable thrown) throws X {
        throw (X) thrown;
    }

    /** Does not notify a simulation, since the failure handler receives the failure. */
    @Override
    void noteFailure(Throwable thrown) {}

    @Override
    public void superseded() {
        cell = null; // the cell holds the newer submission
        finish(false);
    }

    @Override
    void ended() {
        super.ended();
        Cell holder = cell;
        cell = null; // U3
        if (holder != null && holder.holds(this)) { // a caller has completed this future
            boolean unused = holder.withdraw(this);
        }
    }

    @Override
    public Runnable userTask() {
        Runnable reporting = failed;
        return reporting == null ? super.userTask() : reporting;
    }

    /** Returns null if a caller has completed this future before. */
    @Override
    public @Nullable Runnable handBack() {
        Runnable user = userTask();
        return completeExceptionally(new CancellationException())
                ? user
                : null; // not cancel(), which returns true if the future was cancelled before
    }

    @Override
    public void reported() {
        failed = null;
    }

    @Override
    public @Nullable LaneCore existingLane() {
        return cell instanceof CoalescingSlot slot ? slot.lane() : null;
    }

    @Override
    @Nullable
    public Object party() {
        return existingLane();
    }

    @Override
    public void setCount(long replaced) {
        COUNT.setRelease(this, replaced);
    }

    @Override
    public long count() {
        return (long) COUNT.getAcquire(this);
    }
}
