// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.CancellableEntry;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** One submission of a coalescing task: the value that a {@link CoalescingSlot} holds while it is the latest. */
public abstract class CoalescingSubmission implements CancellableEntry {
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
     * How many pending submissions this one and the ones before it have replaced since the slot was last empty, or
     * WITHOUT_PLACE. Written by the submitter before publication; from WITHOUT_PLACE to 0 after it.
     */
    private long replaced;

    /** Marks this submission as the first of its slot, without a place in the lane yet. */
    final void withoutPlace() {
        replaced = WITHOUT_PLACE;
    }

    /** Marks this submission as one that takes the place of {@code older}, or of a withdrawn one if that is null. */
    final void replaces(@Nullable CoalescingSubmission older) {
        replaced = older == null ? 0 : older.replaced + 1;
    }

    /** Marks this submission's place as being in the lane. */
    final void placed() {
        REPLACED.setRelease(this, 0L);
    }

    /** Returns whether this submission's place is in the lane. */
    final boolean hasPlace() {
        return (long) REPLACED.getAcquire(this) != WITHOUT_PLACE;
    }

    /** Returns how many pending submissions this one and the ones before it have replaced. */
    final long replaced() {
        return Math.max(0, replaced);
    }

    /**
     * Called by the submitter with the slot that will hold this submission, before any other thread can see it there.
     */
    protected void offeredTo(CoalescingSlot cell) {}

    /** Called once, by the submitter of the newer submission that took this one's place. */
    protected abstract void superseded();
}
