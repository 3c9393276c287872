// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Durations;
import java.time.Duration;

/** The policy of a submit that finds the bound of a lane, of a logical executor or of the whole spindle reached. */
public final class OnFull {
    enum Kind {
        REJECT,
        BLOCK,
        DROP_OLDEST,
        CALLER_RUNS
    }

    private static final OnFull REJECT = new OnFull(Kind.REJECT, 0);
    private static final OnFull DROP_OLDEST = new OnFull(Kind.DROP_OLDEST, 0);
    private static final OnFull CALLER_RUNS = new OnFull(Kind.CALLER_RUNS, 0);

    final Kind kind;
    final long nanos;

    private OnFull(Kind kind, long nanos) {
        this.kind = kind;
        this.nanos = nanos;
    }

    /** Throws {@link java.util.concurrent.RejectedExecutionException}. The default. */
    public static OnFull reject() {
        return REJECT;
    }

    /**
     * Blocks the submitter until there is room, at most for {@code limit}, then rejects. Submitters that wait are
     * served in the order in which they came, and none that comes later gets past them. While one waits at a bound it
     * holds no place of another: a lane's, say, while it waits for one of the spindle. An interrupt rejects at once and
     * stays set, and so does a shutdown of what was submitted to. A worker of the same spindle never blocks, it is
     * rejected.
     *
     * @throws IllegalArgumentException if {@code limit} is not positive
     */
    public static OnFull block(Duration limit) {
        return new OnFull(Kind.BLOCK, Durations.toNanos(Durations.requirePositive("limit", limit)));
    }

    /**
     * Drops the oldest waiting task and takes its place: of the same lane for a task with a key, of the same executor
     * for a task of a {@link LogicalExecutor}, of the plain tasks for a plain one. One submit drops one task at most,
     * at however many bounds, and what others wait for stays theirs. When the newer task has been accepted, the future
     * of the older one is cancelled, or the {@link FailureHandler} is told when it has none. Rejects when there is none
     * to drop. Takes amortised constant time, however many wait.
     */
    public static OnFull dropOldest() {
        return DROP_OLDEST;
    }

    /**
     * Has the submitter run its task itself, before the submit returns, besides the {@code maxConcurrency} tasks that
     * workers run; it takes no place of the spindle. For a {@link LogicalExecutor} only: a task with a key has its turn
     * on a worker. What the task throws goes to the {@link FailureHandler} or the future as ever. The executor does not
     * terminate before it has ended, but {@link LogicalExecutor#shutdownNow} does not interrupt the submitter.
     */
    public static OnFull callerRuns() {
        return CALLER_RUNS;
    }

    /** Refuses a policy for a bound that there is not; {@code options} set one. */
    void requireBound(boolean bounded, String options) {
        if (!bounded && kind != Kind.REJECT) {
            throw new IllegalArgumentException(
                    "onFull is " + this + ", but there is no bound; set " + options + " too");
        }
    }

    /** Returns a string that names the policy, with its time limit. */
    @Override
    public String toString() {
        return kind == Kind.BLOCK ? "block(" + Duration.ofNanos(nanos) + ")" : kind.toString();
    }
}
