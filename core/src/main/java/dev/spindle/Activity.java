// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.report.ActivityView;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the state of a party that runs tasks: a lane, an executor, an actor, a channel, a pipeline stage, or a
 * thread. The values are read one after the other while the party runs, so the snapshot is not atomic. {@link #stack}
 * and {@link #waitsFor} read the state at the time of their call.
 *
 * <p>Only this library implements the interface, so a later version may add methods.
 */
public sealed interface Activity permits ActivityView {
    /** The kind of a party. */
    enum Kind {
        /** A plain task, or a thread that runs no task of a lane. */
        TASK,
        /**
         * A lane with an open async task, which holds the lane, but no thread, until the stage of the task completes.
         */
        ASYNC,
        /** The lane of a key or of a strand. */
        LANE,
        /** A spindle, a logical executor, or a key space at its limit. */
        EXECUTOR,
        /** An actor, a channel, a stage of a pipeline, or a call to one of them. */
        HANDLER
    }

    /** Returns the kind of the party. */
    Kind kind();

    /**
     * Returns the name of the party: {@code "key orders/4711"} for a key of the space {@code orders},
     * {@code "strand journal"}, {@code "executor reads"}, {@code "keys orders"}, {@code "spindle main"},
     * {@code "actor counter"}, {@code "stage apply of pipeline orders"}, or {@code "thread main"}.
     */
    String owner();

    /** Returns the name of the key space; null for a strand, or if the party has no key. */
    @Nullable
    String space();

    /** Returns the key, without its space, or the name of the strand; null for any other party. */
    @Nullable
    Object key();

    /**
     * Returns the task as it was submitted, or the message that an actor could not handle; null if no single task is
     * known.
     */
    @Nullable
    Object task();

    /** Returns the thread that runs a task of the party; null if there is no such thread or the thread is unknown. */
    @Nullable
    Thread thread();

    /** Returns the stack of {@link #thread} at the time of this call. The stack is empty if {@link #thread} is null. */
    List<StackTraceElement> stack();

    /**
     * Returns how long the current turn has lasted, or how long an open async task has held the lane; null if neither
     * applies. The duration of a turn is accurate to about the run time of a few tasks.
     */
    @Nullable
    Duration runningFor();

    /** Returns the number of pending tasks of the lane. A running task is not included. */
    int pending();

    /**
     * Returns how long the oldest pending task has waited, or zero if no task is pending. The duration is accurate to
     * about 10 ms. The duration may be too long by the run time of a task that ran when the oldest task was submitted.
     */
    Duration oldestAge();

    /** Returns the longest current wait of the lane at the time of this call; null if there is none. */
    @Nullable
    WaitEdge waitsFor();

    /** Returns the number of superseded coalescing tasks since the lane was last created. */
    long superseded();

    /** Returns true if the lane is paused. */
    boolean isPaused();

    /**
     * Returns true if the party is late rather than stuck: its tasks go on ending, but its oldest pending task has
     * waited for longer than {@link SpindleBuilder#stuckAfter}. True only in reports of {@link SpindleBuilder#onStuck}.
     */
    boolean isLate();
}
