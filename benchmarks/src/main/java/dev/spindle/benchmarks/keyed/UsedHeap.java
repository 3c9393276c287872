// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** The heap that is in use when nothing more can be collected. */
final class UsedHeap {
    private static final int COLLECTIONS = 10;
    private static final long ENOUGH_ALIKE = 1_024;

    private UsedHeap() {}

    /** Collects until two readings agree. */
    static long afterCollection() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long last = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            long used = memory.getHeapMemoryUsage().getUsed();
            if (Math.abs(last - used) < ENOUGH_ALIKE) {
                return used;
            }
            last = used;
        }
        return last;
    }
}
