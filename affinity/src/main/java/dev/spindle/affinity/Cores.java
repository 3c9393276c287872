// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import java.util.BitSet;

/** The cores that one factory may give to threads. What is taken is known to all factories of this JVM. Thread-safe. */
final class Cores {
    static final int NONE = -1;

    private static final BitSet TAKEN = new BitSet(); // guarded by itself

    private final BitSet own;
    private final int most;
    private int given; // guarded by TAKEN

    /** The cores {@code own}, at most {@code most} of them at a time. */
    Cores(BitSet own, int most) {
        this.own = (BitSet) own.clone();
        this.most = most;
    }

    /** Takes a free core, the highest first since systems like to use the lowest themselves; or {@link #NONE}. */
    int take() {
        synchronized (TAKEN) {
            if (given == most) {
                return NONE;
            }
            BitSet free = (BitSet) own.clone();
            free.andNot(TAKEN);
            if (free.isEmpty()) {
                return NONE;
            }
            int core = free.length() - 1;
            TAKEN.set(core);
            given++;
            return core;
        }
    }

    void giveBack(int core) {
        synchronized (TAKEN) {
            TAKEN.clear(core);
            given--;
        }
    }

    /** What is to be said when {@link #take} found none. */
    @Override
    public String toString() {
        synchronized (TAKEN) {
            BitSet taken = (BitSet) own.clone();
            taken.and(TAKEN);
            return given + " of at most " + most + " threads are pinned, to the cores " + own + ", of which " + taken
                    + " are taken in this JVM";
        }
    }
}
