// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.compare.Subject;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The events of a pass from one producer. Random orders come from a seed that is the same for every contender.
 *
 * @param increments the number of atomic increments that each event applies to its own counter
 */
record Traffic(int keys, int events, int increments, Order order) {
    private static final int FEWEST = 100;
    private static final int LONG_EVENT = 1_000;
    private static final Subject.Scale A_PART = new Subject.Scale(0.2);

    /** The order in which the producer touches the keys. */
    enum Order {
        ROUND_ROBIN,
        UNIFORM,
        /** Few hot keys and a long tail: the key of rank r is drawn with a probability proportional to 1 / r. */
        ZIPF
    }

    /** Returns this traffic with fewer events. */
    Traffic scaled(Subject.Scale scale) {
        return new Traffic(keys, Math.min(events, scale.of(events, FEWEST)), increments, order);
    }

    /** Returns the traffic of a warm-up pass: all events if they are short, a part of them if they are long. */
    Traffic warmUp() {
        return increments >= LONG_EVENT ? scaled(A_PART) : this;
    }

    /** Returns the key of each event. */
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
     * Scatters the ranks over the keys: an executor that maps keys to threads by a modulus must neither profit nor lose
     * from neighbouring hot keys.
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
