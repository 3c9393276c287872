// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Costs of this process as the JVM counts them; virtual threads do not count as threads. */
public final class OwnProcess {
    private static final long SETTLING_NANOS = 2_000_000_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private OwnProcess() {}

    /** Returns the processor time of the process, its compilers and collectors included; often in steps of 10 ms. */
    public static long cpuNanos() {
        return SYSTEM.getProcessCpuTime();
    }

    public static int liveThreads() {
        return THREADS.getThreadCount();
    }

    /** Resets the peak and returns the number of live threads. */
    public static int restartPeak() {
        int threads = liveThreads();
        THREADS.resetPeakThreadCount();
        return threads;
    }

    /** Returns the largest number of live threads since {@link #restartPeak}. */
    public static int peakThreads() {
        return THREADS.getPeakThreadCount();
    }

    /**
     * Waits until at most {@code threads} threads are alive. Threads still ending would count as the next subject's.
     */
    public static void settle(int threads) throws InterruptedException {
        long deadline = System.nanoTime() + SETTLING_NANOS;
        while (liveThreads() > threads && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
    }
}
