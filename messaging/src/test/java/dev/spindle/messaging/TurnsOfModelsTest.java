// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.channel.Channel;
import dev.spindle.pipeline.Pipeline;
import dev.spindle.pipeline.PipelineBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The time for which a turn of a stage or consumer holds its worker while other work is ready (N1). */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TurnsOfModelsTest {
    private static final int FAST = 4_000;
    private static final int SLOW = 60;
    private static final int ALL = FAST + SLOW;

    /** Three events of 10 ms within 20 ms; the rest allows for pauses of the observing thread. */
    private static final int MOST_BETWEEN = 9;

    private final Spindle spindle =
            Spindle.builder().coreThreads(1).maxThreads(1).build();
    private final AtomicInteger handled = new AtomicInteger();
    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch slow = new CountDownLatch(1);

    @AfterEach
    void end() {
        spindle.shutdownNow();
    }

    /** Handles an event: the first ones are short, later ones take 10 ms each. */
    private void handle() {
        if (handled.get() == 0) {
            await(go);
        }
        if (handled.incrementAndGet() > FAST) {
            slow.countDown();
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10);
            while (System.nanoTime() < end) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
        }
    }

    /** Submits tasks while slow events are handled, and counts the events handled before each task begins. */
    private void assertOthersHaveTheirTurns() {
        go.countDown();
        await(slow);
        List<Integer> between = new ArrayList<>();
        while (handled.get() < ALL - MOST_BETWEEN) {
            int before = handled.get();
            between.add(result(spindle.submit(handled::get)) - before);
        }
        assertThat(between).isNotEmpty().allMatch(events -> events <= MOST_BETWEEN);
    }

    private void assertStagesLetOthersRun(PipelineBuilder<int[]> builder) {
        Pipeline<int[]> pipeline = builder.build();
        for (int i = 0; i < ALL; i++) {
            int value = i;
            assertThat(pipeline.offer(event -> event[0] = value)).isTrue();
        }
        assertOthersHaveTheirTurns();
        resultOf(pipeline.drain());
        assertThat(handled).hasValue(ALL);
    }

    @Test
    void n1_slowEventsAfterFastOnes_holdOthersForNoMoreThanAMoment() {
        assertStagesLetOthersRun(Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(8_192)
                .stage("any", event -> handle()));
    }

    @Test
    void n1_slowEventsOfAParallelStage_holdOthersForNoMoreThanAMoment() {
        assertStagesLetOthersRun(Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(8_192)
                .parallelStage("any", 2, event -> handle()));
    }

    @Test
    void n1_slowEventsOfABatchThatIsLeft_areSeenByTheNextStageAfterItsLast() {
        AtomicInteger flushed = new AtomicInteger();
        List<Integer> early = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        int[] handled = new int[1];
        assertStagesLetOthersRun(Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(8_192)
                .stage("journal", (event, sequence, endOfBatch) -> {
                    handle();
                    if (++handled[0] > 128) {
                        wrong.add(sequence + " is number " + handled[0] + " of a batch");
                    }
                    if (endOfBatch) {
                        handled[0] = 0;
                        flushed.set(event[0]);
                    }
                })
                .stage("answer", event -> {
                    if (event[0] > flushed.get()) {
                        early.add(event[0]);
                    }
                }));
        assertThat(early).as("answered before the flush").isEmpty();
        assertThat(wrong).isEmpty();
    }

    @Test
    void n1_slowValuesAfterFastOnes_holdOthersForNoMoreThanAMoment() {
        Channel<Integer> channel = Channel.buffered("channel", ALL);
        for (int i = 0; i < ALL; i++) {
            assertThat(channel.offer(i)).isTrue();
        }
        CompletableFuture<@Nullable Void> end = channel.forEach(spindle.strand("consumer"), value -> handle());
        channel.close();
        assertOthersHaveTheirTurns();
        result(end);
        assertThat(handled).hasValue(ALL);
    }
}
