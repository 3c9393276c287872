// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.ClosedException;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.channel.Channel;
import dev.spindle.channel.ChannelClosedException;
import dev.spindle.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work accepted by pipelines and channels when their spindle or strand is shut down (D1). */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShutdownOfModelsTest {
    private static final int MANY = 1_000;

    private final List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch go = new CountDownLatch(1);

    private static Spindle spindle(int threads) {
        return Spindle.builder().coreThreads(threads).maxThreads(threads).build();
    }

    /** Blocks for a while. */
    private void take(int value) {
        LockSupport.parkNanos(100_000);
        seen.add(value);
    }

    private static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    // ---------------------------------------------------------------- pipelines

    @Test
    void d1_close_handlesAllEventsOfAPipelineInAllStages() {
        for (int threads = 1; threads <= 2; threads++) {
            seen.clear();
            AtomicInteger first = new AtomicInteger();
            Spindle spindle = spindle(threads);
            Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                    .capacity(1_024)
                    .stage("first", event -> first.incrementAndGet())
                    .maxBatch(16)
                    .parallelStage("many", 3, event -> LockSupport.parkNanos(50_000))
                    .stage("last", event -> take(event[0]))
                    .build();
            for (int i = 0; i < MANY; i++) {
                int value = i;
                assertThat(pipeline.offer(event -> event[0] = value)).isTrue();
            }
            spindle.close();

            assertThat(first).hasValue(MANY);
            assertThat(seen).isEqualTo(upTo(MANY));
            assertThatThrownBy(() -> pipeline.offer(event -> event[0] = 1))
                    .isInstanceOf(ClosedException.class)
                    .hasMessageContaining("is on a spindle that was shut down");
            pipeline.close();
        }
    }

    @Test
    void d1_close_endsAllWhoWaitForASlotAndHandlesWhatWasPublished() {
        Spindle spindle = spindle(1);
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(4)
                .stage("slow", event -> {
                    await(go);
                    take(event[0]);
                })
                .build();
        List<CompletableFuture<?>> stages = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int value = i;
            stages.add(pipeline.publishAsync(event -> event[0] = value).toCompletableFuture());
        }
        FutureTask<Boolean> publisher = new FutureTask<>(() -> {
            pipeline.publish(event -> event[0] = -1);
            return true;
        });
        Thread thread = new Thread(publisher);
        thread.start();
        until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        spindle.shutdown();
        go.countDown();

        assertThatThrownBy(() -> result(publisher)).hasCauseInstanceOf(ClosedException.class);
        List<Integer> published = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            until(stages.get(i)::isDone);
            if (!stages.get(i).isCompletedExceptionally()) {
                published.add(i);
            }
        }
        spindle.close();
        assertThat(seen).isEqualTo(published);
    }

    @Test
    void d1_close_handlesWhatAStagePassesOnToAnotherPipeline() {
        for (int threads = 1; threads <= 2; threads++) {
            seen.clear();
            Spindle spindle = spindle(threads);
            Pipeline<int[]> second = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                    .capacity(4)
                    .stage("second", event -> take(event[0]))
                    .build();
            List<CompletableFuture<?>> passed = Collections.synchronizedList(new ArrayList<>());
            Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                    .capacity(512)
                    .stage("first", event -> {
                        int value = event[0];
                        passed.add(second.publishAsync(to -> to[0] = value).toCompletableFuture());
                    })
                    .build();
            for (int i = 0; i < 300; i++) {
                int value = i;
                assertThat(pipeline.offer(event -> event[0] = value)).isTrue();
            }
            spindle.close();

            assertThat(passed).hasSize(300).allMatch(stage -> stage.isDone() && !stage.isCompletedExceptionally());
            assertThat(seen).isEqualTo(upTo(300));
        }
    }

    @Test
    void d1_close_waitsForAnEventWhoseFillerRuns() throws Exception {
        Spindle spindle = spindle(1);
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(4)
                .stage("any", event -> seen.add(event[0]))
                .build();
        CountDownLatch filling = new CountDownLatch(1);
        FutureTask<Boolean> slow = new FutureTask<>(() -> pipeline.offer(event -> {
            filling.countDown();
            await(go);
            event[0] = 0;
        }));
        new Thread(slow).start();
        await(filling);
        assertThat(pipeline.offer(event -> event[0] = 1)).isTrue();
        spindle.shutdown();
        assertThat(spindle.awaitTermination(20, TimeUnit.MILLISECONDS)).isFalse();
        go.countDown();

        assertThat(result(slow)).isTrue();
        assertThat(spindle.awaitTermination(30, TimeUnit.SECONDS)).isTrue(); // without another shutdown
        assertThat(seen).containsExactly(0, 1);
    }

    @Test
    void d1_haltAfterAShutdown_letsTheSpindleTerminate() throws Exception {
        Spindle spindle = spindle(1);
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(4)
                .stage("any", event -> seen.add(event[0]))
                .build();
        CountDownLatch filling = new CountDownLatch(1);
        FutureTask<Boolean> slow = new FutureTask<>(() -> pipeline.offer(event -> {
            filling.countDown();
            await(go);
        }));
        new Thread(slow).start();
        await(filling);
        spindle.shutdown();
        CompletionStage<?> halted = pipeline.halt();

        assertThat(spindle.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        resultOf(halted);
        go.countDown();
        assertThatThrownBy(() -> result(slow)).hasCauseInstanceOf(ClosedException.class);
        assertThat(seen).isEmpty();
    }

    @Test
    void d1_shutdownNow_handsEventsToTheDropHandlerBeforeTheSpindleTerminates() throws Exception {
        for (int threads = 1; threads <= 2; threads++) {
            List<Integer> dropped = Collections.synchronizedList(new ArrayList<>());
            seen.clear();
            CountDownLatch entered = new CountDownLatch(1);
            Spindle spindle = spindle(threads);
            Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                    .capacity(1_024)
                    .stage("slow", event -> {
                        seen.add(event[0]);
                        entered.countDown();
                        new CountDownLatch(1).await();
                    })
                    .errorPolicy(dev.spindle.pipeline.ErrorPolicy.skip())
                    .onDrop((event, stages) -> dropped.add(event[0]))
                    .build();
            for (int i = 0; i < MANY; i++) {
                int value = i;
                assertThat(pipeline.offer(event -> event[0] = value)).isTrue();
            }
            await(entered);
            assertThat(spindle.shutdownNow()).isEmpty();
            assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();

            assertThat(seen).containsExactly(0);
            assertThat(dropped).endsWith(MANY - 1).hasSizeBetween(MANY - 1, MANY);
            assertThatThrownBy(() -> resultOf(pipeline.drain())).hasCauseInstanceOf(ClosedException.class);
        }
    }

    @Test
    void d1_shutdownNow_endsAnIdlePipelineAndAllWhoWait() {
        Spindle spindle = spindle(1);
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(1)
                .stage("any", event -> {})
                .build();
        spindle.shutdownNow();

        assertThatThrownBy(() -> pipeline.offer(event -> event[0] = 1)).isInstanceOf(ClosedException.class);
        resultOf(pipeline.halt());
    }

    // ---------------------------------------------------------------- channels

    @Test
    void d1_close_handlesAllValuesThatConsumersHaveBeenSent() {
        for (int threads = 1; threads <= 2; threads++) {
            seen.clear();
            Spindle spindle = spindle(threads);
            Channel<Integer> channel = Channel.buffered("channel", MANY);
            CompletableFuture<@Nullable Void> end = channel.forEach(spindle.strand("consumer"), this::take);
            for (int i = 0; i < MANY; i++) {
                assertThat(channel.offer(i)).isTrue();
            }
            spindle.close();

            assertThat(seen).isEqualTo(upTo(MANY));
            assertThat(end).isCompletedExceptionally();
            assertThatThrownBy(() -> result(end)).hasCauseInstanceOf(RejectedExecutionException.class);
            assertThat(channel.offer(1)).as("the channel stays open").isTrue();
        }
    }

    private static List<Channel<Integer>> channels() {
        return List.of(
                Channel.buffered("buffered", 4),
                Channel.rendezvous("rendezvous"),
                Channel.conflating("conflating", 4, value -> value));
    }

    @Test
    void d1_close_letsInSendersThatWaitForRoom() {
        Spindle spindle = spindle(1);
        for (Channel<Integer> channel : channels()) {
            seen.clear();
            Strand strand = spindle.strand("consumer");
            CountDownLatch open = new CountDownLatch(1);
            strand.execute(() -> await(open));
            CompletableFuture<@Nullable Void> end = channel.forEach(strand, this::take);
            List<CompletableFuture<?>> stages = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                stages.add(channel.sendAsync(i));
            }
            strand.shutdown();
            open.countDown();

            stages.forEach(stage -> assertThat(result(stage)).isNull());
            assertThatThrownBy(() -> result(end)).hasCauseInstanceOf(RejectedExecutionException.class);
            until(strand::isTerminated);
            assertThat(seen).isEqualTo(upTo(300));
        }
        spindle.close();
    }

    @Test
    void d1_close_handlesWhatConsumersAndTasksPassOnFromChannelToChannel() {
        for (int threads = 1; threads <= 2; threads++) {
            seen.clear();
            Spindle spindle = spindle(threads);
            Channel<Integer> first = Channel.buffered("first", 512);
            Channel<Integer> second = Channel.rendezvous("second");
            Channel<Integer> third = Channel.buffered("third", 2);
            List<CompletableFuture<?>> sent = Collections.synchronizedList(new ArrayList<>());
            CompletableFuture<@Nullable Void> end = third.forEach(spindle.strand("third"), this::take);
            CompletableFuture<?> unused =
                    second.forEach(spindle.strand("second"), value -> sent.add(third.sendAsync(value)));
            CompletableFuture<?> unused2 =
                    first.forEach(spindle.strand("first"), value -> sent.add(second.sendAsync(value)));
            spindle.execute(() -> await(go));
            for (int i = 0; i < 200; i++) {
                int value = i;
                spindle.execute(() -> sent.add(first.sendAsync(value)));
            }
            spindle.shutdown();
            go.countDown();
            spindle.close();

            assertThat(sent).hasSize(600).allMatch(stage -> stage.isDone() && !stage.isCompletedExceptionally());
            assertThat(seen).hasSize(200).containsExactlyInAnyOrderElementsOf(upTo(200));
            assertThat(end).isCompletedExceptionally();
        }
    }

    @Test
    void d1_close_isNotHeldUpBySendersThatNeverStop() {
        for (Channel<Integer> channel : channels().subList(0, 2)) {
            Spindle spindle = spindle(2);
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger handled = new AtomicInteger();
            CompletableFuture<@Nullable Void> end = channel.forEach(spindle.strand("consumer"), value -> {
                LockSupport.parkNanos(100_000); // so that a value always waits
                handled.incrementAndGet();
            });
            List<FutureTask<Integer>> senders = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                FutureTask<Integer> sender = new FutureTask<>(() -> {
                    int sent = 0;
                    try {
                        while (!stop.get()) {
                            channel.send(sent);
                            sent++;
                        }
                    } catch (ChannelClosedException e) {
                        // the test has ended
                    }
                    return sent;
                });
                new Thread(sender).start();
                senders.add(sender);
            }
            until(() -> handled.get() > 100);
            spindle.close();

            assertThat(end).isCompletedExceptionally();
            int atEnd = handled.get();
            stop.set(true);
            int left = channel.halt().join().items().size();
            int sent = 0;
            for (FutureTask<Integer> sender : senders) {
                sent += result(sender);
            }
            assertThat(sent).isEqualTo(atEnd + left);
        }
    }

    /** Another thread sends without end, so that a value always follows the one being handled. */
    @Test
    void d1_close_handlesNoValuesThatThreadsElsewhereSendAfterTheShutdown() {
        ExecutorService elsewhere = Executors.newSingleThreadExecutor();
        for (Channel<Integer> channel : channels()) {
            Spindle spindle = spindle(1);
            AtomicBoolean shut = new AtomicBoolean();
            AtomicInteger handled = new AtomicInteger();
            AtomicInteger late = new AtomicInteger();
            CompletableFuture<@Nullable Void> end = channel.forEach(spindle.strand("consumer"), value -> {
                handled.incrementAndGet();
                if (!shut.get() || late.incrementAndGet() < 1_000) {
                    result(elsewhere.submit(() -> {
                        CompletionStage<?> unused = channel.sendAsync(value);
                    }));
                }
            });
            CompletionStage<?> unused = channel.sendAsync(1);
            until(() -> handled.get() > 10);
            spindle.shutdown();
            shut.set(true);
            spindle.close();

            assertThat(end).isCompletedExceptionally();
            assertThat(late).hasValueLessThan(10);
        }
        elsewhere.shutdown();
    }

    @Test
    void c1_shutdownOfAnIdleConsumer_failsItsStageAndNoSendCountsAsReceived() throws Exception {
        for (boolean alone : List.of(true, false)) {
            for (boolean now : List.of(true, false)) {
                Spindle spindle = spindle(1);
                Strand strand = spindle.strand("consumer");
                Channel<Integer> channel = Channel.rendezvous("channel");
                CompletableFuture<@Nullable Void> end = channel.forEach(strand, seen::add);
                channel.send(1); // so that the consumer waits in the channel, or will
                until(() -> seen.size() == 1);
                if (alone) {
                    assertThat(now ? strand.shutdownNow() : List.of()).isEmpty();
                    strand.shutdown();
                } else {
                    assertThat(now ? spindle.shutdownNow() : List.of()).isEmpty();
                    spindle.shutdown();
                }

                assertThatThrownBy(() -> result(end))
                        .cause()
                        .isInstanceOf(RejectedExecutionException.class)
                        .hasMessageContaining("strand consumer")
                        .hasMessageContaining("rendezvous");
                assertThat(channel.offer(2)).isFalse();
                assertThat(channel.offer(2, Duration.ofMillis(1))).isFalse();
                assertThat(channel.stats().pending()).isZero();
                assertThatThrownBy(() -> channel.forEach(strand, seen::add))
                        .isInstanceOf(RejectedExecutionException.class);
                assertThat(seen).containsExactly(1);
                seen.clear();
                spindle.close();
            }
        }
    }

    @Test
    void forEach_afterAShutdownWhileTheStrandStillWorks_isRefused() {
        for (boolean alone : List.of(true, false)) {
            Spindle spindle = spindle(1);
            Strand strand = spindle.strand("consumer");
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch open = new CountDownLatch(1);
            strand.execute(() -> {
                begun.countDown();
                await(open);
            });
            await(begun);
            if (alone) {
                strand.shutdown();
            } else {
                spindle.shutdown();
            }
            Channel<Integer> channel = Channel.buffered("channel", 4);

            assertThatThrownBy(() -> channel.forEach(strand, seen::add))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("strand consumer");
            open.countDown();
            spindle.close();
        }
    }

    @Test
    void d1_shutdownNow_leavesValuesInTheChannelInTheirOrder() throws Exception {
        for (boolean alone : List.of(true, false)) {
            seen.clear();
            Spindle spindle = spindle(1);
            Strand strand = spindle.strand("consumer");
            Channel<Integer> channel = Channel.buffered("channel", MANY);
            CountDownLatch entered = new CountDownLatch(1);
            CompletableFuture<@Nullable Void> end = channel.forEach(strand, value -> {
                seen.add(value);
                entered.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            for (int i = 0; i < MANY; i++) {
                assertThat(channel.offer(i)).isTrue();
            }
            await(entered);
            assertThat(alone ? strand.shutdownNow() : spindle.shutdownNow()).isEmpty();

            assertThatThrownBy(() -> result(end)).hasCauseInstanceOf(RejectedExecutionException.class);
            assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            assertThat(seen).containsExactly(0);
            assertThat(channel.halt().join().items())
                    .isEqualTo(IntStream.range(1, MANY).boxed().toList());
            spindle.close();
        }
    }
}
