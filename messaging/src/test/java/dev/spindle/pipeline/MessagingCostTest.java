// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Cost;
import dev.spindle.CpuTime;
import dev.spindle.Spindle;
import dev.spindle.TestSupport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The growth of the costs of operations of pipelines: docs/costs.md. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MessagingCostTest {
    static Stream<Cost> cases() {
        return Stream.of(
                new Cost("publish", MessagingCostTest::publish),
                new Cost("publishAsync", MessagingCostTest::publishAsync),
                new Cost("haltOfPipeline", MessagingCostTest::haltOfPipeline));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void u2_tenTimesTheLoad_takesAtMostFifteenTimesAsLong(Cost of) throws Exception {
        of.check();
    }

    /** An event. */
    private static final class Event {
        private int value;
    }

    private static Spindle spindle() {
        return Spindle.builder().coreThreads(1).maxThreads(1).build();
    }

    private static void end(Spindle spindle) throws InterruptedException {
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    private static long publish(int n) throws InterruptedException {
        Spindle spindle = spindle();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(64)
                .stage("a", e -> {})
                .build();
        CpuTime cpu = CpuTime.start();
        for (int i = 0; i < n; i++) {
            pipeline.publish(e -> e.value++);
        }
        pipeline.close();
        long took = cpu.nanos();
        end(spindle);
        return took;
    }

    /** Events that wait for room in a ring whose stage is blocked. */
    private static long publishAsync(int n) throws InterruptedException {
        Spindle spindle = spindle();
        CountDownLatch open = new CountDownLatch(1);
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(16)
                .stage("a", e -> await(open))
                .build();
        List<CompletionStage<@Nullable Void>> stages = new ArrayList<>();
        CpuTime cpu = CpuTime.start();
        for (int i = 0; i < n; i++) {
            stages.add(pipeline.publishAsync(e -> e.value++));
        }
        open.countDown();
        stages.forEach(TestSupport::resultOf);
        long took = cpu.nanos();
        end(spindle);
        return took;
    }

    private static long haltOfPipeline(int n) throws InterruptedException {
        Spindle spindle = spindle();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(Integer.highestOneBit(n))
                .stage("a", e -> {
                    entered.countDown();
                    await(open);
                })
                .build();
        while (pipeline.offer(e -> e.value++)) {
            Thread.onSpinWait();
        }
        List<CompletionStage<@Nullable Void>> waiting = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            waiting.add(pipeline.publishAsync(e -> e.value++));
        }
        await(entered);
        CpuTime cpu = CpuTime.start();
        CompletionStage<?> halted = pipeline.halt();
        open.countDown();
        resultOf(halted);
        waiting.forEach(stage ->
                stage.toCompletableFuture().handle((done, failure) -> 1).join());
        long took = cpu.nanos();
        end(spindle);
        return took;
    }
}
