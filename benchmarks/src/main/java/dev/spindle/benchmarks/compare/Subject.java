// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

/** A contender at work in a cell, in a JVM of its own. One thread calls it. */
public interface Subject extends AutoCloseable {
    /** Runs one pass and records its figures. Returns when all work is done. */
    void pass(Recorder recorder) throws InterruptedException;

    /** Runs one pass so that the code is compiled. */
    default void warmUp(Recorder forgotten) throws InterruptedException {
        pass(forgotten);
    }

    /** Ends the contender's threads. */
    @Override
    void close();

    /** Returns the violations that no recorder has received; exact after closing. */
    default long violations() {
        return 0;
    }

    /** Prepares the contender before the clock starts. */
    interface Setup {
        Subject open(Scale scale);
    }

    /**
     * The size of the passes.
     *
     * @param factor the factor by which passes are scaled; 1 for full size
     */
    record Scale(double factor) {
        public static final Scale FULL = new Scale(1);
        public static final Scale QUICK = new Scale(0.02);

        /** Returns a number scaled down, but not below {@code least}. */
        public int of(int full, int least) {
            return Math.max(least, (int) (full * factor));
        }

        public boolean full() {
            return factor >= 1;
        }
    }
}
