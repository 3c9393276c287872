// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.ClosedException;
import dev.spindle.Keyed;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pipelines in simulated time, which stands still while tasks run, in orders chosen by seeds. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PipelineSimulationTest {
    @Test
    void p1_stagesThatCatchUpInSimulatedTime_goIdleAndHandleWhatComesLater() {
        Simulation.explore(50, simulation -> {
            List<Integer> seen = new ArrayList<>();
            Pipeline<int[]> pipeline = Pipeline.builder(simulation.spindle(), "pipeline", () -> new int[1])
                    .capacity(4)
                    .stage("first", event -> event[0]++)
                    .stage("last", event -> seen.add(event[0]))
                    .build();
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

    // ---------------------------------------------------------------- waits of the test

    @Test
    void publish_atAFullRing_runsTheStagesThatMakeRoom() {
        Simulation.explore(50, simulation -> {
            List<Integer> seen = new ArrayList<>();
            try (Pipeline<int[]> pipeline = numbers(simulation, seen)) {
                for (int i = 0; i < 20; i++) {
                    int number = i;
                    pipeline.publish(event -> event[0] = number);
                }
                pipeline.publishAll((event, number) -> event[0] = number, List.of(20, 21, 22));
            }
            assertThat(seen)
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(0, 22).boxed().toList());
        });
    }

    private static Pipeline<int[]> numbers(Simulation simulation, List<Integer> seen) {
        return Pipeline.builder(simulation.spindle(), "pipeline", () -> new int[1])
                .capacity(4)
                .stage("only", event -> seen.add(event[0]))
                .build();
    }

    @Test
    void offer_withALimitAtAFullRing_endsInSimulatedTime() throws Exception {
        try (Simulation simulation = Simulation.inOrder()) {
            Pipeline<int[]> pipeline = Pipeline.builder(simulation.spindle(), "pipeline", () -> new int[1])
                    .capacity(1)
                    .stage(
                            "slow",
                            event -> simulation
                                    .spindle()
                                    .schedule(() -> {}, 1, TimeUnit.HOURS)
                                    .get())
                    .build();
            assertThat(pipeline.offer(event -> {}, Duration.ofMinutes(5))).isTrue();

            assertThat(pipeline.offer(event -> {}, Duration.ofMinutes(5))).isFalse();
            assertThat(simulation.spindle().nanoTime())
                    .isEqualTo(Duration.ofMinutes(5).toNanos());
            assertThat(pipeline.offer(event -> {}, Duration.ofHours(2))).isTrue();
            pipeline.close();
        }
    }

    @Test
    void publish_atARingThatNothingEmpties_isADeadlock() throws Exception {
        try (Simulation simulation = Simulation.inOrder()) {
            Keyed<String> keyed = simulation.spindle().keyed("keys");
            keyed.at("k").pause();
            CompletableFuture<?> never = keyed.submit("k", () -> {});
            Pipeline<int[]> pipeline = Pipeline.builder(simulation.spindle(), "pipeline", () -> new int[1])
                    .capacity(1)
                    .stage("stuck", event -> never.get())
                    .build();
            pipeline.publish(event -> {});

            assertThatThrownBy(() -> pipeline.publish(event -> {}))
                    .isInstanceOf(ClosedException.class)
                    .hasRootCauseInstanceOf(IllegalStateException.class)
                    .rootCause()
                    .hasMessageContaining("would never end");
        }
    }

    // ---------------------------------------------------------------- orders

    @Test
    void orders_ofAParallelStage_areAllThatItsWidthAllows() {
        Set<String> orders = new HashSet<>();
        for (int seed = 0; seed < 2_000; seed++) {
            StringBuilder order = new StringBuilder();
            try (Simulation simulation = Simulation.seeded(seed)) {
                Pipeline<int[]> pipeline = Pipeline.builder(simulation.spindle(), "pipeline", () -> new int[1])
                        .capacity(4)
                        .parallelStage("parallel", 4, event -> order.append(event[0]))
                        .build();
                for (int i = 0; i < 4; i++) {
                    int number = i;
                    assertThat(pipeline.offer(event -> event[0] = number)).isTrue();
                }
                simulation.run();
                pipeline.close();
            }
            orders.add(order.toString());
        }
        assertThat(orders).hasSize(24);
    }

    @Test
    void orders_ofTwoStages_areAllThatKeepEachEventInOrder() {
        Set<String> orders = new HashSet<>();
        for (int seed = 0; seed < 1_000; seed++) {
            StringBuilder order = new StringBuilder();
            try (Simulation simulation = Simulation.seeded(seed)) {
                Pipeline<char[]> pipeline = Pipeline.builder(simulation.spindle(), "pipeline", () -> new char[1])
                        .capacity(4)
                        .stage("first", event -> order.append(event[0]))
                        .stage("second", event -> order.append(Character.toUpperCase(event[0])))
                        .build();
                for (char name = 'a'; name <= 'c'; name++) {
                    char of = name;
                    assertThat(pipeline.offer(event -> event[0] = of)).isTrue();
                }
                simulation.run();
                pipeline.close();
            }
            orders.add(order.toString());
        }
        assertThat(orders).containsExactlyInAnyOrder("aAbBcC", "aAbcBC", "abABcC", "abAcBC", "abcABC");
    }

    // ---------------------------------------------------------------- replays

    /** Idle stages do not spin, which would take real time and random numbers of the seed. */
    @Test
    void replay_ofStagesThatGoIdle_isTheSame() {
        for (long seed = 0; seed < 5; seed++) {
            Set<String> orders = new HashSet<>();
            for (int replay = 0; replay < 20; replay++) {
                orders.add(order(seed));
            }
            assertThat(orders).hasSize(1);
        }
    }

    private static String order(long seed) {
        StringBuilder order = new StringBuilder();
        try (Simulation simulation = Simulation.seeded(seed)) {
            Pipeline<int[]> pipeline = Pipeline.builder(simulation.spindle(), "pipeline", () -> new int[1])
                    .capacity(4)
                    .stage("first", event -> order.append(event[0]))
                    .parallelStage("second", 3, event -> order.append((char) ('a' + event[0])))
                    .stage("third", event -> order.append((char) ('A' + event[0])))
                    .build();
            for (int i = 0; i < 10; i++) {
                int number = i;
                simulation.spindle().execute(() -> {
                    CompletionStage<@Nullable Void> unused = pipeline.publishAsync(event -> event[0] = number);
                });
                simulation.step();
            }
            simulation.run();
            pipeline.close();
        }
        return order.toString();
    }
}
