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
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The interrupt flag at the start of user code that a pipeline runs (A4). */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PipelineFlagsTest {
    private final Map<String, AtomicInteger> began = new ConcurrentHashMap<>();
    private final List<String> dirty = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch go = new CountDownLatch(1);
    private final Spindle spindle = Spindle.builder()
            .coreThreads(1)
            .maxThreads(1)
            .onFailure((activity, failure) -> code("failure handler"))
            .build();

    @AfterEach
    void end() {
        spindle.shutdownNow();
    }

    /** User code that records the flag, and leaves it set. */
    private void code(String what) {
        began.computeIfAbsent(what, any -> new AtomicInteger()).incrementAndGet();
        if (Thread.currentThread().isInterrupted()) {
            dirty.add(what);
        }
        Thread.currentThread().interrupt();
    }

    private void assertClean(String what, int times) {
        assertThat(dirty).isEmpty();
        assertThat(began.get(what)).as(what).hasValue(times);
    }

    private void waitForGo() {
        boolean unused = Thread.interrupted();
        await(go);
    }

    @Test
    void a4_handlersAndRetries_beginWithAClearFlag() {
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(16)
                .stage("first", event -> {
                    waitForGo();
                    code("first");
                })
                .stage("retried", event -> {
                    code("retried");
                    if (++event[0] < 3) {
                        throw new IllegalStateException("again");
                    }
                })
                .errorPolicy(ErrorPolicy.retry(2))
                .stage("skips", event -> {
                    throw new IllegalStateException("never");
                })
                .errorPolicy(ErrorPolicy.retry(1).thenSkip())
                .afterPublish()
                .parallelStage("parallel", 2, event -> code("parallel"))
                .after("first", "retried")
                .stage("batch", (event, sequence, endOfBatch) -> code("batch"))
                .build();
        for (int i = 0; i < 16; i++) {
            assertThat(pipeline.offer(event -> event[0] = 0)).isTrue();
        }
        go.countDown();
        resultOf(pipeline.drain());

        assertClean("first", 16);
        assertClean("retried", 48);
        assertClean("failure handler", 16);
        assertClean("parallel", 16);
        assertClean("batch", 16);
    }

    @Test
    void a4_clear_beginsWithAClearFlag() {
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(16)
                .stage("first", event -> code("first"))
                .clear(event -> code("clear"))
                .build();
        for (int i = 0; i < 16; i++) {
            assertThat(pipeline.offer(event -> event[0] = 0)).isTrue();
        }
        resultOf(pipeline.drain());

        assertClean("first", 16);
        assertClean("clear", 16);
    }

    @Test
    void a4_fillersThatWaited_beginWithAClearFlag() {
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(1)
                .stage("slow", event -> {
                    waitForGo();
                    code("slow");
                })
                .build();
        assertThat(pipeline.offer(event -> event[0] = 1)).isTrue();
        List<CompletionStage<?>> stages = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            stages.add(pipeline.publishAsync(event -> code("filler")).thenRun(() -> code("dependent")));
        }
        go.countDown();
        stages.forEach(stage -> resultOf(stage));

        assertClean("filler", 20);
        assertThat(began.get("dependent")).hasValue(20);
    }

    @Test
    void a4_dropHandler_beginsWithAClearFlagForEachEvent() {
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(8)
                .stage("slow", event -> {
                    waitForGo();
                    code("slow");
                })
                .onDrop((event, stages) -> {
                    code("drop");
                    throw new IllegalStateException("mine");
                })
                .build();
        for (int i = 0; i < 8; i++) {
            assertThat(pipeline.offer(event -> event[0] = 1)).isTrue();
        }
        CompletionStage<?> halted = pipeline.halt();
        go.countDown();
        resultOf(halted);

        assertThat(timesOf("drop")).isGreaterThanOrEqualTo(7);
        assertThat(dirty).isEmpty();
    }

    private int timesOf(String what) {
        AtomicInteger times = began.get(what);
        return times == null ? 0 : times.get();
    }
}
