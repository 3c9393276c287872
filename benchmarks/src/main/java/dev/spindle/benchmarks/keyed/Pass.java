// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.OwnProcess;
import dev.spindle.benchmarks.forks.StalledException;
import dev.spindle.benchmarks.forks.ThreadSwitches;
import java.time.Duration;

/**
 * One run of one workload through a fresh contender, from the first submit to the end of the last event. The contender
 * is made before the clock starts; threads that it starts on demand are started inside.
 */
record Pass(double millis, double cpuMillis, int threads, ThreadSwitches.Count switches, Ledger ledger) {
    /** @throws StalledException if events are missing after {@code limit}; the contender is then not closed */
    static Pass run(Contender contender, Workload workload, int processors, Duration limit)
            throws InterruptedException {
        int threadsBefore = OwnProcess.restartPeak();
        ThreadSwitches switchesBefore = ThreadSwitches.now();
        Subject subject = contender.open(workload, processors);
        long cpuStart = OwnProcess.cpuNanos();
        long start = System.nanoTime();
        subject.process(workload);
        boolean complete = workload.completion().await(limit);
        long end = System.nanoTime();
        long cpuEnd = OwnProcess.cpuNanos();
        if (!complete) {
            throw new StalledException(workload.ledger().miscounted() + " of " + workload.size()
                    + " events had not run after " + limit.toSeconds() + " s");
        }
        int threads = OwnProcess.peakThreads() - threadsBefore;
        ThreadSwitches.Count switches = ThreadSwitches.now().since(switchesBefore);
        subject.close();
        OwnProcess.settle(threadsBefore);
        return new Pass((end - start) / 1e6, (cpuEnd - cpuStart) / 1e6, threads, switches, workload.ledger());
    }
}
