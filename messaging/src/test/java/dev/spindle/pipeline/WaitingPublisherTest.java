// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.ClosedException;
import dev.spindle.Spindle;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Publishers that wait for slots: their admission, and their withdrawal. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitingPublisherTest {
    private final HandPipeline hand = new HandPipeline();
    private final List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    private final Spindle spindle = Spindle.builder().coreThreads(2).build();

    @AfterEach
    void end() {
        spindle.shutdownNow();
    }

    private Pipeline<int[]> pipeline(int size) {
        return hand.builder(size).stage("any", event -> seen.add(event[0])).build();
    }

    private static void fill(Pipeline<int[]> pipeline, int from, int to) {
        for (int i = from; i < to; i++) {
            int value = i;
            assertThat(pipeline.offer(event -> event[0] = value)).isTrue();
        }
    }

    private static CompletableFuture<@Nullable Void> later(Pipeline<int[]> pipeline, int value) {
        return pipeline.publishAsync(event -> event[0] = value).toCompletableFuture();
    }

    private static List<Integer> eight() {
        return List.of(10, 11, 12, 13, 14, 15, 16, 17);
    }

    /** A call in a thread of its own. */
    private static final class Call<V> {
        private final FutureTask<V> task;
        private final Thread thread;

        Call(Callable<V> call) {
            task = new FutureTask<>(call);
            thread = new Thread(task, "publisher");
            thread.setDaemon(true);
            thread.start();
        }

        /** Waits until the thread is parked, or has ended because its limit has passed. */
        Call<V> parked() {
            until(() -> thread.getState() == Thread.State.TIMED_WAITING
                    || thread.getState() == Thread.State.WAITING
                    || task.isDone());
            return this;
        }

        void interrupt() {
            thread.interrupt();
        }
    }

    private static Call<Boolean> publishAll(Pipeline<int[]> pipeline) {
        return new Call<>(() -> {
            pipeline.publishAll((event, value) -> event[0] = value, eight());
            return true;
        });
    }

    // ---------------------------------------------------------------- publishers behind one that leaves

    @Test
    void p1_publishAllThatIsInterrupted_letsInThoseBehindItWhoseSlotsAreFree() {
        Pipeline<int[]> pipeline = pipeline(8);
        fill(pipeline, 0, 1);
        Call<Boolean> all = publishAll(pipeline).parked();
        CompletableFuture<?> stage = later(pipeline, 1);
        Call<Boolean> thread = new Call<>(() -> {
                    pipeline.publish(event -> event[0] = 2);
                    return true;
                })
                .parked();
        assertThat(stage).isNotDone();
        all.interrupt();

        assertThatThrownBy(() -> result(all.task)).hasCauseInstanceOf(InterruptedException.class);
        result(stage);
        assertThat(result(thread.task)).isTrue();
        assertThat(pipeline.offer(event -> event[0] = 3))
                .as("no publisher waits")
                .isTrue();
        hand.run();
        assertThat(seen).containsExactly(0, 1, 2, 3);
    }

    @Test
    void p1_publishAllThatIsInterruptedInADrain_letsInThoseBehindItAndTheDrainEnds() {
        Pipeline<int[]> pipeline = pipeline(8);
        fill(pipeline, 0, 1);
        Call<Boolean> all = publishAll(pipeline).parked();
        CompletableFuture<?> stage = later(pipeline, 1);
        CompletableFuture<?> drained = pipeline.drain().toCompletableFuture();
        all.interrupt();

        assertThatThrownBy(() -> result(all.task)).hasCauseInstanceOf(InterruptedException.class);
        result(stage);
        hand.run();
        assertThat(drained).isCompleted();
        assertThat(seen).containsExactly(0, 1);
    }

    @Test
    void p1_singlePublisher_stageThatIsCancelled_letsInTheOneBehindItOnceItsFillerIsThrough() {
        Pipeline<int[]> pipeline = hand.builder(1)
                .singlePublisher(true)
                .stage("any", event -> seen.add(event[0]))
                .build();
        fill(pipeline, 0, 1);
        CompletableFuture<?> first = later(pipeline, 1);
        CompletableFuture<?> second = later(pipeline, 2);
        assertThat(first.cancel(false)).isTrue();
        hand.run();

        assertThat(second).isCompleted();
        assertThat(seen).containsExactly(0, 2);
    }

    // ---------------------------------------------------------------- a last look

    @Test
    void offer_withALimitThatPassesWhileSlotsAreFree_isPublished() {
        Duration limit = Duration.ofMillis(50);
        boolean tried = false;
        while (!tried) {
            tried = offerThatFindsThreeOfEightSlotsFreeAtItsLimit(limit);
            limit = limit.multipliedBy(2); // the machine was too slow to free the slots in time
        }
    }

    /** Returns whether the slots became free before the limit had passed. */
    private boolean offerThatFindsThreeOfEightSlotsFreeAtItsLimit(Duration limit) {
        Semaphore handled = new Semaphore(0);
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(8)
                .stage("slow", event -> handled.acquire())
                .maxBatch(1)
                .build();
        fill(pipeline, 0, 8);
        long begun = System.nanoTime();
        Call<Boolean> offer = new Call<>(() -> pipeline.offer(event -> event[0] = 8, limit)).parked();
        handled.release(3);
        until(() -> pipeline.toString().contains("5 of 8 slots") || offer.task.isDone());
        boolean inTime = System.nanoTime() - begun < limit.toNanos() && !offer.task.isDone();
        boolean published = result(offer.task);
        handled.release(100);
        pipeline.close();
        assertThat(published || !inTime).isTrue();
        return inTime;
    }

    @Test
    void offer_withALimitBehindOneWhoseSlotsAreNotFree_isRefused() throws Exception {
        Pipeline<int[]> pipeline = pipeline(8);
        fill(pipeline, 0, 1);
        Call<Boolean> all = publishAll(pipeline).parked();

        assertThat(pipeline.offer(event -> event[0] = 1, Duration.ofMillis(1)))
                .as("it must not overtake the waiting one")
                .isFalse();
        hand.run();
        assertThat(result(all.task)).isTrue();
        hand.run();
        assertThat(seen).hasSize(9);
    }

    // ---------------------------------------------------------------- interrupts that come too late

    @Test
    void publish_interruptThatComesTooLate_staysSetAndTheEventIsPublished() {
        int published = 0;
        for (int round = 0; published < 50; round++) {
            Pipeline<int[]> pipeline = pipeline(1);
            fill(pipeline, 0, 1);
            CountDownLatch interrupted = new CountDownLatch(1);
            Call<Boolean> publisher = new Call<>(() -> {
                try {
                    pipeline.publish(event -> event[0] = 1);
                } catch (InterruptedException e) {
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    return false;
                }
                while (interrupted.getCount() > 0) {
                    Thread.onSpinWait();
                }
                assertThat(Thread.interrupted()).as("the interrupt stays").isTrue();
                return true;
            });
            publisher.parked();
            Call<Boolean> stage = new Call<>(() -> {
                hand.run();
                return true;
            });
            for (int i = 0; i < round % 50; i++) {
                Thread.onSpinWait();
            }
            publisher.interrupt();
            interrupted.countDown();
            published += result(publisher.task) ? 1 : 0;
            assertThat(result(stage.task)).isTrue();
            hand.run();
            assertThat(seen.contains(1)).isEqualTo(result(publisher.task));
            seen.clear();
        }
    }

    // ---------------------------------------------------------------- futures completed from outside

    @Test
    void publishAsync_completedFromOutsideWhileItWaits_takesItsEventBack() {
        Pipeline<int[]> pipeline = pipeline(1);
        fill(pipeline, 0, 1);
        CompletableFuture<@Nullable Void> timed = later(pipeline, 1).orTimeout(1, TimeUnit.MILLISECONDS);
        CompletableFuture<@Nullable Void> byHand = later(pipeline, 2);
        CompletableFuture<@Nullable Void> failed = later(pipeline, 3);
        CompletableFuture<@Nullable Void> last = later(pipeline, 4);
        assertThatThrownBy(() -> result(timed)).hasCauseInstanceOf(TimeoutException.class);
        assertThat(byHand.complete(null)).isTrue();
        assertThat(byHand.complete(null)).isFalse();
        assertThat(failed.completeExceptionally(new IllegalStateException("mine")))
                .isTrue();
        hand.run();

        assertThat(last).isCompleted();
        assertThat(seen).containsExactly(0, 4);
    }

    @Test
    void publishAsync_thatWasPublished_isNotCompletedFromOutside() {
        Pipeline<int[]> pipeline = pipeline(1);
        fill(pipeline, 0, 1);
        CompletableFuture<@Nullable Void> stage = later(pipeline, 1);
        hand.run();

        assertThat(stage.cancel(true)).isFalse();
        assertThat(stage.completeExceptionally(new IllegalStateException("too late")))
                .isFalse();
        assertThat(stage).isCompletedWithValue(null);
    }

    @Test
    void u3_stageOfAnEventThatWaited_keepsNeitherItsFillerNorThePipeline() {
        List<CompletableFuture<?>> kept = new ArrayList<>();
        List<WeakReference<?>> gone = new ArrayList<>();
        publishInAPipelineOfItsOwn(kept, gone);
        until(() -> {
            System.gc();
            return gone.stream().allMatch(reference -> reference.refersTo(null));
        });
        assertThat(kept).allMatch(CompletableFuture::isDone);
    }

    private static void publishInAPipelineOfItsOwn(List<CompletableFuture<?>> kept, List<WeakReference<?>> gone) {
        HandPipeline own = new HandPipeline();
        Pipeline<int[]> pipeline = own.builder(1).stage("any", event -> {}).build();
        fill(pipeline, 0, 1);
        for (int i = 0; i < 3; i++) {
            Object captured = new Object();
            CompletableFuture<?> stage = pipeline.publishAsync(event -> event[0] = captured.hashCode())
                    .toCompletableFuture();
            if (i == 1) {
                assertThat(stage.cancel(false)).isTrue();
            }
            kept.add(stage);
            gone.add(new WeakReference<>(captured));
        }
        own.run();
        gone.add(new WeakReference<>(pipeline));
    }

    // ---------------------------------------------------------------- the end

    @Test
    void halt_causeWhoseMessageThrows_endsThePipelineAllTheSame() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Spindle quiet =
                Spindle.builder().coreThreads(2).onFailure((activity, e) -> {}).build();
        Pipeline<int[]> pipeline = Pipeline.builder(quiet, "pipeline", () -> new int[1])
                .capacity(1)
                .stage("broken", event -> {
                    entered.countDown();
                    await(goOn);
                    throw new Mute();
                })
                .build();
        fill(pipeline, 0, 1);
        await(entered);
        CompletableFuture<?> waits = later(pipeline, 1);
        Call<Boolean> thread = new Call<>(() -> {
                    pipeline.publish(event -> event[0] = 2);
                    return true;
                })
                .parked();
        goOn.countDown();

        assertThatThrownBy(() -> result(waits)).cause().isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> result(thread.task))
                .cause()
                .isInstanceOf(ClosedException.class)
                .hasCauseInstanceOf(Mute.class)
                .hasMessageContaining(Mute.class.getName());
        assertThatThrownBy(() -> resultOf(pipeline.drain())).hasCauseInstanceOf(ClosedException.class);
        resultOf(pipeline.halt());
        quiet.close();
    }

    /** Does nothing. */
    private static final class Mute extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }
}
