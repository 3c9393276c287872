// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Durations;
import dev.spindle.internal.executor.Admission;
import dev.spindle.internal.executor.Admission.Kind;
import java.time.Duration;

/** The policy of a submit at the bound of a lane, of a logical executor, or of a whole spindle. Immutable. */
public final class OnFull {
    private static final OnFull REJECT = new OnFull(Kind.REJECT, 0);
    private static final OnFull DROP_OLDEST = new OnFull(Kind.DROP_OLDEST, 0);
    private static final OnFull CALLER_RUNS = new OnFull(Kind.CALLER_RUNS, 0);

    final Kind kind;
    private final long nanos;

    private OnFull(Kind kind, long nanos) {
        this.kind = kind;
        this.nanos = nanos;
    }

    /** Rejects the submit with {@link java.util.concurrent.RejectedExecutionException}. This is the default. */
    public static OnFull reject() {
        return REJECT;
    }

    /**
     * Blocks the submitter until there is room, and rejects the submit after {@code limit}. Waiting submitters are
     * served in FIFO order, and no later submitter overtakes them. A submitter that waits at one bound holds no place
     * of another bound, such as the bound of the spindle. An interrupt rejects the submit at once, and the interrupt
     * flag stays set. A shutdown of the executor rejects the submit at once. A worker of the same spindle never blocks:
     * its submit is rejected.
     *
     * @throws IllegalArgumentException if {@code limit} is not positive
     */
    public static OnFull block(Duration limit) {
        return new OnFull(Kind.BLOCK, Durations.toNanos(Durations.requirePositive("limit", limit)));
    }

    /**
     * Drops the oldest waiting task and accepts the new one in its place. A task of a lane or of a
     * {@link LogicalExecutor} replaces a task of the same lane or executor, and a plain task replaces a plain task. A
     * submit drops at most one task, even at several bounds, and takes no place from a waiting submitter. After the new
     * task has been accepted, the future of the dropped task is cancelled. If the dropped task has no future, the
     * {@link SpindleBuilder#onFailure failure handler} is called. The submit is rejected if no task can be dropped.
     * Takes amortised constant time.
     */
    public static OnFull dropOldest() {
        return DROP_OLDEST;
    }

    /**
     * Runs the task on the submitting thread, before the submit returns, in addition to the {@code maxConcurrency}
     * tasks on workers. The task does not count for the bound of the spindle. Supported only by
     * {@link LogicalExecutor}, since a task with a key must have its turn on a worker. A failure of the task goes to
     * the future or, if there is none, to the {@link SpindleBuilder#onFailure failure handler}. The executor does not
     * terminate before the task has ended, but {@link LogicalExecutor#shutdownNow} does not interrupt the submitter.
     */
    public static OnFull callerRuns() {
        return CALLER_RUNS;
    }

    Admission.Policy policy() {
        return new Admission.Policy(kind, nanos);
    }

    /** Returns a string that names the policy, with its time limit. */
    @Override
    public String toString() {
        return policy().toString();
    }
}
