// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.testkit.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pipelines in simulated time, which stands still while tasks run, in the orders that seeds choose. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PipelineSimulationTest {
    @Test
    void p1_stagesThatCatchUpInSimulatedTime_goIdleAndHandleWhatComesLater() {
        Simulation.explore(50, simulation -> {
            List<Integer> seen = new ArrayList<>();
            Pipeline<int[]> pipeline = Pipeline.builder(simulation.spindle(), () -> new int[1], 4)
                    .stage("first", event -> event[0]++)
                    .stage("last", event -> seen.add(event[0]))
                    .start();
            for (int i = 0; i < 6; i++) {
                int number = i;
                CompletionStage<@Nullable Void> unused = pipeline.publishAsync(event -> event[0] = number);
                if (i % 2 == 1) {
                    simulation.run(); // until the stages are idle
                }
            }
            simulation.await(pipeline.drain());

            assertThat(seen).containsExactly(1, 2, 3, 4, 5, 6);
        });
    }
}
