// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/** Measures the used heap after garbage collections. */
public final class UsedHeap {
    private static final int COLLECTIONS = 10;
    private static final long ENOUGH_ALIKE = 1_024;

    private UsedHeap() {}

    /**
     * Runs a garbage collection, and returns the bytes that were in use at its end. The result does not include later
     * allocations by other threads.
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

    /** Runs garbage collections until two readings of the used heap differ by less than 1 KiB, at most ten times. */
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
