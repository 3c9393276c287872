// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import org.junit.jupiter.api.Test;

class KeyedPassesTest {
    @Test
    void pass_everySecondTaskOvertaken_isFoundOutInTheFirstPass() throws InterruptedException {
        KeyedPasses passes = new KeyedPasses(workload -> new Overtaking(), new Load(1, 100, 0, Traffic.ROUND_ROBIN));
        Recorder first = new Recorder();
        passes.pass(first);

        assertThat(first.values()).containsEntry(Figure.VIOLATIONS.field(), 100.0);
    }

    /** Runs each second task before the one that came before it. */
    private static final class Overtaking implements KeyedPasses.Feed {
        @Override
        public void process(Workload workload) {
            for (int event = 0; event < workload.size(); event += 2) {
                workload.task(event + 1).run();
                workload.task(event).run();
            }
        }

        @Override
        public void close() {}
    }
}
