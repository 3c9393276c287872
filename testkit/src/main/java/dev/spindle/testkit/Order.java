// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

/** The order of execution of a simulation, which chooses the next of the ready entries. */
interface Order {
    /**
     * Returns the index of the next of {@code size} entries. The entries are in the order in which they became ready.
     *
     * @param size the number of entries, at least 1
     */
    int next(int size);

    /** Returns true if a turn must yield after the current task, even within its quantum. */
    boolean yields();

    /** Returns true if other entries may run between the choice of an entry and its first step, as on threads. */
    boolean overtakes();

    /** Returns a random number from 0 to {@code bound} - 1 that is the same in each run with the same seed. */
    int draw(int bound);

    /** Returns the order that runs the oldest entry first. Its turns are as long as on a worker. */
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

    /** Returns a random order with turns of random length. The seed also determines how often turns end early. */
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

    /**
     * A sequence of random numbers that depends only on the seed, not on the version of the JDK. Neighbouring seeds
     * have unrelated sequences.
     */
    final class Numbers {
        // the generator is SplitMix64 of Steele, Lea and Flood
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
