// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;

/** The processor time, the platform threads and the used heap of this process, as counted by the JVM. */
public final class OwnProcess {
    private static final long SETTLING_NANOS = 2_000_000_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private OwnProcess() {}

    /** Returns the processor time of this process, including the JVM's threads; the resolution may be 10 ms. */
    public static long cpuNanos() {
        return SYSTEM.getProcessCpuTime();
    }

    public static int liveThreads() {
        return THREADS.getThreadCount();
    }

    /** Resets the peak, and returns the number of live threads. */
    public static int restartPeak() {
        int threads = liveThreads();
        THREADS.resetPeakThreadCount();
        return threads;
    }

    /** Returns the peak number of live threads since {@link #restartPeak}. */
    public static int peakThreads() {
        return THREADS.getPeakThreadCount();
    }

    /**
     * Waits up to two seconds until at most {@code threads} threads are alive. The next subject would be charged with a
     * thread that is still alive.
     */
    public static void settle(int threads) throws InterruptedException {
        long deadline = System.nanoTime() + SETTLING_NANOS;
        while (liveThreads() > threads && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
    }

    private static final int COLLECTIONS = 10;
    private static final long ENOUGH_ALIKE = 1_024;

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
