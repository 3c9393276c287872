// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.messaging.Diver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Publishers and senders that overflow the stack at any point: no step may stop half-way. */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StackOverflowTest {
    private static final int ROUNDS = 8;

    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    private final Spindle spindle = Spindle.builder()
            .coreThreads(2)
            .maxThreads(4)
            .onFailure((activity, failure) -> failures.add(failure))
            .build();

    @AfterEach
    void end() throws InterruptedException {
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(failures).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void s1_publishThatOverflowsAtAnyDepth_leavesThePipelineGoingOn(boolean single) throws Exception {
        AtomicInteger handled = new AtomicInteger();
        AtomicInteger published = new AtomicInteger();
        PipelineBuilder<int[]> builder =
                Pipeline.builder(spindle, "pipeline", () -> new int[1]).capacity(16);
        if (single) {
            builder.singlePublisher(true);
        }
        Pipeline<int[]> pipeline =
                builder.stage("count", event -> handled.incrementAndGet()).build();
        Diver diver = new Diver(() -> {
            pipeline.publish(event -> event[0] = 1);
            published.incrementAndGet();
        });

        diver.dive(ROUNDS);

        pipeline.publish(event -> event[0] = 2);
        resultOf(pipeline.drain());
        assertThat(diver.overflows()).isGreaterThan(ROUNDS);
        assertThat(handled.get()).isEqualTo(published.get() + 1);
    }

    @Test
    void s1_publishAsyncAndOfferThatOverflowAtAnyDepth_leaveThePipelineGoingOn() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        AtomicInteger published = new AtomicInteger();
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(2)
                .stage("count", event -> handled.incrementAndGet())
                .build();
        Diver diver = new Diver(() -> {
            if (pipeline.offer(event -> event[0] = 1)) {
                published.incrementAndGet();
            }
            resultOf(pipeline.publishAsync(event -> event[0] = 1));
            published.incrementAndGet();
        });

        diver.dive(ROUNDS);

        pipeline.publish(event -> event[0] = 2);
        resultOf(pipeline.drain());
        assertThat(diver.overflows()).isGreaterThan(ROUNDS);
        assertThat(handled.get()).isGreaterThan(published.get());
    }

    @Test
    void s1_fillerThatOverflows_leavesThePipelineGoingOn() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(4)
                .stage("count", event -> handled.incrementAndGet())
                .build();
        int failed = 0;
        for (int i = 0; i < 20; i++) {
            try {
                pipeline.publish(event -> event[0] = endless(0));
            } catch (StackOverflowError e) {
                failed++;
            }
        }
        pipeline.publish(event -> event[0] = 1);
        resultOf(pipeline.drain());
        assertThat(failed).isEqualTo(20);
        assertThat(handled.get()).isEqualTo(1);
    }

    private static int endless(int level) {
        return level < 0 ? 0 : endless(level + 1) + level;
    }
}
