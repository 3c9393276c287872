// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.CancellableEntry;
import org.jspecify.annotations.Nullable;

/**
 * A submission of a coalescing task, which a {@link CoalescingSlot} holds while the submission is the latest of its
 * slot. This type is an interface, since some implementations extend {@code CompletableFuture}.
 */
public interface CoalescingSubmission extends CancellableEntry {
    /** The cell that holds the latest submission of a slot. */
    interface Cell {
        /** Withdraws {@code entry} if it is still the pending submission. */
        boolean withdraw(CoalescingSubmission entry);

        /** Returns whether {@code entry} is the pending submission. */
        boolean holds(CoalescingSubmission entry);
    }

    /** The count of a submission whose task has not been pushed to the lane yet. */
    long WITHOUT_PLACE = -1;

    /**
     * Sets the number of submissions that were replaced since the slot was last empty, or {@link #WITHOUT_PLACE}. The
     * submitter calls this before it publishes the submission. A submitter that has set WITHOUT_PLACE pushes the task
     * and then sets 0. The write is a release.
     */
    void setCount(long replaced);

    /** Returns the number that was set last. The read is an acquire. */
    long count();

    /**
     * Sets the count of this submission, which replaces {@code older} or, if {@code older} is null, a withdrawn
     * submission.
     */
    default void replaces(@Nullable CoalescingSubmission older) {
        setCount(older == null ? 0 : older.count() + 1); // L2
    }

    /** Returns true if the task of this submission has been pushed to the lane. */
    default boolean hasPlace() {
        return count() != WITHOUT_PLACE;
    }

    /** Returns the number of submissions that were replaced since the slot was last empty. */
    default long replaced() {
        return Math.max(0, count());
    }

    /** Called by the submitter before it puts this submission into {@code cell}. */
    default void offeredTo(Cell cell) {}

    /** Called at most once, by the submitter of the newer submission that has replaced this submission. */
    void superseded();
}
