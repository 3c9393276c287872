// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.report.Figures;

/**
 * Counts of an executor. The counts are read one after the other without a lock, and are not an atomic snapshot. A
 * count that does not apply to the executor is 0.
 *
 * <p>An object of this type is immutable. Only this library implements the interface, so a later version may add
 * counts.
 */
public sealed interface Stats permits SpindleStats, Figures {
    /** Returns the name of the executor. */
    String name();

    /**
     * Returns an estimate of the number of accepted tasks. A delayed or periodic task is counted each time that the
     * task is due.
     */
    long accepted();

    /** Returns the number of tasks that have ended in any way. */
    long completed();

    /** Returns the number of completed tasks whose failure went to the failure handler. */
    long failed();

    /** Returns the number of rejected submits. */
    long rejected();

    /** Returns the number of tasks dropped to make room. */
    long dropped();

    /** Returns the number of coalescing tasks replaced by newer tasks. */
    long superseded();

    /** Returns the number of messages accepted in excess of a capacity, in order to break a cycle of full mailboxes. */
    long overdrafts();

    /** Returns an estimate of the number of accepted tasks that have not begun. */
    long pending();

    /** Returns the number of tasks that have begun and not ended. */
    int running();

    /** Returns the maximum number of pending tasks, or {@link Integer#MAX_VALUE} if there is no bound. */
    int capacity();

    /** Returns the maximum number of tasks on workers at once. */
    int maxConcurrency();
}
