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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PipelineTest {
    private final Spindle spindle =
            Spindle.builder().coreThreads(2).maxThreads(8).build();

    @AfterEach
    void close() {
        spindle.shutdownNow();
    }

    /** An event with plain fields, which the pipeline has to make visible. */
    static final class Event {
        int value;
        int doubled;
        final List<String> trace = new ArrayList<>();

        void set(int to) {
            value = to;
            doubled = 0;
            trace.clear();
        }
    }

    /** A handler that blocks until it is released, and records its events. */
    private static final class Slow implements EventHandler<Event> {
        final CountDownLatch go = new CountDownLatch(1);
        final List<Integer> seen = new ArrayList<>();

        @Override
        public void handle(Event event) throws InterruptedException {
            go.await();
            seen.add(event.value);
        }
    }

    private static <T extends @Nullable Object> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    // ---------------------------------------------------------------- order

    @Test
    void p1_chainOfThree_eachStageSeesEachEventInSequenceAfterTheOneBefore() throws Exception {
        List<Integer> first = new ArrayList<>();
        List<Integer> second = new ArrayList<>();
        List<Integer> third = new ArrayList<>();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(16)
                .stage("third", event -> third.add(event.doubled + event.value))
                .after("second")
                .stage("first", event -> first.add(event.value))
                .afterPublish()
                .stage("second", event -> {
                    event.doubled = 2 * event.value;
                    second.add(event.value);
                })
                .after("first")
                .build();
        for (int i = 0; i < 10_000; i++) {
            pipeline.publish(Event::set, i);
        }
        get(pipeline.drain());
        assertThat(first).isEqualTo(upTo(10_000));
        assertThat(second).isEqualTo(upTo(10_000));
        assertThat(third)
                .isEqualTo(IntStream.range(0, 10_000).map(i -> 3 * i).boxed().toList());
    }

    @Test
    void p1_lastOfADiamond_seesTheWritesOfBothBranches() throws Exception {
        List<Integer> seen = new ArrayList<>();
        int[][] branches = new int[2][64];
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(64)
                .stage("left", event -> branches[0][event.value % 64] = event.value)
                .stage("right", event -> branches[1][event.value % 64] = 2 * event.value)
                .afterPublish()
                .stage("join", event -> seen.add(branches[0][event.value % 64] + branches[1][event.value % 64]))
                .after("left", "right")
                .build();
        for (int i = 0; i < 20_000; i++) {
            pipeline.publish(Event::set, i);
        }
        pipeline.close();
        assertThat(seen)
                .isEqualTo(IntStream.range(0, 20_000).map(i -> 3 * i).boxed().toList());
    }

    @Test
    void p1_multicast_everyEndStageSeesEverything_andSlotsWaitForTheSlowest() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<Integer> fast = new ArrayList<>();
        List<Integer> slow = new ArrayList<>();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(4)
                .stage("fast", event -> fast.add(event.value))
                .stage("slow", event -> {
                    go.await();
                    slow.add(event.value);
                })
                .afterPublish()
                .build();
        for (int i = 0; i < 4; i++) {
            assertThat(pipeline.offerAll(Event::set, List.of(i))).isTrue();
        }
        assertThat(pipeline.offerAll(Event::set, List.of(4))).isFalse();
        go.countDown();
        pipeline.publish(Event::set, 4);
        pipeline.close();
        assertThat(fast).isEqualTo(upTo(5));
        assertThat(slow).isEqualTo(upTo(5));
    }

    @Test
    void p1_parallelStage_runsAtOnceAndTheNextStageSeesTheSequence() throws Exception {
        CyclicBarrier together = new CyclicBarrier(3);
        AtomicInteger handled = new AtomicInteger();
        List<Integer> after = new ArrayList<>();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(64)
                .parallelStage("decode", 3, event -> {
                    if (handled.getAndIncrement() < 3) {
                        together.await(10, TimeUnit.SECONDS); // returns only if three handlers run at once
                    }
                    event.doubled = 2 * event.value;
                })
                .maxBatch(1)
                .stage("apply", event -> after.add(event.doubled))
                .after("decode")
                .build();
        for (int i = 0; i < 5_000; i++) {
            pipeline.publish(Event::set, i);
        }
        pipeline.close();
        assertThat(after)
                .isEqualTo(IntStream.range(0, 5_000).map(i -> 2 * i).boxed().toList());
    }

    @Test
    void p1_eightStagesOnOneWorker_allMakeProgress() throws Exception {
        try (Spindle one = Spindle.builder().coreThreads(1).maxThreads(1).build()) {
            PipelineBuilder<Event> builder =
                    Pipeline.builder(one, "pipeline", Event::new).capacity(8).stage("s0", event -> event.doubled++);
            for (int i = 1; i < 8; i++) {
                builder.stage("s" + i, event -> event.doubled++).after("s" + (i - 1));
            }
            AtomicInteger complete = new AtomicInteger();
            Pipeline<Event> pipeline = builder.stage("end", event -> complete.addAndGet(event.doubled))
                    .after("s7")
                    .build();
            for (int i = 0; i < 1_000; i++) {
                pipeline.publish(Event::set, i);
            }
            pipeline.close();
            assertThat(complete).hasValue(8_000);
        }
    }

    @Test
    void batch_endOfBatch_isTheLastEvent() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<String> hints = new ArrayList<>();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(16)
                .stage("write", (event, sequence, endOfBatch) -> {
                    if (sequence == 0) {
                        entered.countDown();
                        go.await();
                    }
                    hints.add(sequence + (endOfBatch ? "l" : ""));
                })
                .maxBatch(4)
                .build();
        pipeline.publish(Event::set, 0);
        entered.await();
        for (int i = 1; i < 7; i++) {
            pipeline.publish(Event::set, i);
        }
        go.countDown();
        pipeline.close();
        assertThat(hints).containsExactly("0l", "1", "2", "3", "4l", "5", "6l");
    }

    // ---------------------------------------------------------------- full

    @Test
    void publish_fullRing_waitsAndGoesOnInOrder() throws Exception {
        Slow slow = new Slow();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(2)
                .stage("slow", slow)
                .build();
        Thread producer = start(() -> {
            for (int i = 0; i < 100; i++) {
                pipeline.publish(Event::set, i);
            }
        });
        await(pipeline::toString, () -> producer.getState() == Thread.State.TIMED_WAITING);
        slow.go.countDown();
        producer.join();
        pipeline.close();
        assertThat(slow.seen).isEqualTo(upTo(100));
    }

    @Test
    void publishAsync_fullRing_isAheadOfLaterOffersAndCompletes() throws Exception {
        Slow slow = new Slow();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(1)
                .stage("slow", slow)
                .build();
        pipeline.publish(Event::set, 0);
        CompletionStage<@Nullable Void> later = pipeline.publishAsync(event -> event.set(1));
        assertThat(later.toCompletableFuture()).isNotDone();
        assertThat(pipeline.offerAll(Event::set, List.of(2)))
                .as("no publisher overtakes a waiting one")
                .isFalse();
        slow.go.countDown();
        get(later);
        pipeline.publish(Event::set, 2);
        pipeline.close();
        assertThat(slow.seen).containsExactly(0, 1, 2);
    }

    @Test
    void publishAsync_cancelledWhileItWaits_leavesNoTrace() throws Exception {
        Slow slow = new Slow();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(1)
                .stage("slow", slow)
                .build();
        pipeline.publish(Event::set, 0);
        CompletableFuture<@Nullable Void> first =
                pipeline.publishAsync(event -> event.set(1)).toCompletableFuture();
        CompletionStage<@Nullable Void> second = pipeline.publishAsync(event -> event.set(2));
        assertThat(first.cancel(false)).isTrue();
        slow.go.countDown();
        get(second);
        pipeline.close();
        assertThat(slow.seen).containsExactly(0, 2);
        assertThat(second.toCompletableFuture().cancel(false)).isFalse();
    }

    @Test
    void publish_interruptedWhileItWaits_throwsAndLeavesNoTrace() throws Exception {
        Slow slow = new Slow();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(1)
                .stage("slow", slow)
                .build();
        pipeline.publish(Event::set, 0);
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                pipeline.publish(Event::set, 1);
            } catch (InterruptedException e) {
                thrown.set(e);
            }
        });
        waiting.start();
        await(pipeline::toString, () -> waiting.getState() == Thread.State.TIMED_WAITING);
        waiting.interrupt();
        waiting.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(pipeline.offer(event -> event.set(2), Duration.ofMillis(20))).isFalse();
        slow.go.countDown();
        pipeline.publish(Event::set, 3);
        pipeline.close();
        assertThat(slow.seen).containsExactly(0, 3);
    }

    @Test
    void r1_publishFromAWorker_throwsAndNamesTheOtherWays() throws Exception {
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "orders", Event::new)
                .capacity(8)
                .stage("any", event -> {})
                .build();
        CompletableFuture<?> publish = spindle.submit(() -> {
            pipeline.publish(Event::set, 1);
            return true;
        });
        assertThatThrownBy(() -> get(publish))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("orders")
                .hasMessageContaining("offer or publishAsync");
        CompletableFuture<?> close = spindle.submit(() -> pipeline.close());
        assertThatThrownBy(() -> get(close)).hasMessageContaining("use drain instead of close");
        assertThat(get(spindle.submit(() -> pipeline.offerAll(Event::set, List.of(1)))))
                .isTrue();
    }

    // ---------------------------------------------------------------- failures

    @Test
    void filler_thatThrows_reachesThePublisherAndNoStage() throws Exception {
        List<Integer> seen = new ArrayList<>();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(4)
                .stage("first", event -> event.doubled++)
                .stage("second", event -> seen.add(event.value))
                .after("first")
                .build();
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
    void p1_haltByAHandlerThatThrows_releasesAPublisherThatWaitsWithTheCause() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<Integer> dropped = new ArrayList<>();
        List<Integer> after = new ArrayList<>();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "orders", Event::new)
                .capacity(4)
                .stage("journal", event -> {
                    go.await();
                    if (event.value == 2) {
                        throw new IllegalStateException("disk full");
                    }
                })
                .maxBatch(1)
                .stage("apply", event -> after.add(event.value))
                .after("journal")
                .onDrop((event, stages) -> dropped.add(event.value))
                .build();
        for (int i = 0; i < 4; i++) {
            pipeline.publish(Event::set, i);
        }
        CompletionStage<@Nullable Void> async = pipeline.publishAsync(event -> event.set(100));
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
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("orders")
                .hasMessageContaining("disk full")
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> get(pipeline.drain())).hasCauseInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> pipeline.offerAll(Event::set, List.of(9))).isInstanceOf(ClosedException.class);
        assertThatThrownBy(pipeline::close).isInstanceOf(ClosedException.class);
        get(pipeline.halt());
        assertThat(after).doesNotContain(2, 3).isSubsetOf(0, 1);
        assertThat(dropped).contains(2, 3);
        assertThat(after.size() + dropped.size())
                .as("every accepted event is handled or dropped")
                .isGreaterThanOrEqualTo(4);
        assertThat(async.toCompletableFuture()).isDone();
    }

    @Test
    void skip_failedEvent_isVoidForTheStagesThatFollowAndForNoOther() throws Exception {
        List<Integer> beside = new ArrayList<>();
        List<Integer> after = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        try (Spindle reporting = Spindle.builder()
                .coreThreads(2)
                .onFailure((activity, failure) -> failures.add(String.valueOf(failure.getMessage())))
                .build()) {
            Pipeline<Event> pipeline = Pipeline.builder(reporting, "orders", Event::new)
                    .capacity(4)
                    .stage("journal", event -> {
                        if (event.value % 10 == 3) {
                            throw new IllegalStateException("bad " + event.value);
                        }
                    })
                    .errorPolicy(ErrorPolicy.skip())
                    .stage("audit", event -> beside.add(event.value))
                    .afterPublish()
                    .stage("apply", event -> event.doubled++)
                    .after("journal")
                    .stage("notify", event -> after.add(event.value))
                    .after("apply")
                    .build();
            for (int i = 0; i < 30; i++) {
                pipeline.publish(Event::set, i);
            }
            pipeline.close();
        }
        assertThat(beside).isEqualTo(upTo(30));
        assertThat(after).isEqualTo(upTo(30).stream().filter(i -> i % 10 != 3).toList());
        assertThat(failures).containsExactly("bad 3", "bad 13", "bad 23");
    }

    @Test
    void retry_eventThatFailsTwice_isHandledByTheThirdCall() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        List<Integer> after = new ArrayList<>();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(4)
                .stage("flaky", event -> {
                    if (event.value == 5 && calls.incrementAndGet() <= 2) {
                        throw new IllegalStateException("not yet");
                    }
                })
                .errorPolicy(ErrorPolicy.retry(2))
                .stage("after", event -> after.add(event.value))
                .after("flaky")
                .build();
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
                        Spindle.builder().onFailure((activity, failure) -> {}).build(), "pipeline", Event::new)
                .capacity(4)
                .stage("broken", event -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("always");
                })
                .errorPolicy(ErrorPolicy.retry(3).thenSkip())
                .build();
        pipeline.publish(Event::set, 0);
        pipeline.close();
        assertThat(calls).hasValue(4);
    }

    // ---------------------------------------------------------------- end

    @Test
    void p1_drainLettingThroughWhoWaits_completesWhenTheLastEventHasLeft() throws Exception {
        Slow slow = new Slow();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(1)
                .stage("slow", slow)
                .build();
        pipeline.publish(Event::set, 0);
        CompletionStage<@Nullable Void> waiting = pipeline.publishAsync(event -> event.set(1));
        CompletionStage<@Nullable Void> end = pipeline.drain();
        assertThat(end.toCompletableFuture()).isNotDone();
        assertThatThrownBy(() -> pipeline.publish(Event::set, 2))
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("drained");
        slow.go.countDown();
        get(end);
        get(waiting);
        assertThat(slow.seen).containsExactly(0, 1);
    }

    @Test
    void drain_ofAPipelineThatWasNeverUsed_completesAtOnce() throws Exception {
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(1)
                .stage("any", event -> {})
                .build();
        get(pipeline.drain());
        get(pipeline.halt());
        assertThat(pipeline).hasToString("pipeline pipeline[DRAINED, 0 of 1 slots used]");
    }

    @Test
    void halt_completesWhenNothingRuns_andHandsBackWhatWasNotHandled() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<Integer> dropped = new ArrayList<>();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(8)
                .stage("slow", event -> {
                    entered.countDown();
                    go.await();
                })
                .onDrop((event, stages) -> dropped.add(event.value))
                .build();
        for (int i = 0; i < 5; i++) {
            pipeline.publish(Event::set, i);
        }
        entered.await();
        CompletionStage<?> halted = pipeline.halt();
        assertThat(halted.toCompletableFuture()).isNotDone();
        go.countDown();
        get(halted);
        assertThat(dropped).isEqualTo(List.of(1, 2, 3, 4));
    }

    @Test
    void clear_runsWhenAllStagesHaveHandledTheEvent() throws Exception {
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(4)
                .stage("a", event -> event.trace.add("a"))
                .stage("b", event -> event.doubled = 1)
                .after("a")
                .clear(event -> {
                    assertThat(event.trace).containsExactly("a");
                    assertThat(event.doubled).isEqualTo(1);
                    event.trace.clear();
                    event.value = -1;
                })
                .build();
        for (int i = 0; i < 100; i++) {
            pipeline.publish(
                    (event, value) -> {
                        assertThat(event.value).isIn(0, -1);
                        event.set(value);
                    },
                    i);
        }
        pipeline.close();
    }

    @Test
    void singlePublisher_manyEvents_areHandledInSequence() throws Exception {
        List<Integer> seen = new ArrayList<>();
        Pipeline<Event> pipeline = Pipeline.builder(spindle, "pipeline", Event::new)
                .capacity(4)
                .singlePublisher(true)
                .stage("any", event -> seen.add(event.value))
                .build();
        for (int i = 0; i < 1_000; i++) {
            pipeline.publish(Event::set, i);
        }
        pipeline.close();
        assertThat(seen).isEqualTo(upTo(1_000));
    }

    // ---------------------------------------------------------------- helpers

    /** A body that may be interrupted. */
    private interface Body {
        void run() throws InterruptedException;
    }

    private static Thread start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        return thread;
    }

    private static void await(java.util.function.Supplier<String> what, java.util.function.BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what.get()).isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
