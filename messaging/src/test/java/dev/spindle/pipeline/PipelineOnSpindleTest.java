// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.ClosedException;
import dev.spindle.OnFull;
import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pipeline on a spindle: its use of workers, and its end when the spindle is shut down or full. */
@Timeout(30)
class PipelineOnSpindleTest {
    private final CountDownLatch busy = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final List<Integer> seen = new ArrayList<>();
    private final List<Integer> dropped = new ArrayList<>();

    /** Blocks the only worker. */
    private void occupy(Spindle one) throws InterruptedException {
        one.execute(() -> {
            busy.countDown();
            awaitGo();
        });
        busy.await();
    }

    private Pipeline<int[]> pipeline(Spindle on) {
        return Pipeline.builder(on, "pipeline", () -> new int[1])
                .capacity(1)
                .stage("any", event -> seen.add(event[0]))
                .onDrop((event, stages) -> dropped.add(event[0]))
                .build();
    }

    @Test
    void s1_singleEvents_passAllStagesWithoutHelp() throws Exception {
        try (Spindle spindle = Spindle.builder().coreThreads(2).build()) {
            AtomicInteger left = new AtomicInteger();
            Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                    .capacity(4)
                    .stage("first", event -> event[0]++)
                    .stage("last", event -> left.set(event[0]))
                    .after("first")
                    .build();
            for (int i = 1; i <= 1_000; i++) {
                int number = i;
                pipeline.publish(event -> event[0] = number - 1);
                long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                while (left.get() != number) { // no other thread publishes, so a lost start would be final
                    assertThat(System.nanoTime()).isLessThan(limit);
                    Thread.onSpinWait();
                }
            }
            pipeline.close();
        }
    }

    @Test
    void s2_thousandIdlePipelines_holdNoThreadAndWakeNobody() throws Exception {
        try (Spindle spindle = Spindle.builder().coreThreads(1).maxThreads(4).build()) {
            AtomicInteger handled = new AtomicInteger();
            List<Pipeline<int[]>> pipelines = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                pipelines.add(Pipeline.builder(spindle, "pipeline", () -> new int[1])
                        .capacity(1)
                        .stage("first", event -> event[0]++)
                        .stage("last", event -> handled.incrementAndGet())
                        .after("first")
                        .build());
            }
            assertThat(spindle.stats().threads()).isZero();
            for (Pipeline<int[]> pipeline : pipelines) {
                pipeline.publish(event -> event[0] = 0);
            }
            long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (handled.get() < 1_000
                    || spindle.stats().idleThreads() < spindle.stats().threads()) {
                assertThat(System.nanoTime()).isLessThan(limit);
                Thread.onSpinWait();
            }
            // A poll would wake a worker in each of these periods. A check for stuck work that began before may wake
            // one once.
            long wakeUps;
            long turns;
            do {
                assertThat(System.nanoTime()).isLessThan(limit);
                wakeUps = spindle.stats().wakeUps();
                turns = spindle.stats().completed();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            } while (spindle.stats().wakeUps() != wakeUps || spindle.stats().completed() != turns);
            for (Pipeline<int[]> pipeline : pipelines) {
                pipeline.close();
            }
        }
    }

    @Test
    void shutdownNow_thatTakesTheTaskOfAStageAway_haltsThePipelineAndReleasesWhoWaits() throws Exception {
        Spindle gone = Spindle.builder().coreThreads(1).maxThreads(1).build();
        occupy(gone);
        Pipeline<int[]> pipeline = pipeline(gone);
        pipeline.publish(event -> event[0] = 1);
        CompletableFuture<?> waits =
                pipeline.publishAsync(event -> event[0] = 2).toCompletableFuture();
        gone.shutdownNow();
        assertThatThrownBy(() -> waits.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ClosedException.class)
                .hasMessageContaining("stage any was cancelled: its spindle was shut down at once");
        pipeline.halt().toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(seen).isEmpty();
        assertThat(dropped).containsExactly(1);
    }

    @Test
    void d1_shutdownUnderAPipeline_refusesPublishersAndDropsNothing() throws Exception {
        Spindle gone = Spindle.builder().coreThreads(1).build();
        Pipeline<int[]> pipeline = pipeline(gone);
        gone.shutdown();
        assertThatThrownBy(() -> pipeline.publish(event -> event[0] = 1))
                .isInstanceOf(ClosedException.class)
                .hasMessage("pipeline pipeline is on a spindle that was shut down and takes no more events");
        assertThatThrownBy(() -> pipeline.publishAsync(event -> event[0] = 1)).isInstanceOf(ClosedException.class);
        pipeline.halt().toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(dropped).isEmpty();
    }

    @Test
    void d1_pipelineOfASpindleThatWasShutDown_takesNothing() {
        Spindle gone = Spindle.builder().coreThreads(1).build();
        gone.shutdown();
        Pipeline<int[]> pipeline = pipeline(gone);
        assertThatThrownBy(() -> pipeline.offer(event -> event[0] = 1)).isInstanceOf(ClosedException.class);
        pipeline.close();
    }

    /** Its filler fills still when the drain has ended without it. */
    private Thread late(Pipeline<int[]> pipeline, AtomicReference<Throwable> told) throws InterruptedException {
        CountDownLatch fills = new CountDownLatch(1);
        Thread late = new Thread(() -> {
            try {
                pipeline.publish(event -> {
                    fills.countDown();
                    awaitGo();
                });
            } catch (Throwable t) {
                told.set(t);
            }
        });
        late.start();
        fills.await();
        return late;
    }

    private void assertTerminatesBefore(Thread late, Spindle spindle) throws InterruptedException {
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        go.countDown();
        late.join();
    }

    private void awaitGo() {
        try {
            go.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void d1_shutdownAfterADrainThatWentWithoutAFiller_terminates() throws Exception {
        Spindle spindle = Spindle.builder().coreThreads(1).build();
        Pipeline<int[]> pipeline = pipeline(spindle);
        AtomicReference<Throwable> told = new AtomicReference<>();
        Thread late = late(pipeline, told);
        pipeline.close();
        spindle.shutdown();

        assertTerminatesBefore(late, spindle);
        assertThat(told.get()).isInstanceOf(ClosedException.class);
    }

    @Test
    void d1_shutdownBeforeADrainThatGoesWithoutAFiller_terminates() throws Exception {
        Spindle spindle = Spindle.builder().coreThreads(1).build();
        Pipeline<int[]> pipeline = pipeline(spindle);
        AtomicReference<Throwable> told = new AtomicReference<>();
        Thread late = late(pipeline, told);
        spindle.shutdown();
        pipeline.close();

        assertTerminatesBefore(late, spindle);
        assertThat(told.get()).isInstanceOf(ClosedException.class);
    }

    @Test
    void stage_onASpindleWhoseBoundOthersHaveUsedUp_isCalledAllTheSame() throws Exception {
        try (Spindle full = Spindle.builder()
                .coreThreads(1)
                .maxThreads(1)
                .capacity(1, OnFull.reject())
                .build()) {
            occupy(full);
            full.execute(() -> {}); // takes the only place
            Pipeline<int[]> pipeline = pipeline(full);
            pipeline.publish(event -> event[0] = 1);
            go.countDown();
            pipeline.drain().toCompletableFuture().get(10, TimeUnit.SECONDS);
        }
        assertThat(seen).containsExactly(1);
    }

    @Test
    void shutdownNow_ofASpindleWhoseBoundOthersHaveUsedUp_haltsThePipelineToo() throws Exception {
        Spindle gone = Spindle.builder()
                .coreThreads(1)
                .maxThreads(1)
                .capacity(1, OnFull.reject())
                .build();
        occupy(gone);
        gone.execute(() -> {});
        Pipeline<int[]> pipeline = pipeline(gone);
        pipeline.publish(event -> event[0] = 1);
        CompletableFuture<?> end = pipeline.drain().toCompletableFuture();
        gone.shutdownNow();
        assertThatThrownBy(() -> end.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(ClosedException.class);
        assertThat(dropped).containsExactly(1);
    }

    @Test
    void p1_sequences_areThoseOfThePublishing() throws Exception {
        List<Long> sequences = new ArrayList<>();
        try (Spindle spindle = Spindle.builder().coreThreads(2).build();
                Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                        .capacity(2)
                        .stage("any", (event, sequence, endOfBatch) -> sequences.add(sequence))
                        .build()) {
            for (int i = 0; i < 20; i++) {
                pipeline.publish(event -> {});
            }
        }
        assertThat(sequences).isEqualTo(LongStream.range(0, 20).boxed().toList());
    }
}
