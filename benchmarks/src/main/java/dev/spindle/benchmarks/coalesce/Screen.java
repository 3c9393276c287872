// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import java.util.function.Consumer;

/**
 * Where ticks are shown: keeps the last number of each producer and key, notices one that goes back, and takes its
 * time.
 */
final class Screen implements Consumer<Tick> {
    private static final int SPREAD = 16; // longs: few keys, shown by several threads, do not share a line

    private final int keys;
    private final long nanos;
    private final int stride;
    private final long[][] last;
    private final long[] shown;
    private final long[] backwards;
    private final long[] repeated;

    /** @param nanos how long it computes for each tick */
    Screen(int keys, int producers, long nanos) {
        this.keys = keys;
        this.nanos = nanos;
        stride = keys <= 1_000 ? SPREAD : 1;
        last = new long[producers][keys * stride];
        shown = new long[keys * stride];
        backwards = new long[keys * stride];
        repeated = new long[keys * stride];
    }

    @Override
    public void accept(Tick tick) {
        int at = tick.key() * stride;
        long[] numbers = last[tick.producer()];
        if (tick.number() < numbers[at]) {
            backwards[at]++;
        } else if (tick.number() == numbers[at]) {
            repeated[at]++;
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

    /** How many ticks were shown. */
    long shown() {
        return sum(shown);
    }

    /** How many were older than one shown before. */
    long backwards() {
        return sum(backwards);
    }

    /** How many were shown once more. */
    long repeated() {
        return sum(repeated);
    }

    /**
     * How many keys did not show the last of what was sent.
     *
     * @param sent the last number of each producer and key, 0 if there was none
     */
    long stale(long[][] sent) {
        long stale = 0;
        for (int key = 0; key < keys; key++) {
            boolean any = false;
            boolean showsALast = false;
            for (int producer = 0; producer < sent.length; producer++) {
                any |= sent[producer][key] > 0;
                showsALast |= sent[producer][key] > 0 && last[producer][key * stride] == sent[producer][key];
            }
            stale += any && !showsALast ? 1 : 0;
        }
        return stale;
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }
}
