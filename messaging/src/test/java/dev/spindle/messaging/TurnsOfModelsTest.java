// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.channel.Channel;
import dev.spindle.pipeline.Coalescer;
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

/** The time for which a turn of a stage, consumer or coalescer holds its worker while other work is ready (N1). */
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
        Pipeline<int[]> pipeline = builder.start();
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
        assertStagesLetOthersRun(
                Pipeline.builder(spindle, () -> new int[1], 8_192).stage("any", event -> handle()));
    }

    @Test
    void n1_slowEventsOfAParallelStage_holdOthersForNoMoreThanAMoment() {
        assertStagesLetOthersRun(
                Pipeline.builder(spindle, () -> new int[1], 8_192).parallel("any", 2, event -> handle()));
    }

    @Test
    void n1_slowEventsOfABatchThatIsLeft_areSeenByTheNextStageAfterItsLast() {
        AtomicInteger flushed = new AtomicInteger();
        List<Integer> early = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        int[] place = new int[2];
        assertStagesLetOthersRun(Pipeline.builder(spindle, () -> new int[1], 8_192)
                .stage("journal", (event, batch) -> {
                    handle();
                    if (batch.isFirst()) {
                        place[0] = 0;
                        place[1] = batch.size();
                    }
                    if (++place[0] > place[1] || batch.size() != place[1] || batch.isLast() != (place[0] == place[1])) {
                        wrong.add(batch.sequence() + ": " + place[0] + " of " + place[1]);
                    }
                    if (batch.isLast()) {
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
        Channel<Integer> channel = Channel.buffered(ALL);
        for (int i = 0; i < ALL; i++) {
            assertThat(channel.offer(i)).isTrue();
        }
        CompletableFuture<@Nullable Void> end = channel.forEach(spindle.strand("consumer"), value -> handle());
        channel.close();
        assertOthersHaveTheirTurns();
        result(end);
        assertThat(handled).hasValue(ALL);
    }

    @Test
    void n1_slowKeysAfterFastOnes_holdOthersForNoMoreThanAMoment() {
        Coalescer<Integer, Integer> coalescer = Coalescer.<Integer, Integer>builder(spindle, (key, value) -> handle())
                .batch(ALL)
                .build();
        for (int i = 0; i < ALL; i++) {
            assertThat(coalescer.offer(i, i)).isTrue();
        }
        assertOthersHaveTheirTurns();
        resultOf(coalescer.drain());
        assertThat(handled).hasValue(ALL);
    }
}
