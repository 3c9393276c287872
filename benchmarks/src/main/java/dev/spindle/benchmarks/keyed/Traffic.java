// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.compare.Subject;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The keys of a pass's events and their order. A random order is drawn from a seed, and every contender gets the same
 * seeds.
 *
 * @param increments the number of atomic increments that each event performs
 */
record Traffic(int keys, int events, int increments, Order order) {
    private static final int FEWEST = 100;
    private static final int LONG_EVENT = 1_000;
    private static final Subject.Scale A_PART = new Subject.Scale(0.2);

    enum Order {
        ROUND_ROBIN,
        UNIFORM,
        /** The key of rank r is drawn with a probability proportional to 1 / r. */
        ZIPF
    }

    Traffic scaled(Subject.Scale scale) {
        return new Traffic(keys, Math.min(events, scale.of(events, FEWEST)), increments, order);
    }

    /** Returns the traffic of a warm-up pass: all events if an event is short, otherwise a fifth of the events. */
    Traffic warmUp() {
        return increments >= LONG_EVENT ? scaled(A_PART) : this;
    }

    int[] keysOfEvents(long seed) {
        Random random = new Random(seed);
        return switch (order) {
            case ROUND_ROBIN ->
                IntStream.range(0, events).map(event -> event % keys).toArray();
            case UNIFORM ->
                IntStream.range(0, events).map(event -> random.nextInt(keys)).toArray();
            case ZIPF -> zipf(random);
        };
    }

    /**
     * Draws the keys by rank, and assigns the ranks to keys at random. Adjacent hot keys would favour some executors
     * that map keys to threads by a modulus.
     */
    private int[] zipf(Random random) {
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
}
