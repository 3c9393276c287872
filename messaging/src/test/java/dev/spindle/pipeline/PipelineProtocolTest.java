// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.ClosedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The protocols of ring, gate and stages, on lanes that the test runs at the moments that matter. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes are checked by other means
class PipelineProtocolTest {
    private final HandPipeline hand = new HandPipeline();
    private final List<Integer> seen = new ArrayList<>();

    private static void publish(Pipeline<int[]> pipeline, int value) {
        assertThat(pipeline.offer(event -> event[0] = value)).isTrue();
    }

    private static void publishVoid(Pipeline<int[]> pipeline) {
        assertThatThrownBy(() -> pipeline.offer(event -> {
                    throw new IllegalArgumentException("void");
                }))
                .hasMessage("void");
    }

    private static CompletableFuture<@Nullable Void> later(Pipeline<int[]> pipeline, int value) {
        return pipeline.publishAsync(event -> event[0] = value).toCompletableFuture();
    }

    // ---------------------------------------------------------------- the end

    @Test
    void drain_betweenClaimAndCommit_refusesTheEventAndNoStageSeesIt() {
        Pipeline<int[]> pipeline =
                hand.builder(4).stage("any", event -> seen.add(event[0])).build();
        publish(pipeline, 1);
        hand.run();
        assertThatThrownBy(() -> pipeline.offer(event -> {
                    event[0] = 2;
                    assertThat(pipeline.drain().toCompletableFuture()).isCompleted();
                }))
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("was drained");
        hand.run();
        assertThat(seen).containsExactly(1);
    }

    @Test
    void drain_betweenClaimAndAFillerThatThrows_leavesThePublisherItsOwnFailure() {
        Pipeline<int[]> pipeline =
                hand.builder(4).stage("any", event -> seen.add(event[0])).build();
        assertThatThrownBy(() -> pipeline.offer(event -> {
                    pipeline.drain();
                    throw new IllegalArgumentException("mine");
                }))
                .hasMessage("mine");
    }

    @Test
    void drain_whileACommittedEventIsSeenByAStageFirst_waitsForIt() {
        Pipeline<int[]> pipeline = hand.builder(4)
                .stage("eager", event -> seen.add(event[0]))
                .stage("late", event -> seen.add(10 * event[0]))
                .afterPublish()
                .build();
        hand.lane("eager").runAtOnce();
        publish(pipeline, 1); // handled by the eager stage only
        AtomicReference<@Nullable CompletableFuture<?>> end = new AtomicReference<>();
        assertThat(pipeline.offer(event -> {
                    event[0] = 2;
                    end.set(pipeline.drain().toCompletableFuture());
                }))
                .isTrue();
        assertThat(end.get()).isNotDone();
        hand.run();
        assertThat(end.get()).isCompleted();
        assertThat(seen).containsExactly(1, 2, 10, 20);
    }

    @Test
    void drain_afterOneThatWaitedHasGotItsSlot_letsItThrough() {
        Pipeline<int[]> pipeline =
                hand.builder(1).stage("any", event -> seen.add(event[0])).build();
        publish(pipeline, 1);
        AtomicReference<@Nullable CompletableFuture<?>> end = new AtomicReference<>();
        CompletableFuture<?> waits = pipeline.publishAsync(event -> {
                    event[0] = 2;
                    end.set(pipeline.drain().toCompletableFuture());
                })
                .toCompletableFuture();
        hand.run();
        assertThat(waits).isCompleted();
        assertThat(end.get()).isCompleted();
        assertThat(seen).containsExactly(1, 2);
    }

    @Test
    void drain_whenTheLastThatWaitsIsCancelled_ends() {
        Pipeline<int[]> pipeline =
                hand.builder(1).stage("any", event -> seen.add(event[0])).build();
        publish(pipeline, 1);
        CompletableFuture<?> waits = later(pipeline, 2);
        CompletableFuture<?> end = pipeline.drain().toCompletableFuture();
        assertThat(end).isNotDone();
        assertThat(waits.cancel(true)).isTrue();
        assertThat(waits).isCancelled();
        hand.run();
        assertThat(end).isCompleted();
        assertThat(seen).containsExactly(1);
    }

    @Test
    void halt_betweenClaimAndCommit_tellsThePublisherAndDropsTheRest() {
        List<Integer> dropped = new ArrayList<>();
        Pipeline<int[]> pipeline = hand.builder(4)
                .stage("any", event -> seen.add(event[0]))
                .onDrop((event, stages) -> dropped.add(event[0]))
                .build();
        publish(pipeline, 1);
        publishVoid(pipeline);
        publish(pipeline, 3);
        assertThatThrownBy(() -> pipeline.offer(event -> {
                    pipeline.halt();
                    hand.run();
                    event[0] = 4;
                }))
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("halt() was called");
        hand.run();
        assertThat(pipeline.halt().toCompletableFuture()).isCompleted();
        assertThat(seen).isEmpty();
        assertThat(dropped).containsExactly(1, 3);
    }

    @Test
    void halt_dropHandlerThatThrows_getsTheOtherEventsAllTheSame() {
        List<Integer> dropped = new ArrayList<>();
        List<Throwable> told = new ArrayList<>();
        Pipeline<int[]> pipeline = hand.builder(4)
                .stage("any", event -> seen.add(event[0]))
                .onDrop((event, stages) -> {
                    dropped.add(event[0]);
                    if (event[0] == 1) {
                        throw new IllegalStateException("cannot drop");
                    }
                })
                .build();
        publish(pipeline, 1);
        publish(pipeline, 2);
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((where, failure) -> told.add(failure));
        try {
            pipeline.halt();
            hand.run();
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }
        assertThat(dropped).containsExactly(1, 2);
        assertThat(told)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessage("cannot drop"));
    }

    @Test
    void halt_causeWithCodeOfItsOwn_isAskedOutsideTheLock() throws Exception {
        Pipeline<int[]> pipeline = hand.builder(1)
                .stage("any", event -> {
                    throw new Nosy();
                })
                .build();
        Nosy.asks = pipeline;
        publish(pipeline, 1);
        CompletableFuture<?> waits = later(pipeline, 2);
        hand.run();
        assertThat(waits).isCompletedExceptionally();
        assertThat(Nosy.answered).isTrue();
    }

    /** Uses the pipeline in another thread, and waits for that thread. */
    private static final class Nosy extends RuntimeException {
        private static final long serialVersionUID = 1;
        private static @Nullable Pipeline<int[]> asks;
        private static boolean answered;

        @Override
        public String getMessage() {
            Pipeline<int[]> pipeline = asks;
            if (pipeline != null) {
                Thread thread = new Thread(pipeline::drain);
                thread.setDaemon(true);
                thread.start();
                try {
                    thread.join(5_000);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                answered = !thread.isAlive();
            }
            return "nosy";
        }
    }

    @Test
    void retry_haltedMeanwhile_leavesTheEventToTheDropHandler() {
        List<Integer> dropped = new ArrayList<>();
        List<Pipeline<int[]>> self = new ArrayList<>();
        Pipeline<int[]> pipeline = hand.builder(4)
                .stage("flaky", event -> {
                    self.get(0).halt();
                    throw new IllegalStateException("not yet");
                })
                .errorPolicy(ErrorPolicy.retry(3).thenSkip())
                .onDrop((event, stages) -> dropped.add(event[0]))
                .build();
        self.add(pipeline);
        publish(pipeline, 1);
        hand.run();
        assertThat(dropped).containsExactly(1);
    }

    // ---------------------------------------------------------------- lanes that refuse

    @Test
    void lane_thatRefuses_haltsThePipeline() {
        Pipeline<int[]> pipeline =
                hand.builder(2).stage("any", event -> seen.add(event[0])).build();
        hand.lane("any").refuse(new RejectedExecutionException("is shut down"));
        publish(pipeline, 1); // accepted, and passed to the drop handler
        assertThatThrownBy(() -> publish(pipeline, 2))
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("is shut down");
    }

    @Test
    void lane_withoutMemory_haltsThePipelineAndTellsThePublisher() {
        Pipeline<int[]> pipeline =
                hand.builder(2).stage("any", event -> seen.add(event[0])).build();
        hand.lane("any").refuse(new OutOfMemoryError("thrown by a test"));
        assertThatThrownBy(() -> publish(pipeline, 1)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> publish(pipeline, 2)).isInstanceOf(ClosedException.class);
    }

    // ---------------------------------------------------------------- one publisher

    @Test
    void singlePublisher_whileTheFillerOfOneThatWaitedRuns_commitsNothingBeforeIt() throws Exception {
        CountDownLatch filling = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Pipeline<int[]> pipeline = hand.builder(2)
                .singlePublisher(true)
                .stage("any", event -> seen.add(event[0]))
                .build();
        publish(pipeline, 0);
        publish(pipeline, 1);
        CompletableFuture<?> waits = pipeline.publishAsync(event -> {
                    filling.countDown();
                    uninterrupted(go);
                    event[0] = 2;
                })
                .toCompletableFuture();
        Thread worker = new Thread(hand::run);
        worker.start();
        filling.await();
        assertThat(pipeline.offer(event -> event[0] = 3)).isFalse();
        CompletableFuture<?> behind = later(pipeline, 3);
        CompletableFuture<?> last = later(pipeline, 4);
        assertThat(behind).isNotDone();
        go.countDown();
        worker.join();
        hand.run();
        assertThat(waits).isCompleted();
        assertThat(behind).isCompleted();
        assertThat(last).isCompleted();
        assertThat(seen).containsExactly(0, 1, 2, 3, 4);
        publish(pipeline, 5);
    }

    @Test
    void singlePublisher_fillerOfOneThatWaitedThatThrows_holdsNobodyUp() {
        Pipeline<int[]> pipeline = hand.builder(1)
                .singlePublisher(true)
                .stage("any", event -> seen.add(event[0]))
                .build();
        publish(pipeline, 0);
        CompletableFuture<?> fails = pipeline.publishAsync(event -> {
                    throw new IllegalStateException("no");
                })
                .toCompletableFuture();
        CompletableFuture<?> next = later(pipeline, 2);
        hand.run();
        assertThat(fails).isCompletedExceptionally();
        assertThat(next).isCompleted();
        assertThat(seen).containsExactly(0, 2);
    }

    @Test
    void singlePublisher_fillerThatPublishes_isToldSo() {
        Pipeline<int[]> pipeline = hand.builder(4)
                .singlePublisher(true)
                .stage("any", event -> seen.add(event[0]))
                .build();
        assertThatThrownBy(() -> pipeline.offer(event -> pipeline.offer(inner -> inner[0] = 2)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("singlePublisher() was promised");
        publish(pipeline, 3);
        hand.run();
        assertThat(seen).containsExactly(3);
    }

    // ---------------------------------------------------------------- waiting

    @Test
    void waiter_besideFreeSlotsThatAnUnfilledEventHoldsUp_isLetIn() throws Exception {
        CountDownLatch filling = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Pipeline<int[]> pipeline =
                hand.builder(8).stage("any", event -> seen.add(event[0])).build();
        publish(pipeline, 0);
        publish(pipeline, 1);
        Thread slow = new Thread(() -> pipeline.offer(event -> {
            filling.countDown();
            uninterrupted(go);
            event[0] = 2;
        }));
        slow.start();
        filling.await();
        for (int i = 3; i < 8; i++) {
            publish(pipeline, i);
        }
        CompletableFuture<?> waits = later(pipeline, 8);
        hand.run();
        assertThat(seen).containsExactly(0, 1);
        assertThat(waits)
                .as("two slots are free, although the next event is still being filled")
                .isCompleted();
        go.countDown();
        slow.join();
        hand.run();
        assertThat(seen).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Test
    void publishAsync_fillerThatThrowsBesideAFreeSlot_failsTheStageAndNotTheCall() {
        Pipeline<int[]> pipeline =
                hand.builder(2).stage("any", event -> seen.add(event[0])).build();
        CompletableFuture<?> failed = pipeline.publishAsync(event -> {
                    throw new IllegalStateException("no");
                })
                .toCompletableFuture();
        assertThat(failed).isCompletedExceptionally();
        assertThatThrownBy(failed::join).hasCauseInstanceOf(IllegalStateException.class);
    }

    // ---------------------------------------------------------------- batches, voids

    @Test
    void batch_withVoidEventsAtItsEnds_showsItsLast() {
        List<String> hints = new ArrayList<>();
        Pipeline<int[]> pipeline = hand.builder(8)
                .stage("write", (event, sequence, endOfBatch) -> hints.add(sequence + (endOfBatch ? "l" : "")))
                .build();
        publishVoid(pipeline);
        publish(pipeline, 1);
        publishVoid(pipeline);
        publish(pipeline, 3);
        publishVoid(pipeline);
        hand.run();
        publishVoid(pipeline); // a batch of void events only
        hand.run();
        publish(pipeline, 6);
        hand.run();
        assertThat(hints).containsExactly("1", "3l", "6l");
    }

    @Test
    void voids_markOfLongAgo_isNotTakenForAnother() {
        SkippedEvents voids = new SkippedEvents(new RingLayout(4));
        assertThat(voids.any()).isFalse();
        voids.add(5);
        assertThat(voids.has(5)).isTrue();
        assertThat(voids.has(9)).isFalse();
        assertThat(voids.has(5 + (4L << 32))).as("the same round, modulo 2^32").isFalse();
        assertThat(voids.has((4L << 32) - 4))
                .as("in a round that is 0, modulo 2^32")
                .isFalse();
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
