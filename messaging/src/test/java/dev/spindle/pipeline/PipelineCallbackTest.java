// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.ClosedException;
import dev.spindle.Spindle;
import dev.spindle.TestSupport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Callbacks of a pipeline may block, throw or call back in, without effects on other users.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PipelineCallbackTest {
    private final Spindle spindle = Spindle.builder()
            .coreThreads(2)
            .maxThreads(2)
            .onFailure((activity, failure) -> {})
            .build();
    private final CountDownLatch goOn = new CountDownLatch(1); // releases blocked callbacks
    private final CountDownLatch open = new CountDownLatch(1); // releases the stage
    private final AtomicInteger handled = new AtomicInteger();

    @AfterEach
    void end() throws InterruptedException {
        goOn.countDown();
        open.countDown();
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    private Pipeline<int[]> blocked(int size) {
        return Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(size)
                .stage("slow", event -> {
                    await(open);
                    handled.incrementAndGet();
                })
                .build();
    }

    private static FutureTask<@Nullable Void> publisher(Pipeline<int[]> pipeline) {
        FutureTask<@Nullable Void> publisher = new FutureTask<>(() -> {
            pipeline.publish(event -> event[0] = 1);
            return null;
        });
        Thread thread = new Thread(publisher, "publisher");
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait(); // it waits for a slot
        }
        return publisher;
    }

    @Test
    void u1_callbackOfPublishAsyncThatBlocks_stopsNeitherPublishersNorThePipeline() throws Exception {
        Pipeline<int[]> pipeline = blocked(4);
        for (int i = 0; i < 4; i++) {
            assertThat(pipeline.offer(event -> event[0] = 0)).isTrue();
        }
        CountDownLatch inCallback = new CountDownLatch(1);
        CompletionStage<@Nullable Void> unused = pipeline.publishAsync(event -> event[0] = 1)
                .thenRun(() -> {
                    inCallback.countDown();
                    await(goOn);
                });
        CompletionStage<@Nullable Void> second = pipeline.publishAsync(event -> event[0] = 2);
        List<FutureTask<@Nullable Void>> publishers = List.of(publisher(pipeline), publisher(pipeline));
        open.countDown();

        await(inCallback);
        for (FutureTask<@Nullable Void> publisher : publishers) {
            publisher.get(20, TimeUnit.SECONDS);
        }
        resultOf(second);
        for (int i = 0; i < 100; i++) {
            pipeline.publish(event -> event[0] = 3);
        }
        resultOf(pipeline.drain());
        assertThat(handled.get()).isEqualTo(108);
    }

    @Test
    void u1_callbackOfPublishAsyncThatBlocksWithOnePublisher_stopsNothing() throws Exception {
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(1)
                .singlePublisher(true)
                .stage("slow", event -> {
                    await(open);
                    handled.incrementAndGet();
                })
                .build();
        pipeline.publish(event -> event[0] = 0);
        CompletionStage<@Nullable Void> unused =
                pipeline.publishAsync(event -> event[0] = 1).thenRun(() -> await(goOn));
        List<CompletionStage<@Nullable Void>> more = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            more.add(pipeline.publishAsync(event -> event[0] = 2));
        }
        open.countDown();

        for (CompletionStage<@Nullable Void> stage : more) {
            resultOf(stage);
        }
        resultOf(pipeline.drain());
        assertThat(handled.get()).isEqualTo(12);
    }

    @Test
    void u1_callbackOfPublishAsyncThatPublishesAndThrows_harmsNobody() throws Exception {
        Pipeline<int[]> pipeline = blocked(1);
        assertThat(pipeline.offer(event -> event[0] = 0)).isTrue();
        CompletionStage<@Nullable Void> waited = pipeline.publishAsync(event -> event[0] = 1);
        CompletionStage<Boolean> again = waited.thenCompose(nothing -> pipeline.publishAsync(event -> event[0] = 2))
                .thenApply(nothing -> true);
        CompletionStage<?> threw = waited.thenRun(() -> {
            throw new IllegalStateException("mine");
        });
        FutureTask<@Nullable Void> publisher = publisher(pipeline);
        open.countDown();

        resultOf(again);
        publisher.get(20, TimeUnit.SECONDS);
        assertThatThrownBy(() -> resultOf(threw)).hasRootCauseMessage("mine");
        resultOf(pipeline.drain());
        assertThat(handled.get()).isEqualTo(4);
    }

    @Test
    void u1_fillerThatWaitedAndThrows_failsItsStageAlone() throws Exception {
        Pipeline<int[]> pipeline = blocked(1);
        assertThat(pipeline.offer(event -> event[0] = 0)).isTrue();
        CompletionStage<@Nullable Void> waited = pipeline.publishAsync(event -> {
            throw new IllegalStateException("mine");
        });
        FutureTask<@Nullable Void> publisher = publisher(pipeline);
        open.countDown();

        assertThatThrownBy(() -> resultOf(waited)).hasRootCauseMessage("mine");
        publisher.get(20, TimeUnit.SECONDS);
        resultOf(pipeline.drain());
        assertThat(handled.get()).isEqualTo(2);
    }

    @Test
    void u1_callbackOfDrainThatBlocks_holdsUpNoOtherDrainAndNoClose() {
        Pipeline<int[]> pipeline = blocked(4);
        assertThat(pipeline.offer(event -> event[0] = 0)).isTrue();
        CountDownLatch inCallback = new CountDownLatch(1);
        CompletionStage<@Nullable Void> unused = pipeline.drain().thenRun(() -> {
            inCallback.countDown();
            await(goOn);
        });
        CompletionStage<@Nullable Void> other = pipeline.drain();
        open.countDown();

        await(inCallback);
        resultOf(other);
        pipeline.close();
    }

    @Test
    void u1_callbackOfARefusedPublishAsyncThatBlocks_holdsUpNoHalt() throws Exception {
        Pipeline<int[]> pipeline = blocked(1);
        assertThat(pipeline.offer(event -> event[0] = 0)).isTrue();
        CompletionStage<@Nullable Void> unused =
                pipeline.publishAsync(event -> event[0] = 1).whenComplete((nothing, failure) -> await(goOn));
        CompletionStage<@Nullable Void> second = pipeline.publishAsync(event -> event[0] = 1);
        FutureTask<@Nullable Void> publisher = publisher(pipeline);
        CompletionStage<?> halted = pipeline.halt();

        assertThatThrownBy(() -> publisher.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(ClosedException.class);
        open.countDown();
        assertThatThrownBy(() -> resultOf(second)).hasCauseInstanceOf(ClosedException.class);
        resultOf(halted);
    }

    @Test
    void u1_dropHandlerThatThrowsAndCallsBackIn_getsEveryEventAndTheHaltEnds() {
        List<Integer> dropped = new ArrayList<>();
        List<Throwable> refused = new ArrayList<>();
        Pipeline<int[]>[] self = newArray();
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(4)
                .stage("slow", event -> await(open))
                .onDrop((event, stages) -> {
                    dropped.add(event[0]);
                    try {
                        self[0].offer(again -> again[0] = 9);
                    } catch (ClosedException e) {
                        refused.add(e);
                    }
                    throw new IllegalStateException("mine");
                })
                .build();
        self[0] = pipeline;
        for (int i = 0; i < 4; i++) {
            int number = i;
            assertThat(pipeline.offer(event -> event[0] = number)).isTrue();
        }
        CompletionStage<?> halted = pipeline.halt();
        open.countDown();
        resultOf(halted);

        assertThat(dropped).hasSizeBetween(3, 4).endsWith(1, 2, 3);
        assertThat(refused).hasSameSizeAs(dropped);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Pipeline<int[]>[] newArray() {
        return new Pipeline[1];
    }

    @Test
    void u1_shutdownNowOfTheSpindle_stillCompletesWhatWasToldToItsCallbacks() {
        Pipeline<int[]> pipeline = blocked(1);
        assertThat(pipeline.offer(event -> event[0] = 0)).isTrue();
        CompletionStage<@Nullable Void> waited = pipeline.publishAsync(event -> event[0] = 1);
        CompletionStage<@Nullable Void> halted = pipeline.drain();
        List<Runnable> returned = spindle.shutdownNow();
        open.countDown();

        assertThatThrownBy(() -> resultOf(halted)).hasCauseInstanceOf(ClosedException.class);
        assertThat(waited.toCompletableFuture().handle((nothing, failure) -> 0)).satisfies(TestSupport::resultOf);
        assertThat(returned).isEmpty(); // neither callbacks nor runs of stages are tasks of the user
    }

    @Test
    void d1_shutdownNowOfASpindleThatHasNothingElse_endsTheHaltAllTheSame() {
        for (int round = 0; round < 50; round++) {
            Spindle one = Spindle.builder().coreThreads(1).maxThreads(1).build();
            Pipeline<int[]> pipeline = Pipeline.builder(one, "pipeline", () -> new int[1])
                    .capacity(1)
                    .stage("any", event -> {})
                    .build();
            boolean unused = pipeline.offer(event -> event[0] = 1);
            one.shutdownNow();
            resultOf(pipeline.halt());
        }
    }
}
