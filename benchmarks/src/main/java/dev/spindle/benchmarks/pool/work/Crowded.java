// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * Another workload on a machine that others use as well: beside busy processes that it starts and ends itself.
 *
 * @param inner what runs there; it has a rate
 * @param strangers how many processes
 */
public record Crowded(Workload inner, int strangers) implements Workload {
    @Override
    public int threads() {
        return inner.threads();
    }

    @Override
    public int outstanding() {
        return inner.outstanding();
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figures.PER_CPU_SECOND, Figures.RATE);
    }

    /** Each of the processes takes as large a part of the machine as the workload's busiest thread. */
    @Override
    public Effort effort() {
        Effort alone = inner.effort();
        return new Effort(alone.warmUp(), alone.timed(), alone.pass().multipliedBy(3), alone.passes());
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        Recorder recorder = stage.recorder();
        double cpuBefore = recorder.cpuNanos();
        long tasksBefore = recorder.ops();
        List<Stranger> hired = new ArrayList<>();
        try {
            for (int i = 0; i < strangers; i++) {
                hired.add(new Stranger());
            }
            inner.pass(stage);
        } finally {
            hired.forEach(stranger -> recorder.hired(stranger.end()));
        }
        double cpuSeconds = (recorder.cpuNanos() - cpuBefore) / 1e9;
        recorder.value(Figures.PER_CPU_SECOND, (recorder.ops() - tasksBefore) / cpuSeconds);
    }
}
