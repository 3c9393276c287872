// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.ClosedException;
import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several events published at a time. */
@Timeout(20)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes are checked by other means
class PipelineBatchTest {
    private final HandPipeline hand = new HandPipeline();
    private final List<Integer> seen = new ArrayList<>();

    private Pipeline<int[]> pipeline(int size) {
        return hand.builder(size).stage("any", event -> seen.add(event[0])).build();
    }

    private static void set(int[] event, int value) {
        event[0] = value;
    }

    /** Sets the event, or throws when the value is negative. */
    private static void setPositive(int[] event, int value) {
        if (value < 0) {
            throw new IllegalArgumentException("negative");
        }
        event[0] = value;
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    // ---------------------------------------------------------------- order

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void publishAll_manyBatches_areHandledInSequence(boolean single) throws Exception {
        try (Spindle spindle = Spindle.builder().coreThreads(2).maxThreads(2).build()) {
            PipelineBuilder<int[]> builder = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                    .capacity(64)
                    .stage("any", event -> seen.add(event[0]));
            if (single) {
                builder.singlePublisher(true);
            }
            Pipeline<int[]> pipeline = builder.build();
            int next = 0;
            for (int round = 0; round < 2_000; round++) {
                int to = next + round % 65; // from none to all that fit
                pipeline.publishAll(PipelineBatchTest::set, range(next, to));
                pipeline.publish(PipelineBatchTest::set, to);
                next = to + 1;
            }
            pipeline.close();
            assertThat(seen).isEqualTo(range(0, next));
        }
    }

    @Test
    void publishAll_fromManyThreads_batchesStayTogether() throws Exception {
        int threads = 4;
        int batches = 2_000;
        try (Spindle spindle = Spindle.builder().coreThreads(2).maxThreads(2).build()) {
            Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                    .capacity(16)
                    .stage("any", event -> seen.add(event[0]))
                    .build();
            List<Thread> publishers = new ArrayList<>();
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            for (int thread = 0; thread < threads; thread++) {
                int own = thread;
                publishers.add(new Thread(() -> {
                    try {
                        for (int batch = 0; batch < batches; batch++) {
                            pipeline.publishAll(PipelineBatchTest::set, Collections.nCopies(5, own));
                        }
                    } catch (Throwable t) {
                        failures.add(t);
                    }
                }));
            }
            publishers.forEach(Thread::start);
            for (Thread publisher : publishers) {
                publisher.join();
            }
            pipeline.close();
            assertThat(failures).isEmpty();
            assertThat(seen).hasSize(threads * batches * 5);
            for (int i = 0; i < seen.size(); i += 5) {
                assertThat(seen.subList(i, i + 5)).containsOnly(seen.get(i));
            }
        }
    }

    @Test
    void publishAll_stageSeesNoneBeforeAllAreFilled() throws Exception {
        Pipeline<int[]> pipeline = pipeline(4);
        List<Integer> seenWhileFilled = new ArrayList<>();
        pipeline.publishAll(
                (event, value) -> {
                    event[0] = value;
                    hand.run();
                    seenWhileFilled.addAll(seen);
                },
                List.of(1, 2, 3));
        assertThat(seenWhileFilled).isEmpty();
        hand.run();
        assertThat(seen).containsExactly(1, 2, 3);
    }

    // ---------------------------------------------------------------- room

    @Test
    void offerAll_notRoomForAll_publishesNone() {
        Pipeline<int[]> pipeline = pipeline(4);
        assertThat(pipeline.offerAll(PipelineBatchTest::set, List.of(1, 2))).isTrue();
        assertThat(pipeline.offerAll(PipelineBatchTest::set, List.of(3, 4, 5))).isFalse();
        assertThat(pipeline.offerAll(PipelineBatchTest::set, List.of(3, 4))).isTrue();
        assertThat(pipeline.offerAll(PipelineBatchTest::set, List.<Integer>of()))
                .isTrue();
        hand.run();
        assertThat(seen).containsExactly(1, 2, 3, 4);
        assertThat(pipeline.offerAll(PipelineBatchTest::set, List.of(5, 6, 7, 8)))
                .as("the whole ring")
                .isTrue();
    }

    @Test
    void publishAll_moreThanTheRingHolds_namesTheRemedy() {
        Pipeline<int[]> pipeline = pipeline(4);
        assertThatThrownBy(() -> pipeline.publishAll(PipelineBatchTest::set, range(0, 5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("5 events at a time do not fit into pipeline hand, whose ring has 4 slots;"
                        + " publish them in parts");
        assertThatThrownBy(() -> pipeline.offerAll(PipelineBatchTest::set, range(0, 5)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(pipeline.offerAll(PipelineBatchTest::set, range(0, 4))).isTrue();
    }

    @Test
    void publishAll_whileItWaitsForRoom_laterOnesStayBehind() throws Exception {
        Pipeline<int[]> pipeline = pipeline(4);
        assertThat(pipeline.offerAll(PipelineBatchTest::set, List.of(0))).isTrue();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread publisher = new Thread(() -> {
            try {
                pipeline.publishAll(PipelineBatchTest::set, List.of(1, 2, 3, 4));
            } catch (Throwable t) {
                failure.set(t);
            }
        });
        publisher.start();
        while (publisher.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(pipeline.offerAll(PipelineBatchTest::set, List.of(9)))
                .as("past a waiting publisher")
                .isFalse();
        CompletableFuture<?> behind =
                pipeline.publishAsync(event -> event[0] = 5).toCompletableFuture();
        while (publisher.isAlive()) {
            hand.run();
        }
        hand.run();
        behind.get(20, TimeUnit.SECONDS);
        hand.run();
        assertThat(failure.get()).isNull();
        assertThat(seen).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void publishAll_interruptedWhileItWaits_publishesNone() throws Exception {
        Pipeline<int[]> pipeline = pipeline(2);
        assertThat(pipeline.offerAll(PipelineBatchTest::set, List.of(0))).isTrue();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> pipeline.publishAll(PipelineBatchTest::set, List.of(1, 2)))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        hand.run();
        assertThat(pipeline.offerAll(PipelineBatchTest::set, List.of(3, 4))).isTrue();
        hand.run();
        assertThat(seen).containsExactly(0, 3, 4);
    }

    @Test
    void publishAll_fromAWorker_namesOfferAll() throws Exception {
        try (Spindle spindle = Spindle.builder().coreThreads(1).maxThreads(1).build()) {
            Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                    .capacity(4)
                    .stage("any", event -> seen.add(event[0]))
                    .build();
            spindle.submit(() -> {
                        assertThatThrownBy(() -> pipeline.publishAll(PipelineBatchTest::set, List.of(1, 2)))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("use offer");
                        assertThat(pipeline.offerAll(PipelineBatchTest::set, List.of(3, 4)))
                                .isTrue();
                    })
                    .get(20, TimeUnit.SECONDS);
            pipeline.close();
            assertThat(seen).containsExactly(3, 4);
        }
    }

    // ---------------------------------------------------------------- failure and end

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void publishAll_fillerThrows_thoseBeforeArePublishedAndTheRestVoid(boolean single) throws Exception {
        PipelineBuilder<int[]> builder = hand.builder(4).stage("any", event -> seen.add(event[0]));
        if (single) {
            builder.singlePublisher(true);
        }
        Pipeline<int[]> pipeline = builder.build();
        for (int round = 0; round < 3; round++) {
            assertThatThrownBy(() -> pipeline.publishAll(PipelineBatchTest::setPositive, List.of(1, 2, -1, 3)))
                    .hasMessage("negative");
            hand.run();
        }
        pipeline.publishAll(PipelineBatchTest::setPositive, List.of(7, 8));
        hand.run();
        assertThat(seen).containsExactly(1, 2, 1, 2, 1, 2, 7, 8);
    }

    @Test
    void drain_betweenTwoEventsOfABatch_refusesAllAndNoStageSeesAny() {
        Pipeline<int[]> pipeline = pipeline(4);
        assertThatThrownBy(() -> pipeline.publishAll(
                        (event, value) -> {
                            event[0] = value;
                            if (value == 2) {
                                assertThat(pipeline.drain().toCompletableFuture())
                                        .isCompleted();
                            }
                        },
                        List.of(1, 2, 3)))
                .isInstanceOf(ClosedException.class);
        hand.run();
        assertThat(seen).isEmpty();
    }

    @Test
    void drain_whileABatchIsFilledThatAnotherEventFollows_takesAllThrough() throws Exception {
        Pipeline<int[]> pipeline = pipeline(8);
        AtomicReference<@Nullable CompletableFuture<?>> end = new AtomicReference<>();
        pipeline.publishAll(
                (event, value) -> {
                    event[0] = value;
                    if (value == 2) {
                        assertThat(pipeline.offerAll(PipelineBatchTest::set, List.of(9)))
                                .isTrue();
                        end.set(pipeline.drain().toCompletableFuture());
                    }
                },
                List.of(1, 2, 3));
        assertThat(end.get()).isNotDone();
        hand.run();
        assertThat(end.get()).isCompleted();
        assertThat(seen).containsExactly(1, 2, 3, 9);
    }

    @Test
    void drain_betweenTwoEventsOfABatchWhoseFillerThenThrows_tellsOfBoth() {
        Pipeline<int[]> pipeline = pipeline(4);
        assertThatThrownBy(() -> pipeline.publishAll(
                        (event, value) -> {
                            pipeline.drain();
                            setPositive(event, value);
                        },
                        List.of(1, -1)))
                .isInstanceOf(ClosedException.class)
                .satisfies(closed -> assertThat(closed.getSuppressed())
                        .singleElement()
                        .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                        .hasMessage("negative"));
        assertThatThrownBy(() -> pipeline(4).publishAll(PipelineBatchTest::setPositive, List.of(-1, 1)))
                .as("none was filled")
                .hasMessage("negative");
        hand.run();
        assertThat(seen).isEmpty();
    }

    @Test
    void halt_betweenTwoEventsOfABatch_refusesAllAndDropsNone() throws Exception {
        List<Integer> dropped = new ArrayList<>();
        Pipeline<int[]> pipeline = hand.builder(4)
                .stage("any", event -> seen.add(event[0]))
                .onDrop((event, stages) -> dropped.add(event[0]))
                .build();
        assertThatThrownBy(() -> pipeline.publishAll(
                        (event, value) -> {
                            event[0] = value;
                            if (value == 2) {
                                pipeline.halt();
                                hand.run();
                            }
                        },
                        List.of(1, 2, 3)))
                .isInstanceOf(ClosedException.class);
        hand.run();
        assertThat(seen).isEmpty();
        assertThat(dropped).as("its publisher was rejected").isEmpty();
    }
}
