// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.CancellableEntry;
import org.jspecify.annotations.Nullable;

/**
 * One submission of a coalescing task. A {@link CoalescingSlot} holds it while it is the latest. An interface, since a
 * submission may be a future.
 */
public interface CoalescingSubmission extends CancellableEntry {
    /** The place of the latest submission of a slot. */
    interface Cell {
        /** Withdraws {@code entry} if it is still the pending submission. */
        boolean withdraw(CoalescingSubmission entry);

        /** Returns whether {@code entry} is the pending submission. */
        boolean holds(CoalescingSubmission entry);
    }

    /** The count of a submission whose place is not in the lane yet. */
    long WITHOUT_PLACE = -1;

    /**
     * Sets the number of pending submissions that this one and earlier ones have replaced since the slot was last
     * empty, or WITHOUT_PLACE. The submitter sets it before publication, and changes WITHOUT_PLACE to 0 after it. A
     * release.
     */
    void setCount(long replaced);

    /** Returns the number that was set last. An acquire. */
    long count();

    /** Marks this submission as the replacement of {@code older}, or of a withdrawn submission if that is null. */
    default void replaces(@Nullable CoalescingSubmission older) {
        setCount(older == null ? 0 : older.count() + 1); // L2
    }

    /** Returns whether the place of this submission is in the lane. */
    default boolean hasPlace() {
        return count() != WITHOUT_PLACE;
    }

    /** Returns the number of pending submissions that this submission and earlier submissions have replaced. */
    default long replaced() {
        return Math.max(0, count());
    }

    /**
     * Called by the submitter with the cell that will hold this submission, before another thread can see it there.
     */
    default void offeredTo(Cell cell) {}

    /** Called once, by the submitter of the newer submission that has replaced this one. */
    void superseded();
}
