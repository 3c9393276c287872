// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.LatencyHistogram;
import java.util.concurrent.locks.LockSupport;

/** An event each millisecond. */
final class Paced implements Subject {
    private static final int EVENTS = 3_000;
    private static final long PERIOD_NANOS = 1_000_000;
    private static final int WARM_UP_FLOOD = 10_000;
    private static final int WARM_UP_EVENTS = 100;

    private final Floor floor;
    private final int events;

    /** @param floor of events that are told when they are published */
    Paced(Floor floor, Scale scale) {
        this.floor = floor;
        events = scale.of(EVENTS, 20);
    }

    @Override
    public void warmUp(Recorder forgotten) throws InterruptedException {
        floor.arm(WARM_UP_FLOOD, new LatencyHistogram());
        floor.publish(WARM_UP_FLOOD);
        forgotten.violations(floor.await());
        forgotten.violations(paced(WARM_UP_EVENTS, new LatencyHistogram()));
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        LatencyHistogram delays = new LatencyHistogram();
        long cpuBefore = recorder.contenderCpuNanos();
        recorder.begin();
        long violations = paced(events, delays);
        long nanos = recorder.end(events);
        long cpu = recorder.contenderCpuNanos() - cpuBefore;
        recorder.value(PipelineComparison.DELAY_P50, delays.percentile(0.5) / 1e3);
        recorder.value(PipelineComparison.DELAY_P99, delays.percentile(0.99) / 1e3);
        recorder.value(PipelineComparison.PACED_CPU, 100.0 * cpu / nanos);
        recorder.violations(violations);
    }

    private long paced(int count, LatencyHistogram delays) throws InterruptedException {
        floor.arm(count, delays);
        long due = System.nanoTime();
        for (int i = 0; i < count; i++) {
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            floor.publish(1);
            due += PERIOD_NANOS;
        }
        return floor.await();
    }

    @Override
    public void close() {
        floor.close();
    }
}
