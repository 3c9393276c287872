// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Strand;
import dev.spindle.testkit.Simulation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Coalescers in simulated time; waits of the test run the deliveries. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CoalescerSimulationTest {
    @Test
    void send_atTheBound_runsTheDeliveriesThatMakeRoom() {
        Simulation.explore(50, simulation -> {
            List<Integer> seen = new ArrayList<>();
            try (Coalescer<Integer, Integer> coalescer = Coalescer.<Integer, Integer>builder(
                            simulation.spindle(), (key, value) -> seen.add(value))
                    .maxKeys(2)
                    .build()) {
                for (int i = 0; i < 20; i++) {
                    coalescer.send(i, i);
                }
            }
            assertThat(seen).hasSize(20).doesNotHaveDuplicates();
        });
    }

    @Test
    void close_withPendingKeys_deliversThem() {
        Simulation.explore(50, simulation -> {
            List<Integer> seen = new ArrayList<>();
            try (Coalescer<Integer, Integer> coalescer = Coalescer.<Integer, Integer>builder(
                            simulation.spindle(), (key, value) -> seen.add(value))
                    .build()) {
                assertThat(coalescer.offer(1, 1)).isTrue();
                assertThat(coalescer.offer(1, 2)).isTrue();
            }
            assertThat(seen).contains(2);
        });
    }

    @Test
    void send_atABoundThatNothingLeaves_isADeadlockAndSendsNothing() {
        try (Simulation simulation = Simulation.inOrder()) {
            List<Integer> seen = new ArrayList<>();
            Strand strand = simulation.spindle().strand("paused");
            Coalescer<Integer, Integer> coalescer = Coalescer.<Integer, Integer>builder(
                            strand, (key, value) -> seen.add(value))
                    .maxKeys(1)
                    .build();
            strand.pause();
            assertThat(coalescer.offer(1, 1)).isTrue();

            assertThatThrownBy(() -> coalescer.send(2, 2))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("would never end");
            strand.resume();
            coalescer.close();
            assertThat(seen).containsExactly(1);
        }
    }
}
