// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.Strand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Channels between tasks on a pool of one worker, which no call makes wait. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelOnSpindleTest {
    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final Spindle spindle = Spindle.builder()
            .name("one")
            .coreThreads(1)
            .maxThreads(1)
            .onFailure((activity, failure) -> failures.add(failure))
            .build();
    private final Strand strand = spindle.strand("consumer");

    @AfterEach
    void end() throws InterruptedException {
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(failures).isEmpty();
    }

    private <V> void assertRefused(Callable<V> call, String message) {
        assertThatThrownBy(() -> result(spindle.submit(call)))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(message);
    }

    // ---------------------------------------------------------------- no worker waits

    @Test
    void r1_blockingFormsOnAWorker_areRefusedAndNameTheOtherForm() {
        Channel<String> channel = Channel.rendezvous("channel");
        Callable<String> send = () -> {
            channel.send("a");
            return "sent";
        };

        assertRefused(send, "send would make a worker of one wait; call sendAsync instead");
        assertRefused(channel::receive, "receive would make a worker of one wait; call receiveAsync instead");
        assertRefused(
                () -> requireNonNull(channel.poll(Duration.ofSeconds(1))),
                "poll would make a worker of one wait; call receiveAsync instead");
        assertRefused(
                () -> Select.<String>fair().receive(channel, value -> value).await(),
                "await would make a worker of one wait; call awaitAsync instead");
        assertThat(channel.core().waitingSenders() + channel.core().waitingReceivers())
                .isZero();
    }

    @Test
    void r1_tasksOfOneWorker_passAValueThroughManyChannels() {
        List<Channel<Integer>> ring = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ring.add(Channel.rendezvous("channel"));
        }
        for (int i = 0; i + 1 < ring.size(); i++) {
            Channel<Integer> from = ring.get(i);
            Channel<Integer> to = ring.get(i + 1);
            spindle.execute(() -> {
                CompletableFuture<?> unused = from.receiveAsync().thenCompose(value -> to.sendAsync(value + 1));
            });
        }
        CompletableFuture<@Nullable Void> sent = ring.get(0).sendAsync(1);

        assertThat(result(ring.get(99).receiveAsync())).isEqualTo(100);
        assertThat(sent).isCompleted();
    }

    // ---------------------------------------------------------------- onto a strand

    @Test
    void c1_forEach_handlesEachValueInOrderOnItsStrand() throws Exception {
        for (Channel<Integer> channel :
                List.of(Channel.<Integer>rendezvous("channel"), Channel.<Integer>buffered("channel", 8))) {
            List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
            CompletableFuture<@Nullable Void> end = channel.forEach(strand, value -> {
                assertThat(strand.isCurrent()).isTrue();
                seen.add(value);
            });
            for (int i = 0; i < 1_000; i++) {
                channel.send(i);
            }
            channel.close();
            result(end);

            assertThat(seen).hasSize(1_000).isSorted();
        }
    }

    @Test
    void c1_forEach_receivesTheNextValueWhenTheHandlerIsDone() {
        Channel<Integer> channel = Channel.rendezvous("channel");
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<@Nullable Void> end = channel.forEach(strand, value -> {
            inside.countDown();
            await(goOn);
        });
        CompletableFuture<@Nullable Void> first = channel.sendAsync(1);
        await(inside);
        CompletableFuture<@Nullable Void> second = channel.sendAsync(2);
        assertThat(first).isCompleted();
        assertThat(second).isNotDone();
        assertThat(channel.offer(3)).isFalse();
        goOn.countDown();

        result(second);
        channel.close();
        result(end);
    }

    @Test
    void f1_handlerThatThrows_isReportedAndTheNextValueFollows() {
        Channel<Integer> channel = Channel.buffered("channel", 2);
        CompletableFuture<Integer> seen = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> end = channel.forEach(strand, value -> {
            if (value == 1) {
                throw new IllegalStateException("handled " + value);
            }
            seen.complete(value);
        });
        assertThat(channel.offer(1)).isTrue();
        assertThat(channel.offer(2)).isTrue();

        assertThat(result(seen)).isEqualTo(2);
        assertThat(failures.poll()).hasMessage("handled 1");
        assertThat(end).isNotDone();
    }

    @Test
    void n1_forEachOfASteadyStream_letsOtherTasksOfItsStrandAndPoolRun() {
        Channel<Integer> channel = Channel.buffered("channel", 1);
        CompletableFuture<@Nullable Void> end =
                channel.forEach(strand, value -> channel.offer(value + 1)); // there is always a next value
        assertThat(channel.offer(1)).isTrue();

        assertThat(result(strand.submit(() -> "strand"))).isEqualTo("strand");
        assertThat(result(spindle.submit(() -> "pool"))).isEqualTo("pool");
        assertThat(end.cancel(false)).isTrue();
    }

    @Test
    void c1_cancelOfForEach_receivesNothingMore() {
        Channel<Integer> channel = Channel.buffered("channel", 1);
        BlockingQueue<Integer> seen = new LinkedBlockingQueue<>();
        CompletableFuture<@Nullable Void> end = channel.forEach(strand, seen::add);
        until(() -> channel.core().waitingReceivers() == 1);
        assertThat(end.cancel(false)).isTrue();

        assertThat(channel.core().waitingReceivers()).isZero();
        assertThat(channel.offer(1)).isTrue();
        assertThat(result(strand.submit(() -> channel.stats().pending()))).isEqualTo(1L);
        assertThat(seen).isEmpty();
    }

    @Test
    void c1_forEachOfAClosedChannel_ends() {
        Channel<Integer> channel = Channel.buffered("channel", 1);
        assertThat(channel.offer(1)).isTrue();
        channel.close();
        BlockingQueue<Integer> seen = new LinkedBlockingQueue<>();
        result(channel.forEach(strand, seen::add));
        assertThat(seen).containsExactly(1);

        Channel<Integer> broken = Channel.rendezvous("broken");
        CompletableFuture<@Nullable Void> end = broken.forEach(strand, seen::add);
        IllegalStateException cause = new IllegalStateException("no more");
        broken.close(cause);
        assertThatThrownBy(() -> result(end))
                .cause()
                .isInstanceOf(ChannelClosedException.class)
                .hasCause(cause);
    }

    @Test
    void f3_shutdownOfTheStrand_endsForEachAndTheChannelStaysOpen() throws Exception {
        Channel<Integer> channel = Channel.rendezvous("channel");
        BlockingQueue<Integer> seen = new LinkedBlockingQueue<>();
        CompletableFuture<@Nullable Void> end = channel.forEach(strand, seen::add);
        until(() -> channel.core().waitingReceivers() == 1);
        strand.shutdown();
        assertThat(channel.core().waitingReceivers()).isZero();
        assertThat(channel.offer(1)).isFalse();

        assertThatThrownBy(() -> result(end)).hasCauseInstanceOf(RejectedExecutionException.class);
        CompletableFuture<@Nullable Void> sent = channel.sendAsync(1);
        assertThat(sent).isNotDone();
        assertThat(channel.receive()).isEqualTo(1);
        assertThat(sent).isCompleted();
        assertThat(seen).isEmpty();
        assertThatThrownBy(() -> channel.forEach(strand, seen::add)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void f3_valueOnItsWayAtAHalt_isPutBackBeforeTheOthers() throws Exception {
        Channel<Integer> channel = Channel.buffered("channel", 4);
        BlockingQueue<Integer> seen = new LinkedBlockingQueue<>();
        CompletableFuture<@Nullable Void> end = channel.forEach(strand, seen::add);
        until(() -> channel.core().waitingReceivers() == 1);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Future<?> gate = spindle.submit(() -> {
            inside.countDown();
            await(goOn);
        });
        await(inside);
        channel.send(1); // is passed to the strand
        channel.send(2);
        List<Runnable> left = strand.shutdownNow();
        goOn.countDown();
        assertThat(result(gate)).isNull(); // before the spindle is halted

        assertThat(left).isEmpty();
        assertThatThrownBy(() -> result(end)).hasCauseInstanceOf(RejectedExecutionException.class);
        assertThat(seen).isEmpty();
        assertThat(channel.halt().join().items()).containsExactly(1, 2);
    }

    @Test
    void f3_cancelPendingOfTheStrand_doesNotEndForEach() {
        Channel<Integer> channel = Channel.buffered("channel", 4);
        BlockingQueue<Integer> seen = new LinkedBlockingQueue<>();
        CompletableFuture<@Nullable Void> end = channel.forEach(strand, seen::add);
        until(() -> channel.core().waitingReceivers() == 1);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        strand.execute(() -> {
            inside.countDown();
            await(goOn);
        });
        await(inside);
        assertThat(channel.offer(1)).isTrue();
        assertThat(channel.offer(2)).isTrue();
        assertThat(strand.cancelPending()).isEmpty();
        goOn.countDown();
        channel.close();

        result(end);
        assertThat(seen).containsExactly(1, 2);
    }

    // ---------------------------------------------------------------- callbacks

    @Test
    void u1_callbackOfAReceive_runsInTheThreadThatSendsWithoutTheLock() {
        Channel<String> channel = Channel.rendezvous("channel");
        Thread here = Thread.currentThread();
        CompletableFuture<String> ran = channel.receiveAsync().thenApply(value -> {
            assertThat(Thread.currentThread()).isSameAs(here);
            Caller<Stats> other = Caller.of(channel::stats); // would wait for a lock
            return value + other.end().pending();
        });
        assertThat(channel.offer("a")).isTrue();

        assertThat(ran).isCompletedWithValue("a0");
    }

    @Test
    void u1_callbackThatBlocks_holdsUpTheThreadThatSendsAlone() {
        Channel<String> channel = Channel.rendezvous("channel");
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<@Nullable Void> blocks = channel.receiveAsync().thenAccept(value -> {
            inside.countDown();
            await(goOn);
        });
        Caller<String> receiver = Caller.receives(channel);
        Caller<Boolean> sender = Caller.of(() -> channel.offer("a"));
        await(inside);
        assertThat(channel.offer("b")).isTrue();
        assertThat(receiver.end()).isEqualTo("b");
        assertThat(sender.isDone()).isFalse();
        goOn.countDown();

        assertThat(sender.end()).isTrue();
        assertThat(blocks).isCompleted();
    }

    @Test
    void u1_threadsThatAClosingEnds_goOnBesideACallbackThatBlocks() {
        Channel<String> channel = Channel.rendezvous("channel");
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<@Nullable Void> blocks = channel.receiveAsync().handle((value, failure) -> {
            await(goOn);
            return null;
        });
        Caller<String> receiver = Caller.receives(channel);
        Caller<Integer> closer = Caller.of(() -> channel.halt().join().items().size());
        assertThatThrownBy(receiver::end).hasCauseInstanceOf(ChannelClosedException.class);
        goOn.countDown();

        assertThat(closer.end()).isZero();
        assertThat(blocks).isCompleted();
    }

    @Test
    void d1_shutdownNowOfAStrand_endsItsConsumerAfterItsHandler() {
        Spindle two = Spindle.builder().coreThreads(2).maxThreads(2).build();
        for (int round = 0; round < 800; round++) {
            Strand of = two.strand("consumer " + round);
            Channel<Integer> channel = Channel.buffered("channel", 8);
            AtomicInteger passed = new AtomicInteger();
            CountDownLatch bothSpin = new CountDownLatch(2);
            for (int i = 1; i <= 2; i++) {
                int turn = i;
                two.execute(() -> {
                    bothSpin.countDown();
                    while (passed.get() < turn) {
                        Thread.onSpinWait();
                    }
                });
            }
            await(bothSpin);
            CompletableFuture<@Nullable Void> end = channel.forEach(of, value -> {
                passed.set(2); // the other worker is free for what ends a consumer
                yieldUntil(() -> passed.get() == 3); // goes on despite the interrupt
            });
            passed.set(1);
            for (int i = 0; i < round % 100; i++) {
                Thread.onSpinWait(); // the value comes at any time of the first turn
            }
            assertThat(channel.offer(round)).isTrue();
            yieldUntil(() -> passed.get() == 2);
            of.shutdownNow();
            result(two.submit(Thread::currentThread));

            assertThat(end.isDone()).as("round %s", round).isFalse();
            passed.set(3);
            yieldUntil(end::isDone);
        }
        two.close();
    }

    private static void yieldUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.yield();
        }
    }

    @Test
    void u1_callbackThatThrows_isInItsStageAlone() {
        Channel<String> channel = Channel.rendezvous("channel");
        CompletableFuture<Object> thrown = channel.receiveAsync().thenApply(value -> {
            throw new IllegalStateException("took " + value);
        });
        assertThat(channel.offer("a")).isTrue();

        assertThatThrownBy(() -> result(thrown))
                .isInstanceOf(CompletionException.class)
                .cause()
                .hasMessage("took a");
    }
}
