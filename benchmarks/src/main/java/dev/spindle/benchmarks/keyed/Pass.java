// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/**
 * One run of one workload through a fresh contender, from the first submit to the end of the last event. The contender
 * is made before the clock starts; threads that it starts on demand are started inside.
 */
record Pass(double millis, double cpuMillis, int threads, ThreadSwitches.Count switches, Ledger ledger) {
    private static final Duration SETTLING = Duration.ofSeconds(2);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    /** @throws StalledException if events are missing after {@code limit}; the contender is then not closed */
    static Pass run(Contender contender, Workload workload, int processors, Duration limit)
            throws InterruptedException {
        int threadsBefore = THREADS.getThreadCount();
        THREADS.resetPeakThreadCount();
        ThreadSwitches switchesBefore = ThreadSwitches.now();
        Subject subject = contender.open(workload, processors);
        long cpuStart = processCpuNanos();
        long start = System.nanoTime();
        subject.process(workload);
        boolean complete = workload.completion().await(limit);
        long end = System.nanoTime();
        long cpuEnd = processCpuNanos();
        if (!complete) {
            throw new StalledException(workload.ledger().miscounted() + " of " + workload.size()
                    + " events had not run after " + limit.toSeconds() + " s");
        }
        int threads = THREADS.getPeakThreadCount() - threadsBefore;
        ThreadSwitches.Count switches = ThreadSwitches.now().since(switchesBefore);
        subject.close();
        settle(threadsBefore);
        return new Pass((end - start) / 1e6, (cpuEnd - cpuStart) / 1e6, threads, switches, workload.ledger());
    }

    static long processCpuNanos() {
        return SYSTEM.getProcessCpuTime();
    }

    /** Threads that are still ending would be taken for the next pass's own. */
    static void settle(int threads) throws InterruptedException {
        long deadline = System.nanoTime() + SETTLING.toNanos();
        while (THREADS.getThreadCount() > threads && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
    }

    /** A contender that does not finish. */
    static final class StalledException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StalledException(String message) {
            super(message);
        }
    }
}
