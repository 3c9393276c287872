// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import java.util.Random;

/** Chooses which of the ready entries runs next. */
interface Order {
    /**
     * Returns which of {@code size} entries, at least one, runs next; they stand in the order in which they became
     * ready.
     */
    int next(int size);

    /** Returns whether a turn lets others run after its task, though its time is not up. */
    boolean yields();

    /** Returns a number from 0 to {@code bound} - 1, for what is to be random and the same in each run. */
    int draw(int bound);

    /** The oldest first; turns last as long as on a worker. */
    static Order oldestFirst() {
        Random draws = new Random(0);
        return new Order() {
            @Override
            public int next(int size) {
                return 0;
            }

            @Override
            public boolean yields() {
                return false;
            }

            @Override
            public int draw(int bound) {
                return draws.nextInt(bound);
            }
        };
    }

    /** Any, and turns of any length: {@link Random} gives the same numbers for a seed on every JDK. */
    static Order seeded(long seed) {
        Random random = new Random(seed);
        Random draws = new Random(mixed(seed));
        return new Order() {
            @Override
            public int next(int size) {
                return random.nextInt(size);
            }

            @Override
            public boolean yields() {
                return random.nextBoolean();
            }

            @Override
            public int draw(int bound) {
                return draws.nextInt(bound);
            }
        };
    }

    /** Returns a seed whose first numbers have nothing to do with those of its neighbours, by SplitMix64. */
    private static long mixed(long seed) {
        long mixed = seed + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
