// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The drop handler gets the unhandled events, and the stages that had handled each. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DroppedEventsTest {
    private final HandPipeline hand = new HandPipeline();
    private final List<String> dropped = Collections.synchronizedList(new ArrayList<>());

    private void drop(int[] event, List<String> handled) {
        dropped.add(event[0] + " " + handled);
    }

    private static void publish(Pipeline<int[]> pipeline, int from, int to) {
        for (int i = from; i < to; i++) {
            int value = i;
            assertThat(pipeline.offer(event -> event[0] = value)).isTrue();
        }
    }

    private void halt(Pipeline<int[]> pipeline) {
        CompletionStage<?> halted = pipeline.halt();
        hand.run();
        assertThat(halted.toCompletableFuture()).isCompleted();
    }

    @Test
    void onDrop_chainAndBranch_namesTheStagesThatHadHandledTheEvent() {
        Pipeline<int[]> pipeline = hand.builder(4)
                .stage("journal", event -> {})
                .stage("apply", event -> {})
                .stage("audit", event -> {})
                .afterPublish()
                .stage("last", event -> {})
                .after("apply", "audit")
                .onDrop(this::drop)
                .build();
        publish(pipeline, 0, 2);
        hand.lane("journal").run();
        hand.lane("audit").run();
        hand.lane("apply").run();
        publish(pipeline, 2, 3);
        hand.lane("audit").run();
        publish(pipeline, 3, 4);
        halt(pipeline);

        assertThat(dropped)
                .containsExactly("0 [journal, apply, audit]", "1 [journal, apply, audit]", "2 [audit]", "3 []");
    }

    @Test
    void onDrop_secondRoundOfTheRing_doesNotTakeAnOlderEventForThisOne() {
        Pipeline<int[]> pipeline = hand.builder(2)
                .parallelStage("many", 2, event -> {})
                .maxBatch(1)
                .stage("last", event -> {})
                .clear(event -> {})
                .onDrop(this::drop)
                .build();
        publish(pipeline, 0, 2);
        hand.run();
        publish(pipeline, 2, 4);
        halt(pipeline);

        assertThat(dropped).containsExactly("2 []", "3 []");
    }

    @Test
    void onDrop_skippedEvent_namesNeitherTheStageThatSkippedItNorThoseThatFollow() {
        Pipeline<int[]> pipeline = hand.builder(4)
                .stage("check", event -> {
                    if (event[0] == 1) {
                        throw new IllegalStateException("mine");
                    }
                })
                .errorPolicy(ErrorPolicy.skip())
                .stage("apply", event -> {})
                .stage("last", event -> {})
                .onDrop(this::drop)
                .build();
        Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {});
        try {
            publish(pipeline, 0, 3);
            hand.lane("check").run();
            hand.lane("apply").run();
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(before);
        }
        halt(pipeline);

        assertThat(dropped).containsExactly("0 [check, apply]", "1 []", "2 [check, apply]");
    }

    @Test
    void onDrop_strandOfAParallelStageThatWasAhead_isNamed() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch ahead = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (Spindle spindle =
                Spindle.builder().coreThreads(2).onFailure((activity, e) -> {}).build()) {
            Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                    .capacity(2)
                    .parallelStage("many", 2, event -> {
                        if (event[0] == 0) {
                            held.countDown();
                            await(go);
                            throw new IllegalStateException("mine");
                        }
                        ahead.countDown();
                    })
                    .maxBatch(1)
                    .onDrop(this::drop)
                    .build();
            publish(pipeline, 0, 1);
            await(held);
            publish(pipeline, 1, 2);
            await(ahead);
            CompletionStage<?> halted = pipeline.halt();
            go.countDown();
            resultOf(halted);
        }
        assertThat(dropped).containsExactly("0 []", "1 [many]");
    }
}
