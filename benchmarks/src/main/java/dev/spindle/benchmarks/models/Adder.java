// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Where results come together. */
interface Adder {
    void add(double result);

    /** How many were added; what they come to is then known as well. */
    long added();

    double sum();

    /** For one adding task or actor after the other. */
    final class Serial implements Adder {
        private final AtomicLong published = new AtomicLong();
        private long added;
        private double sum;

        @Override
        public void add(double result) {
            sum += result;
            published.setRelease(++added);
        }

        @Override
        public long added() {
            return published.getAcquire();
        }

        @Override
        public double sum() {
            return sum;
        }
    }

    /** For all workers at once. */
    final class Shared implements Adder {
        private final LongAdder count = new LongAdder();
        private final AtomicLong bits = new AtomicLong();

        @Override
        public void add(double result) {
            long before;
            long after;
            do {
                before = bits.get();
                after = Double.doubleToRawLongBits(Double.longBitsToDouble(before) + result);
            } while (!bits.compareAndSet(before, after));
            count.increment();
        }

        @Override
        public long added() {
            return count.sum();
        }

        @Override
        public double sum() {
            return Double.longBitsToDouble(bits.get());
        }
    }
}
