// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A counter that some threads write and others read frequently, with padding against false sharing. */
final class Sequence {
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
    /** The index of the value: 128 bytes on either side, since processors fetch cache lines in pairs. Not measured. */
    private static final int AT = 16;

    private static final int LENGTH = 2 * AT + 1;

    private final long[] cells = new long[LENGTH];

    long get() {
        return (long) CELLS.getAcquire(cells, AT);
    }

    long getVolatile() {
        return (long) CELLS.getVolatile(cells, AT);
    }

    long getPlain() {
        return cells[AT];
    }

    void setRelease(long value) {
        CELLS.setRelease(cells, AT, value);
    }

    void setVolatile(long value) {
        CELLS.setVolatile(cells, AT, value);
    }

    boolean compareAndSet(long expected, long value) {
        return CELLS.compareAndSet(cells, AT, expected, value);
    }
}
