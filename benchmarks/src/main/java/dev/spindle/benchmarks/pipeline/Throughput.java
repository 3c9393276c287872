// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import dev.spindle.benchmarks.compare.PassSize;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;

/** Events as fast as they can be published. */
final class Throughput implements Subject {
    private final Floor floor;
    private final PassSize size = new PassSize(20_000, 10_000_000);

    Throughput(Floor floor) {
        this.floor = floor;
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        int events = size.size();
        recorder.begin();
        long violations = floor.run(events);
        long nanos = recorder.end(events);
        size.took(nanos);
        recorder.value(PipelineComparison.EVENT, (double) nanos / events);
        recorder.violations(violations);
    }

    @Override
    public void close() {
        floor.close();
    }
}
