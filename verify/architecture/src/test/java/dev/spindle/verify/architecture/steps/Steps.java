// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture.steps;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The steps of the two threads of a walk. The classes of a {@link CountingLoader} call the methods that count. */
public final class Steps {
    /** The side of the thread that submits. */
    public static final int SUBMIT = 0;

    /** The side of the worker that runs the task. */
    public static final int RUN = 1;

    private static final int OTHERS = 2;

    private static final int FIGURES = Step.values().length;
    private static final long[][] COUNTS = new long[OTHERS + 1][FIGURES];
    private static final BitSet[] CLASSES = {new BitSet(), new BitSet(), new BitSet()};
    private static final Thread SUBMITTER = Thread.currentThread();
    private static volatile @Nullable Thread worker;

    private Steps() {}

    /** Sets the worker, and begins to count. Called while no task is in the spindle and the worker is parked. */
    public static void begin(@Nullable Thread of) {
        for (int side = 0; side <= OTHERS; side++) {
            COUNTS[side] = new long[FIGURES];
            CLASSES[side].clear();
        }
        worker = of;
    }

    private static int side() {
        Thread thread = Thread.currentThread();
        return thread == SUBMITTER ? SUBMIT : thread == worker ? RUN : OTHERS;
    }

    /** Counts a call of a method of the class with the number {@code type}. */
    public static void call(int type) {
        int side = side();
        COUNTS[side][Step.CALL.index]++;
        CLASSES[side].set(type);
    }

    /** Counts a step. */
    public static void count(int step) {
        COUNTS[side()][step]++;
    }

    public static long of(int side, Step step) {
        return COUNTS[side][step.index];
    }

    /** Returns the number of classes of which a method was called by one of the two threads. */
    public static int classes() {
        BitSet all = (BitSet) CLASSES[SUBMIT].clone();
        all.or(CLASSES[RUN]);
        return all.cardinality();
    }
}
