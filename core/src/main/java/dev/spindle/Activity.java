// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.report.ActivityView;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state, at about one moment, of a party that runs tasks: a lane with its key, a strand, an executor, or a thread.
 * Not atomic: the values are read one after the other while the party runs. Only {@link #stack} and {@link #waitsFor}
 * are read when they are called.
 *
 * <p>The interface is implemented by this library alone, so that a value can be added.
 */
public sealed interface Activity permits ActivityView {
    /** The kind of a party. */
    enum Kind {
        /** A plain task, or a thread that runs no task of a lane. */
        TASK,
        /** A lane whose async task is open: it holds the lane, but no thread, until its stage completes. */
        ASYNC,
        /** The lane of a key or of a strand. */
        LANE,
        /** A spindle or a logical executor. */
        EXECUTOR,
        /** An actor, a channel, a stage of a pipeline, or a call to one of them. */
        HANDLER
    }

    /** Returns the kind of the party. */
    Kind kind();

    /**
     * Returns the name of the party: {@code "key orders/4711"} for a key of the space {@code orders},
     * {@code "strand journal"}, {@code "executor reads"}, {@code "spindle main"}, {@code "actor counter"},
     * {@code "stage apply of pipeline orders"}, or {@code "thread main"}.
     */
    String owner();

    /** Returns the name of the key space; null for a key of the unnamed key space, or if the party has no key. */
    @Nullable
    String space();

    /** Returns the key, without its space, or the name of the strand; null for another party. */
    @Nullable
    Object key();

    /**
     * Returns the task as it was submitted, or the message that an actor could not handle; null if the activity is not
     * that of one known task.
     */
    @Nullable
    Object task();

    /** Returns the thread that runs a task of the party; null if there is none, or if it is not known. */
    @Nullable
    Thread thread();

    /** Returns the stack of {@link #thread} at the time of this call, empty if there is no such thread. */
    List<StackTraceElement> stack();

    /**
     * Returns the duration of the current turn, to about the length of the last few tasks, or the time for which an
     * open async task has held the lane; null if there is neither.
     */
    @Nullable
    Duration runningFor();

    /** Returns the number of pending tasks of the lane. A running task does not count. */
    int pending();

    /**
     * Returns the time for which the oldest pending task has waited, to about 10 ms, or zero. It may be too long by the
     * run time of running tasks if the task was submitted while its lane or all workers were busy.
     */
    Duration oldestAge();

    /** Returns the longest current wait of the lane at the time of this call; null if there is none. */
    @Nullable
    WaitEdge waitsFor();

    /** Returns the number of superseded coalescing tasks since the lane was last created. */
    long superseded();

    /** Returns true if the lane is paused. */
    boolean isPaused();
}
