// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Which events a stage, or their own fillers, have made void. Costs nothing before the first. */
final class Voids {
    private final Rounds rounds;
    private int @Nullable [] marks;
    private volatile long count;

    Voids(Rounds rounds) {
        this.rounds = rounds;
    }

    /** Makes an event void; by whoever owns its slot, before it lets the slot go, which publishes this too. */
    synchronized void add(long sequence) {
        int[] made = marks;
        if (made == null) {
            made = new int[rounds.size()];
            marks = made;
        }
        made[rounds.index(sequence)] = rounds.round(sequence);
        count++;
    }

    /** Returns whether there was any; to be asked after the sequence of the stage was read. */
    boolean any() {
        return marks != null;
    }

    /** Returns whether an event is void. */
    boolean has(long sequence) {
        int[] made = marks;
        return made != null && made[rounds.index(sequence)] == rounds.round(sequence);
    }

    long count() {
        return count;
    }

    @Override
    public String toString() {
        return Arrays.toString(marks);
    }
}
