// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/** Measures the heap that stays in use after collections. */
public final class UsedHeap {
    private static final int COLLECTIONS = 10;
    private static final long ENOUGH_ALIKE = 1_024;

    private UsedHeap() {}

    /**
     * Collects once, and returns the heap that was left, without later allocations by other threads, whose buffers
     * alone take megabytes.
     */
    public static long leftByCollection() {
        System.gc();
        long left = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage usage = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
            left += usage == null ? 0 : usage.getUsed();
        }
        return left;
    }

    /** Collects until two readings agree. */
    public static long afterCollection() {
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
