// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The processor time and the platform threads of this process, as counted by the JVM. */
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
}
