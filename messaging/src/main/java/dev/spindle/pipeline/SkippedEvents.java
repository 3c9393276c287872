// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.jspecify.annotations.Nullable;

/** The events that a stage, or their own fillers, have made void. Costs nothing before the first. */
final class SkippedEvents {
    private final Rounds rounds;
    private long @Nullable [] marks; // numbers from 1; whole, since a mark may stay for ever, and rounds come again

    SkippedEvents(Rounds rounds) {
        this.rounds = rounds;
    }

    /** Makes an event void; by whoever owns its slot, before it lets the slot go, which publishes this too. */
    synchronized void add(long sequence) {
        long[] made = marks;
        if (made == null) {
            made = new long[rounds.size()];
            marks = made;
        }
        made[rounds.index(sequence)] = sequence + 1;
    }

    /** Returns whether there was any; to be asked after the sequence of the stage was read. */
    boolean any() {
        return marks != null;
    }

    /** Returns whether an event is void. */
    boolean has(long sequence) {
        long[] made = marks;
        return made != null && made[rounds.index(sequence)] == sequence + 1;
    }
}
