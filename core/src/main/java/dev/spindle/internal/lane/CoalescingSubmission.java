// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.CancellableEntry;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** One submission of a coalescing task. A {@link CoalescingSlot} holds it while it is the latest. */
public abstract class CoalescingSubmission implements CancellableEntry {
    /** The place of the latest submission of a slot. */
    public interface Cell {
        /** Withdraws {@code entry} if it is still the pending submission. */
        boolean withdraw(CoalescingSubmission entry);

        /** Returns whether {@code entry} is the pending submission. */
        boolean holds(CoalescingSubmission entry);
    }

    private static final VarHandle REPLACED;

    static {
        try {
            REPLACED = MethodHandles.lookup().findVarHandle(CoalescingSubmission.class, "replaced", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final long WITHOUT_PLACE = -1;

    /**
     * The number of submissions that were replaced, one after the other, since the slot was last empty, or
     * WITHOUT_PLACE. The submitter writes this field before the publication of this submission, and changes
     * WITHOUT_PLACE to 0 after the push.
     */
    private long replaced;

    /** Marks this submission as the first of its slot, which has no place in the lane yet. */
    final void withoutPlace() {
        replaced = WITHOUT_PLACE;
    }

    /**
     * Marks this submission as the replacement of {@code older}, or, if {@code older} is null, of a withdrawn
     * submission.
     */
    final void replaces(@Nullable CoalescingSubmission older) {
        replaced = older == null ? 0 : older.replaced + 1; // L2
    }

    /** Records that the place of this submission is in the lane. */
    final void placed() {
        REPLACED.setRelease(this, 0L);
    }

    /** Returns whether the place of this submission is in the lane. */
    final boolean hasPlace() {
        return (long) REPLACED.getAcquire(this) != WITHOUT_PLACE;
    }

    /** Returns the number of pending submissions that this submission and earlier submissions have replaced. */
    final long replaced() {
        return Math.max(0, replaced);
    }

    /**
     * Called by the submitter with the cell that will hold this submission, before another thread can see it there.
     */
    protected void offeredTo(Cell cell) {}

    /** Called once, by the submitter of the newer submission that has replaced this submission. */
    protected abstract void superseded();
}
