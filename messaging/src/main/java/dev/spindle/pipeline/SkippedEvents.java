// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * The events that a stage has skipped, or whose fillers have thrown. The marks are allocated at the first void event.
 */
final class SkippedEvents {
    private final RingLayout layout;

    /**
     * The sequence number of the last void event of each slot, plus 1; 0 for none. A mark may be older than the range
     * of rounds ({@link RingLayout}), so marks are sequence numbers.
     */
    private long @Nullable [] marks;

    SkippedEvents(RingLayout layout) {
        this.layout = layout;
    }

    /**
     * Makes an event void. Called by the owner of the slot, whose commit or write of {@code done} publishes the mark.
     */
    synchronized void add(long sequence) {
        long[] made = marks;
        if (made == null) {
            made = new long[layout.size()];
            marks = made;
        }
        made[layout.index(sequence)] = sequence + 1;
    }

    /** Returns whether any event was made void. */
    boolean any() {
        return marks != null;
    }

    /** Returns whether an event is void. */
    boolean has(long sequence) {
        long[] made = marks;
        return made != null && made[layout.index(sequence)] == sequence + 1;
    }
}
