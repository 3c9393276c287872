// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Pool;
import dev.spindle.internal.lane.CoalescingSlot;
import dev.spindle.internal.lane.CoalescingSubmission;
import dev.spindle.internal.lane.LaneCore;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One submission of a coalescing task, and its future: true if the task ran, false if a newer submission superseded it.
 */
@SuppressWarnings("NullAway") // for the same reason as TaskFuture
final class CoalescingFuture extends TaskFuture<Boolean> implements CoalescingSubmission {
    /*
     * The thread that takes the submission out of its cell completes the future (CoalescingSlot-3). If another thread
     * completes it first, it withdraws the submission.
     *
     * `cell` is plain: a thread that reads an old value asks the cell, which holds the submission or does not. A future
     * that is done keeps neither the user's objects nor its cell, through which the executor is reachable (U3). Only
     * that of a failed task keeps the task, until its failure is reported.
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

    /** The task with its context; after a failure the user's task, until the failure is reported; else null. */
    private @Nullable Runnable carried;

    private CoalescingFuture(Pool pool, Runnable user, @Nullable Runnable carried) {
        super(pool, null, user, true);
        this.carried = carried;
    }

    /**
     * Returns a new submission. The return type is the superclass, so that verifying a caller does not load this class.
     *
     * @param user the task as it was submitted
     * @param carried {@code user} with its context, or null if it has none
     */
    static CompletableFuture<Boolean> of(Pool pool, Runnable user, @Nullable Runnable carried) {
        return new CoalescingFuture(pool, user, carried);
    }

    @Override
    public void offeredTo(Cell accepting) {
        cell = accepting; // published by the write to the cell
    }

    /** Runs the task. What it throws fails the future and reaches the caller, which reports it. */
    @Override
    public void run() {
        Object task = user();
        Throwable thrown = runOnce();
        if (thrown != null) {
            carried = (Runnable) task;
            throw CoalescingFuture.<RuntimeException>unchecked(thrown);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X unchecked(Throwable thrown) throws X {
        throw (X) thrown;
    }

    @Override
    @Nullable
    Object work() throws Exception {
        Runnable task = carried;
        if (task == null) {
            return super.work();
        }
        task.run();
        return true;
    }

    /** Does nothing, since the failure is reported to the handler. */
    @Override
    void noteFailure(Throwable thrown) {}

    @Override
    public void superseded() {
        cell = null; // it holds another submission
        finish(false);
    }

    @Override
    void ended() {
        super.ended();
        Cell holder = cell;
        cell = null; // U3
        carried = null;
        if (holder != null && holder.holds(this)) { // completed by a caller
            boolean unused = holder.withdraw(this);
        }
    }

    @Override
    public Runnable userTask() {
        Runnable failed = isDone() ? carried : null;
        return failed == null ? super.userTask() : failed;
    }

    @Override
    public void reported() {
        carried = null;
    }

    @Override
    @Nullable
    LaneCore existingLane() {
        return cell instanceof CoalescingSlot slot ? slot.lane() : null;
    }

    @Override
    @Nullable
    Object party() {
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
