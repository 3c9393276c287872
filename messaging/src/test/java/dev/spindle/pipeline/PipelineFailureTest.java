// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PipelineFailureTest extends PipelineFixture {
    // ---------------------------------------------------------------- failures

    @Test
    void filler_thatThrows_reachesThePublisherAndNoStage() throws Exception {
        List<Integer> seen = new ArrayList<>();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, Event::new, 4)
                .stage("first", event -> event.doubled++)
                .stage("second", event -> seen.add(event.value))
                .after("first")
                .start();
        for (int i = 0; i < 100; i++) {
            int value = i;
            if (i % 3 == 0) {
                assertThatThrownBy(() -> pipeline.publish(event -> {
                            throw new IllegalArgumentException("no " + value);
                        }))
                        .hasMessage("no " + value);
            } else {
                pipeline.publish(Event::set, i);
            }
        }
        pipeline.close();
        assertThat(seen).isEqualTo(upTo(100).stream().filter(i -> i % 3 != 0).toList());
    }

    @Test
    void halt_byDefaultOnAHandlerThatThrows_releasesAPublisherThatWaitsWithTheCause() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<Integer> dropped = new ArrayList<>();
        List<Integer> after = new ArrayList<>();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, Event::new, 4)
                .name("orders")
                .stage("journal", event -> {
                    go.await();
                    if (event.value == 2) {
                        throw new IllegalStateException("disk full");
                    }
                })
                .maxBatch(1)
                .stage("apply", event -> after.add(event.value))
                .after("journal")
                .onDrop(event -> dropped.add(event.value))
                .start();
        for (int i = 0; i < 4; i++) {
            pipeline.publish(Event::set, i);
        }
        CompletionStage<Void> async = pipeline.publishAsync(event -> event.set(100));
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                for (int i = 4; i < 20; i++) {
                    pipeline.publish(Event::set, i);
                }
            } catch (Throwable t) {
                thrown.set(t);
            }
        });
        waiting.start();
        await(pipeline::toString, () -> waiting.getState() == Thread.State.TIMED_WAITING);
        go.countDown();
        waiting.join();
        assertThat(thrown.get())
                .isInstanceOf(PipelineClosedException.class)
                .hasMessageContaining("orders")
                .hasMessageContaining("disk full")
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> get(pipeline.drain())).hasCauseInstanceOf(PipelineClosedException.class);
        assertThatThrownBy(() -> pipeline.offer(Event::set, 9)).isInstanceOf(PipelineClosedException.class);
        assertThatThrownBy(pipeline::close).isInstanceOf(PipelineClosedException.class);
        get(pipeline.halt());
        assertThat(after).doesNotContain(2, 3).isSubsetOf(0, 1);
        assertThat(dropped).contains(2, 3);
        assertThat(after.size() + dropped.size())
                .as("all that was accepted is handled or handed back")
                .isGreaterThanOrEqualTo(4);
        assertThat(async.toCompletableFuture()).isDone();
    }

    @Test
    void skip_failedEvent_isVoidForTheStagesThatFollowAndForNoOther() throws Exception {
        List<Integer> beside = new ArrayList<>();
        List<Integer> after = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        try (Spindle reporting = Spindle.builder()
                .core(2)
                .onFailure((key, task, failure) -> failures.add(key + ": " + failure.getMessage()))
                .build()) {
            Pipeline<Event> pipeline = Pipeline.builder(reporting, Event::new, 4)
                    .name("orders")
                    .stage("journal", event -> {
                        if (event.value % 10 == 3) {
                            throw new IllegalStateException("bad " + event.value);
                        }
                    })
                    .onError(OnError.skip())
                    .stage("audit", event -> beside.add(event.value))
                    .stage("apply", event -> event.doubled++)
                    .after("journal")
                    .stage("notify", event -> after.add(event.value))
                    .after("apply")
                    .start();
            for (int i = 0; i < 30; i++) {
                pipeline.publish(Event::set, i);
            }
            pipeline.close();
        }
        assertThat(beside).isEqualTo(upTo(30));
        assertThat(after).isEqualTo(upTo(30).stream().filter(i -> i % 10 != 3).toList());
        assertThat(failures)
                .containsExactly("orders/journal: bad 3", "orders/journal: bad 13", "orders/journal: bad 23");
    }

    @Test
    void retry_eventThatFailsTwice_isHandledByTheThirdCall() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        List<Integer> after = new ArrayList<>();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, Event::new, 4)
                .stage("flaky", event -> {
                    if (event.value == 5 && calls.incrementAndGet() <= 2) {
                        throw new IllegalStateException("not yet");
                    }
                })
                .onError(OnError.retry(2))
                .stage("after", event -> after.add(event.value))
                .after("flaky")
                .start();
        for (int i = 0; i < 10; i++) {
            pipeline.publish(Event::set, i);
        }
        pipeline.close();
        assertThat(after).isEqualTo(upTo(10));
        assertThat(calls).hasValue(3);
    }

    @Test
    void retry_thenSkip_givesUpAfterItsTimes() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Pipeline<Event> pipeline = Pipeline.builder(
                        Spindle.builder().onFailure((key, task, failure) -> {}).build(), Event::new, 4)
                .stage("broken", event -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("always");
                })
                .onError(OnError.retry(3).thenSkip())
                .start();
        pipeline.publish(Event::set, 0);
        pipeline.close();
        assertThat(calls).hasValue(4);
    }

    @Test
    void spindle_shutDownUnderAPipeline_haltsItAndReleasesPublishers() throws Exception {
        Spindle gone = Spindle.builder().core(1).build();
        Pipeline<Event> pipeline =
                Pipeline.builder(gone, Event::new, 2).stage("any", event -> {}).start();
        gone.shutdown();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 5; i++) {
                        pipeline.publish(Event::set, i);
                    }
                })
                .isInstanceOf(PipelineClosedException.class)
                .hasMessageContaining("rejected a task of strand pipeline/any");
        get(pipeline.halt());
    }

    // ---------------------------------------------------------------- bad input

    @Test
    void builder_badInput_isRefusedWithTheValueAndTheRemedy() {
        assertThatThrownBy(() -> Pipeline.builder(spindle, Event::new, 0))
                .hasMessage("size must be a power of two, is 0; take 1");
        assertThatThrownBy(() -> Pipeline.builder(spindle, Event::new, 1000))
                .hasMessage("size must be a power of two, is 1000; take 1024");
        PipelineBuilder<Event> builder = Pipeline.builder(spindle, Event::new, 8);
        assertThatThrownBy(() -> builder.after("x")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(builder::start).hasMessageContaining("has no stage");
        builder.stage("a", event -> {});
        assertThatThrownBy(() -> builder.stage("a", event -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is a stage a already");
        assertThatThrownBy(() -> builder.parallel("b", 0, event -> {})).hasMessageContaining("from 1 to 31, are 0");
        assertThatThrownBy(() -> builder.maxBatch(0)).hasMessage("maxBatch must be at least 1, is 0");
        builder.after("nowhere");
        assertThatThrownBy(builder::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stage a of pipeline pipeline is after a stage that does not exist, nowhere");
        assertThatThrownBy(() -> OnError.retry(0)).hasMessage("retries must be at least 1, are 0");
        assertThatThrownBy(() -> Pipeline.builder(spindle, () -> null, 8)
                        .stage("a", event -> {})
                        .start())
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("event made by the factory");
    }

    @Test
    void builder_cycle_isRefusedWithItsPath() {
        PipelineBuilder<Event> builder = Pipeline.builder(spindle, Event::new, 8)
                .stage("first", event -> {})
                .stage("a", event -> {})
                .after("first", "c")
                .stage("b", event -> {})
                .after("a")
                .stage("c", event -> {})
                .after("b");
        assertThatThrownBy(builder::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait for each other: a -> c -> b -> a");
    }
}
