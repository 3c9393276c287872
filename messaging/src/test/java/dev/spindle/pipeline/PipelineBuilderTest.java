// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The arguments that a builder rejects, and its messages. */
class PipelineBuilderTest {
    private final Spindle spindle = Spindle.create();

    @AfterEach
    void close() {
        spindle.shutdownNow();
    }

    @Test
    @SuppressWarnings("NullAway") // a factory that returns null
    void builder_badInput_isRefusedWithTheValueAndTheRemedy() {
        assertThatThrownBy(() ->
                        Pipeline.builder(spindle, "pipeline", () -> new int[1]).capacity(0))
                .hasMessage("capacity must be a power of two, is 0; take 1");
        assertThatThrownBy(() ->
                        Pipeline.builder(spindle, "pipeline", () -> new int[1]).capacity(1000))
                .hasMessage("capacity must be a power of two, is 1000; take 1024");
        PipelineBuilder<int[]> builder =
                Pipeline.builder(spindle, "pipeline", () -> new int[1]).capacity(8);
        assertThatThrownBy(() -> builder.after("x")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(builder::build).hasMessageContaining("has no stage");
        builder.stage("a", event -> {});
        assertThatThrownBy(() -> builder.stage("a", event -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is a stage a already");
        assertThatThrownBy(() -> builder.parallelStage("b", 0, event -> {})).hasMessageContaining("from 1 to 31, is 0");
        assertThatThrownBy(() -> builder.maxBatch(0)).hasMessage("maxBatch must be at least 1, is 0");
        builder.after("nowhere");
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stage a of pipeline pipeline is after a stage that does not exist, nowhere");
        assertThatThrownBy(() -> ErrorPolicy.retry(0)).hasMessage("retries must be at least 1, are 0");
        assertThatThrownBy(() -> Pipeline.builder(spindle, "pipeline", () -> null)
                        .capacity(8)
                        .stage("a", event -> {})
                        .build())
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("event made by the factory");
    }

    @Test
    void builder_cycle_isRefusedWithItsPath() {
        PipelineBuilder<int[]> builder = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(8)
                .stage("first", event -> {})
                .stage("a", event -> {})
                .after("first", "c")
                .stage("b", event -> {})
                .after("a")
                .stage("c", event -> {})
                .after("b");
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait for each other: a -> c -> b -> a");
    }

    @Test
    void builder_namesAndSizesThatCannotBe_areRefused() {
        assertThatThrownBy(() ->
                        Pipeline.builder(spindle, "pipeline", () -> new int[1]).capacity(Integer.MAX_VALUE))
                .hasMessage("capacity must be a power of two, is 2147483647; take 1073741824");
        PipelineBuilder<int[]> builder = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(2)
                .stage("clear", event -> {})
                .clear(event -> {});
        assertThatThrownBy(builder::build).hasMessageContaining("a stage cannot be named clear");
        assertThatThrownBy(() -> builder.parallelStage("many", 32, event -> {}))
                .hasMessageContaining("from 1 to 31, is 32");
        assertThat(ErrorPolicy.halt()).hasToString("halt");
        assertThat(ErrorPolicy.skip()).hasToString("skip");
        assertThat(ErrorPolicy.retry(2).thenSkip()).hasToString("retry(2) then skip");
        assertThat(ErrorPolicy.retry(2)).hasToString("retry(2) then halt");
    }

    @Test
    void p1_stagesDeclaredOneAfterAnother_areAChain() throws Exception {
        int events = 100_000;
        List<String> wrong = new ArrayList<>();
        Pipeline<long[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new long[2])
                .capacity(1_024)
                .stage("decode", event -> event[1] = 2 * event[0])
                .stage("validate", event -> event[1] += event[1] == 2 * event[0] ? 1 : -1_000)
                .stage("format", event -> event[1] *= 3)
                .stage("sink", event -> {
                    if (event[1] != 3 * (2 * event[0] + 1)) {
                        wrong.add(event[0] + ": " + event[1]);
                    }
                })
                .build();
        for (long i = 0; i < events; i++) {
            pipeline.publish((event, number) -> event[0] = number, i);
        }
        pipeline.close();

        assertThat(wrong.size())
                .as("wrong results of " + events + ", such as " + wrong.stream().findFirst())
                .isZero();
    }

    @Test
    void errorPolicy_beforeTheFirstStage_concernsAllStages_andAfterAStageThatStage() throws Exception {
        List<String> logged = Collections.synchronizedList(new ArrayList<>());
        EventHandler<int[]> failing = event -> {
            throw new IllegalStateException("expected");
        };
        Pipeline<int[]> all = Pipeline.builder(spindle, "all", () -> new int[1])
                .errorPolicy(ErrorPolicy.skip())
                .stage("first", event -> logged.add("first"))
                .stage("second", failing)
                .build();
        Pipeline<int[]> last = Pipeline.builder(spindle, "last", () -> new int[1])
                .stage("first", failing)
                .stage("second", event -> {})
                .errorPolicy(ErrorPolicy.skip())
                .build();

        for (int i = 0; i < 2; i++) {
            all.publish(event -> {});
        }
        last.publish(event -> {});
        all.close();

        assertThat(logged).hasSize(2);
        assertThat(all.terminated()).isCompleted();
        assertThatThrownBy(() -> last.terminated().get(20, TimeUnit.SECONDS)).hasRootCauseMessage("expected");
    }

    @Test
    void p1_branchesAskedForByName_runBesideEachOther() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        EventHandler<int[]> branch = event -> {
            both.countDown();
            if (!both.await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("the other branch does not run");
            }
            order.add(1);
        };
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(2)
                .stage("left", branch)
                .stage("right", branch)
                .afterPublish()
                .stage("join", event -> order.add(2))
                .after("left", "right")
                .stage("last", event -> order.add(3))
                .build();
        pipeline.publish(event -> event[0] = 1);
        pipeline.close();

        assertThat(order).containsExactly(1, 1, 2, 3);
    }

    @Test
    void builder_badBranches_areRefusedWithTheNameAndTheRemedy() {
        PipelineBuilder<int[]> builder = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(2)
                .stage("a", event -> {});
        assertThatThrownBy(builder::after)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("a", "afterPublish()");
        assertThatThrownBy(() -> builder.after("a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("stage a cannot come after itself");
        builder.stage("b", event -> {}).afterPublish();
        assertThatThrownBy(() -> builder.after("a")).hasMessageContainingAll("stage b", "leave out");
        builder.stage("c", event -> {}).after("a");
        assertThatThrownBy(builder::afterPublish).hasMessageContainingAll("stage c", "leave out");
        PipelineBuilder<int[]> backwards = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(2)
                .stage("second", event -> {})
                .after("first")
                .stage("first", event -> {});
        assertThatThrownBy(backwards::build).hasMessageContainingAll("second -> first -> second", "afterPublish()");
    }
}
