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

    /** The oldest first; turns last as long as on a worker. */
    static Order oldestFirst() {
        return new Order() {
            @Override
            public int next(int size) {
                return 0;
            }

            @Override
            public boolean yields() {
                return false;
            }
        };
    }

    /** Any, and turns of any length: {@link Random} gives the same numbers for a seed on every JDK. */
    static Order seeded(long seed) {
        Random random = new Random(seed);
        return new Order() {
            @Override
            public int next(int size) {
                return random.nextInt(size);
            }

            @Override
            public boolean yields() {
                return random.nextBoolean();
            }
        };
    }
}
