// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import java.util.BitSet;

/**
 * The cores that one factory may assign to threads. All factories of this JVM share the set of taken cores. This class
 * is thread-safe.
 */
final class Cores {
    static final int NONE = -1;

    private static final BitSet TAKEN = new BitSet(); // guarded by itself

    private final BitSet own;
    private final int most;
    private int given; // guarded by TAKEN

    /** Creates a set that assigns the cores in {@code own}, no more than {@code most} at the same time. */
    Cores(BitSet own, int most) {
        this.own = (BitSet) own.clone();
        this.most = most;
    }

    /**
     * Takes and returns the highest free core, or returns {@link #NONE}. Systems tend to use the lowest cores
     * themselves.
     */
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

    /** Returns a description for messages that no core is left. */
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
