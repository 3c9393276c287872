// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.util.Random;

/** In which order the one producer touches the keys. Random orders come from a fixed seed, the same for every contender. */
enum Traffic {
    /** Key 0, 1, 2 and so on, again and again, as in the seed's test. */
    ROUND_ROBIN {
        @Override
        int[] keys(int keys, int events, long seed) {
            int[] order = new int[events];
            for (int i = 0; i < events; i++) {
                order[i] = i % keys;
            }
            return order;
        }
    },
    /** Every key equally likely. */
    UNIFORM {
        @Override
        int[] keys(int keys, int events, long seed) {
            Random random = new Random(seed);
            int[] order = new int[events];
            for (int i = 0; i < events; i++) {
                order[i] = random.nextInt(keys);
            }
            return order;
        }
    },
    /** Few hot keys and a long tail. */
    ZIPF {
        @Override
        int[] keys(int keys, int events, long seed) {
            Zipf zipf = new Zipf(keys, 1.0, seed);
            int[] order = new int[events];
            for (int i = 0; i < events; i++) {
                order[i] = zipf.next();
            }
            return order;
        }
    };

    /** The key index, below {@code keys}, of each of {@code events} events. */
    abstract int[] keys(int keys, int events, long seed);
}
