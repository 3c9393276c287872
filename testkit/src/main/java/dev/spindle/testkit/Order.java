// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

/** Chooses which of the ready entries runs next. */
interface Order {
    /**
     * Returns which of {@code size} entries, at least one, runs next; they stand in the order in which they became
     * ready.
     */
    int next(int size);

    /** Returns whether a turn lets others run after its task, though its time is not up. */
    boolean yields();

    /** Returns whether a task that was taken may be overtaken by one that another thread could take after it. */
    boolean overtakes();

    /** Returns a number from 0 to {@code bound} - 1, for what is to be random and the same in each run. */
    int draw(int bound);

    /** The oldest first; turns last as long as on a worker. */
    static Order oldestFirst() {
        Numbers draws = new Numbers(0);
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
            public boolean overtakes() {
                return false;
            }

            @Override
            public int draw(int bound) {
                return draws.next(bound);
            }
        };
    }

    /** Any, and turns of any length; how often they end early depends on the seed as well. */
    static Order seeded(long seed) {
        Numbers orders = new Numbers(Numbers.mixed(seed));
        int quarters = 1 + orders.next(4);
        Numbers draws = new Numbers(Numbers.mixed(~seed));
        return new Order() {
            @Override
            public int next(int size) {
                return orders.next(size);
            }

            @Override
            public boolean yields() {
                return orders.next(4) < quarters;
            }

            @Override
            public boolean overtakes() {
                return true;
            }

            @Override
            public int draw(int bound) {
                return draws.next(bound);
            }
        };
    }

    /** Numbers that are the same for a seed on every JDK, from the first one on unlike those of its neighbours. */
    final class Numbers {
        // SplitMix64, of Steele, Lea and Flood
        private static final long GAMMA = 0x9E3779B97F4A7C15L;

        private long state;

        Numbers(long seed) {
            state = seed;
        }

        int next(int bound) {
            state += GAMMA;
            return (int) (((mixed(state) >>> 33) * bound) >>> 31);
        }

        static long mixed(long number) {
            long mixed = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
            return mixed ^ (mixed >>> 31);
        }
    }
}
