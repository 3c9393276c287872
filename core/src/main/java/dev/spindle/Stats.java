// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.report.Figures;

/**
 * Counts of an executor, a key space, an actor, a channel, a pipeline, or a guard of calls. A message, a value, an
 * event or a call is counted like a task. The counts are read one after the other and are not an atomic snapshot,
 * unless the method that returns them promises one. A count that does not apply or is not kept is 0.
 *
 * <p>An object of this type is immutable. Only this library implements the interface, so a later version may add
 * counts.
 */
public sealed interface Stats permits SpindleStats, Figures {
    /** Returns the name. */
    String name();

    /**
     * Returns an estimate of the number of accepted tasks, with those that are pending, dropped or superseded. A
     * delayed or periodic task is counted each time that the task is due.
     */
    long accepted();

    /** Returns the number of tasks that have ended in any way. */
    long completed();

    /** Returns the number of completed tasks whose failure went to the failure handler. */
    long failed();

    /** Returns the number of rejected submits. */
    long rejected();

    /** Returns the number of tasks that were dropped to make room, or left behind by an end. */
    long dropped();

    /** Returns the number of coalescing tasks, or messages with a key, replaced by newer ones. */
    long superseded();

    /** Returns the number of messages accepted in excess of a capacity, in order to break a cycle of full mailboxes. */
    long overdrafts();

    /** Returns an estimate of the number of accepted tasks that have not begun. */
    long pending();

    /** Returns the number of tasks that have begun and not ended. */
    int running();

    /** Returns the maximum number of pending tasks, or {@link Integer#MAX_VALUE} if there is no bound. */
    int capacity();

    /** Returns the maximum number of tasks that run at once, or {@link Integer#MAX_VALUE} if there is no limit. */
    int maxConcurrency();
}
