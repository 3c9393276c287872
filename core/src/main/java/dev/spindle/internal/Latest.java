// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** One submission of a coalescing task: the value that a {@link Cell} holds while it is the latest. */
public abstract class Latest implements Accepted {
    private static final VarHandle REPLACED;

    static {
        try {
            REPLACED = MethodHandles.lookup().findVarHandle(Latest.class, "replaced", long.class);
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

    /** Says that this submission will be the first of its slot, with a place yet to be had in the lane. */
    final void withoutPlace() {
        replaced = WITHOUT_PLACE;
    }

    /** Says that this submission will stand in the place of {@code older}, or of a withdrawn one if that is null. */
    final void replaces(@Nullable Latest older) {
        replaced = older == null ? 0 : older.replaced + 1;
    }

    /** Says that this submission's place is in the lane. */
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

    /** Says which cell will have this submission. Called by the submitter, before anybody can see it there. */
    protected void offeredTo(Cell cell) {}

    /** Says that a newer submission took this one's place. Called once, by the newer one's submitter. */
    protected abstract void superseded();
}
