// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * In which order the one producer touches the keys. Random orders come from a fixed seed, the same for every contender.
 */
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
    /**
     * Few hot keys and a long tail: the key of rank r comes with a probability proportional to 1 / r. Ranks are
     * scattered over the key indices: an executor that takes the index modulo its threads must not profit, nor suffer,
     * from hot keys that stand side by side.
     */
    ZIPF {
        @Override
        int[] keys(int keys, int events, long seed) {
            Random random = new Random(seed);
            double[] cumulative = new double[keys];
            int[] keyOfRank = new int[keys];
            double sum = 0;
            for (int rank = 0; rank < keys; rank++) {
                sum += 1 / (rank + 1.0);
                cumulative[rank] = sum;
                int other = random.nextInt(rank + 1);
                keyOfRank[rank] = keyOfRank[other];
                keyOfRank[other] = rank;
            }
            double whole = sum;
            return IntStream.range(0, events)
                    .map(event -> Arrays.binarySearch(cumulative, random.nextDouble() * whole))
                    .map(found -> keyOfRank[Math.min(found < 0 ? -found - 1 : found, keys - 1)])
                    .toArray();
        }
    };

    /** The key index, below {@code keys}, of each of {@code events} events. */
    abstract int[] keys(int keys, int events, long seed);
}
