// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/** What this process costs, as the JVM counts it. */
public final class OwnProcess {
    private static final Duration SETTLING = Duration.ofSeconds(2);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private OwnProcess() {}

    /** Processor time of the whole process, its compilers and collectors included; often in steps of 10 ms. */
    public static long cpuNanos() {
        return SYSTEM.getProcessCpuTime();
    }

    /** How many threads live now; virtual threads do not count. */
    public static int liveThreads() {
        return THREADS.getThreadCount();
    }

    /** Begins to look for the peak anew; returns how many threads live now. */
    public static int restartPeak() {
        int threads = liveThreads();
        THREADS.resetPeakThreadCount();
        return threads;
    }

    /** The most threads that lived at a time since {@link #restartPeak}; virtual threads do not count. */
    public static int peakThreads() {
        return THREADS.getPeakThreadCount();
    }

    /**
     * Waits until no more than {@code threads} live: those that are still ending would be taken for the next subject's.
     */
    public static void settle(int threads) throws InterruptedException {
        long deadline = System.nanoTime() + SETTLING.toNanos();
        while (liveThreads() > threads && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
    }
}
