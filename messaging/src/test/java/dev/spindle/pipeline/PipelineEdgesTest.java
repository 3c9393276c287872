// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.ClosedException;
import dev.spindle.Spindle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits, interrupts and failures at the edges of a pipeline. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes are checked by other means
class PipelineEdgesTest {
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final Spindle spindle = Spindle.builder()
            .coreThreads(2)
            .onFailure((activity, failure) ->
                    told.add(activity.owner() + ", " + activity.task() + ": " + failure.getMessage()))
            .build();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final List<Integer> seen = new ArrayList<>();

    @AfterEach
    void close() {
        go.countDown();
        spindle.shutdownNow();
    }

    /** One slot, and a stage that waits for {@code go}. */
    private PipelineBuilder<int[]> slow() {
        return Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(1)
                .stage("slow", event -> {
                    entered.countDown();
                    go.await();
                    seen.add(event[0]);
                });
    }

    private static void set(int[] event, int value) {
        event[0] = value;
    }

    @Test
    void offer_limits_fromNoneToForEver() throws Exception {
        Pipeline<int[]> pipeline = slow().build();
        assertThat(pipeline.offer(event -> set(event, 1), FOR_EVER)).isTrue();
        assertThat(pipeline.offer(event -> set(event, 2), Duration.ofSeconds(Long.MIN_VALUE)))
                .isFalse();
        assertThat(pipeline.offer(event -> set(event, 2), Duration.ofNanos(1))).isFalse();
        assertThat(pipeline.offerAll(PipelineEdgesTest::set, List.of(2))).isFalse();
        assertThat(pipeline.offer(event -> set(event, 2))).isFalse();
        entered.await();
        go.countDown();
        assertThat(pipeline.offer(event -> set(event, 3), FOR_EVER)).isTrue();
        pipeline.close();
        assertThat(seen).containsExactly(1, 3);
        assertThat(pipeline).hasToString("pipeline pipeline[DRAINED, 0 of 1 slots used]");
    }

    @Test
    void publish_interruptedBeforeItHasToWait_throws() throws Exception {
        Pipeline<int[]> pipeline = slow().build();
        pipeline.publish(PipelineEdgesTest::set, 1);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> pipeline.publish(PipelineEdgesTest::set, 2)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        go.countDown();
        pipeline.close();
        assertThat(seen).containsExactly(1);
    }

    @Test
    void close_interrupted_haltsWaitsAndKeepsTheInterrupt() throws Exception {
        List<Integer> dropped = new ArrayList<>();
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(2)
                .stage("slow", event -> {
                    entered.countDown();
                    while (go.getCount() > 0) { // ignores its interrupt
                        Thread.onSpinWait();
                    }
                })
                .onDrop((event, stages) -> dropped.add(event[0]))
                .build();
        pipeline.publish(PipelineEdgesTest::set, 1);
        pipeline.publish(PipelineEdgesTest::set, 2);
        entered.await();
        AtomicBoolean kept = new AtomicBoolean();
        Thread closing = new Thread(() -> {
            pipeline.close();
            kept.set(Thread.currentThread().isInterrupted());
        });
        closing.start();
        closing.interrupt();
        while (!pipeline.toString().contains("HALT")) {
            Thread.onSpinWait();
        }
        assertThat(closing.isAlive()).isTrue();
        go.countDown();
        closing.join();
        assertThat(kept).isTrue();
        assertThat(dropped).isNotEmpty().endsWith(2);
    }

    @Test
    void dropHandler_thatThrowsOnAWorker_isToldToTheFailureHandler() throws Exception {
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "orders", () -> new int[1])
                .capacity(2)
                .stage("broken", event -> {
                    entered.countDown();
                    go.await();
                    throw new IllegalStateException("disk full");
                })
                .onDrop((event, stages) -> {
                    throw new IllegalStateException("cannot drop " + event[0]);
                })
                .build();
        pipeline.publish(PipelineEdgesTest::set, 1);
        pipeline.publish(PipelineEdgesTest::set, 2);
        entered.await();
        go.countDown();
        pipeline.halt().toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(told.poll(10, TimeUnit.SECONDS))
                .startsWith("stage broken of pipeline orders, strand orders/broken")
                .endsWith(": disk full");
        assertThat(told.poll(10, TimeUnit.SECONDS))
                .startsWith("pipeline orders, ")
                .endsWith("cannot drop 1");
        assertThat(told.poll(10, TimeUnit.SECONDS))
                .startsWith("pipeline orders, ")
                .endsWith("cannot drop 2");
    }

    @Test
    void stage_whoseLaneFailsWhileItRuns_haltsThePipeline() {
        HandPipeline hand = new HandPipeline();
        Pipeline<int[]> pipeline = hand.builder(16)
                .stage("any", event -> hand.lane("any").refuse(new OutOfMemoryError("thrown by a test")))
                .maxBatch(1)
                .build();
        for (int i = 0; i < 16; i++) {
            assertThat(pipeline.offerAll(PipelineEdgesTest::set, List.of(i))).isTrue();
        }
        assertThatThrownBy(hand::run).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> pipeline.offerAll(PipelineEdgesTest::set, List.of(16)))
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("thrown by a test");
    }

    /** The publisher wakes one strand, which wakes the next. */
    @Test
    void p1_eventsThatComeTogether_areSharedByTheStrandsOfAParallelStage() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "edges", () -> new int[1])
                .capacity(64)
                .parallelStage("work", 2, event -> together.await(20, TimeUnit.SECONDS))
                .build();
        pipeline.publishAll(PipelineEdgesTest::set, List.of(1, 2));
        pipeline.close();

        assertThat(told).isEmpty();
    }

    @Test
    void parallelStage_refusedByADrain_leavesTheEventAlone() {
        HandPipeline hand = new HandPipeline();
        Pipeline<int[]> pipeline = hand.builder(4)
                .parallelStage("many", 2, event -> seen.add(event[0]))
                .build();
        assertThatThrownBy(() -> pipeline.offer(event -> {
                    pipeline.drain();
                    event[0] = 1;
                }))
                .isInstanceOf(ClosedException.class);
        hand.run();
        assertThat(seen).isEmpty();
    }
}
