// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

/** A contender in a cell, which runs in a JVM of its own. One thread calls all methods. */
public interface Subject extends AutoCloseable {
    /** Runs one pass and records its figures. The method returns after all operations have ended. */
    void pass(Recorder recorder) throws InterruptedException;

    default void warmUp(Recorder forgotten) throws InterruptedException {
        pass(forgotten);
    }

    @Override
    void close();

    /** Returns the number of violations that were not added to a recorder; the number is exact after {@link #close}. */
    default long violations() {
        return 0;
    }

    /** Runs a pass, and records its figures. */
    interface Pass {
        void run(Recorder recorder) throws InterruptedException;
    }

    /** Returns a subject whose warm-up passes are like its timed passes. */
    static Subject of(Pass pass, Runnable ending) {
        return new Subject() {
            @Override
            public void pass(Recorder recorder) throws InterruptedException {
                pass.run(recorder);
            }

            @Override
            public void close() {
                ending.run();
            }
        };
    }

    /** Creates a contender before its passes are timed. */
    interface Setup {
        Subject open(Scale scale);
    }

    /**
     * The size of the passes.
     *
     * @param factor the factor of the number of operations; 1 for full size
     */
    record Scale(double factor) {
        public static final Scale FULL = new Scale(1);
        public static final Scale QUICK = new Scale(0.02);

        /** Returns {@code full} multiplied by the factor, but at least {@code least}. */
        public int of(int full, int least) {
            return Math.max(least, (int) (full * factor));
        }

        public boolean full() {
            return factor >= 1;
        }
    }

    /**
     * The number of operations of a pass, in cells where no fixed number suits both the fastest and the slowest
     * contender. The number doubles until a pass takes long enough to be timed.
     */
    public final class PassSize {
        private static final long LONG_ENOUGH = 150_000_000;

        private final int most;
        private int size;

        public PassSize(int first, int most) {
            this.size = first;
            this.most = most;
        }

        public int size() {
            return size;
        }

        /** Doubles the size, up to the maximum, if a pass of this size took less than 150 ms. */
        public void took(long nanos) {
            if (nanos < LONG_ENOUGH) {
                size = Math.min(most, 2 * size);
            }
        }
    }
}
