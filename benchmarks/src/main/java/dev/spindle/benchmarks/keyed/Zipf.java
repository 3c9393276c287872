// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.util.Arrays;
import java.util.Random;

/**
 * Draws keys so that the key of rank r comes with a probability proportional to 1 / r<sup>exponent</sup>.
 *
 * <p>Ranks are scattered over the key indices: an executor that takes the index modulo its threads must not profit, nor
 * suffer, from hot keys that stand side by side. Not safe for several threads.
 */
final class Zipf {
    private final double[] cumulative;
    private final int[] keyOfRank;
    private final Random random;

    Zipf(int keys, double exponent, long seed) {
        if (keys < 1) {
            throw new IllegalArgumentException("keys must be at least 1, was " + keys);
        }
        random = new Random(seed);
        cumulative = new double[keys];
        double sum = 0;
        for (int rank = 0; rank < keys; rank++) {
            sum += 1 / Math.pow(rank + 1.0, exponent);
            cumulative[rank] = sum;
        }
        keyOfRank = shuffled(keys, random);
    }

    /** The next key index. */
    int next() {
        double point = random.nextDouble() * cumulative[cumulative.length - 1];
        int found = Arrays.binarySearch(cumulative, point);
        int rank = found < 0 ? -found - 1 : found;
        return keyOfRank[Math.min(rank, keyOfRank.length - 1)];
    }

    /** The key index that comes most often. */
    int hottest() {
        return keyOfRank[0];
    }

    private static int[] shuffled(int size, Random random) {
        int[] values = new int[size];
        for (int i = 0; i < size; i++) {
            int other = random.nextInt(i + 1);
            values[i] = values[other];
            values[other] = i;
        }
        return values;
    }
}
