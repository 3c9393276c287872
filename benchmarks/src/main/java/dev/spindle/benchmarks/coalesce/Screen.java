// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.benchmarks.coalesce.Feed.Tick;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The consumer, which records the last number of each producer and key, and counts ticks that are received out of
 * order.
 */
final class Screen implements Consumer<Tick> {
    private static final int SPREAD = 16; // in longs; the counts of two keys are on different cache lines

    private final long nanos;
    private final boolean mayRepeat;
    private final int stride;
    private final long[][] last;
    private final long[] shown;
    private final long[] wrong;

    /**
     * @param nanos the time that the consumer computes for each tick
     * @param mayRepeat true if the contender may deliver an update twice
     */
    Screen(int keys, int producers, long nanos, boolean mayRepeat) {
        this.nanos = nanos;
        this.mayRepeat = mayRepeat;
        stride = keys <= 1_000 ? SPREAD : 1;
        last = new long[producers][keys * stride];
        shown = new long[keys * stride];
        wrong = new long[keys * stride];
    }

    @Override
    public void accept(Tick tick) {
        int at = tick.key() * stride;
        long[] numbers = last[tick.producer()];
        if (tick.number() < numbers[at] || (tick.number() == numbers[at] && !mayRepeat)) {
            wrong[at]++;
        }
        numbers[at] = tick.number();
        shown[at]++;
        if (nanos > 0) {
            long end = System.nanoTime() + nanos;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
    }

    long shown() {
        return Arrays.stream(shown).sum();
    }

    /**
     * Returns the number of ticks received out of order or twice, plus the number of keys whose last update was not
     * received.
     *
     * @param sent the last number that each producer sent for each key, or 0
     */
    long violations(long[][] sent) {
        long violations = Arrays.stream(wrong).sum();
        for (int key = 0; key < sent[0].length; key++) {
            boolean any = false;
            boolean showsALast = false;
            for (int producer = 0; producer < sent.length; producer++) {
                any |= sent[producer][key] > 0;
                showsALast |= sent[producer][key] > 0 && last[producer][key * stride] == sent[producer][key];
            }
            violations += any && !showsALast ? 1 : 0;
        }
        return violations;
    }
}
