// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;

/** Stages that have worked and then have nothing to do. */
final class Idle implements Subject {
    private static final int EVENTS = 10_000;
    private static final int MILLIS = 10_000;

    private final Floor floor;
    private final int millis;

    Idle(Floor floor, Scale scale) {
        this.floor = floor;
        millis = scale.of(MILLIS, 1);
    }

    @Override
    public void warmUp(Recorder forgotten) throws InterruptedException {
        forgotten.violations(floor.run(EVENTS));
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        recorder.violations(floor.run(EVENTS));
        long cpuBefore = recorder.contenderCpuNanos();
        long start = System.nanoTime();
        Thread.sleep(millis);
        long nanos = System.nanoTime() - start;
        long cpu = recorder.contenderCpuNanos() - cpuBefore;
        recorder.value(PipelineComparison.IDLE_CPU, 100.0 * cpu / nanos);
        recorder.violations(floor.run(EVENTS));
    }

    @Override
    public void close() {
        floor.close();
    }
}
