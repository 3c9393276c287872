// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.pipeline.Bench.Gate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The bound of a coalescer, and the two ways to wait for room. */
class CoalescerBoundTest {
    @RegisterExtension
    final Bench bench = new Bench();

    private final Gate gate = new Gate();
    private final Coalescer<String, Integer> two =
            Coalescer.<String, Integer>builder(bench.spindle(), gate).maxKeys(2).build();

    /** Fills the coalescer; the value being delivered does not count. */
    private void fill() {
        gate.block(two);
        assertThat(two.offer("a", 1)).isTrue();
        assertThat(two.offer("b", 2)).isTrue();
    }

    @Test
    void offer_ofAnotherKeyAtTheBound_isRefused() {
        fill();

        assertThat(two.offer("c", 3)).isFalse();
        assertThat(two.offer("a", 4)).as("a key that is pending has its place").isTrue();

        gate.open();
        resultOf(two.drain());
        assertThat(gate.seen()).containsExactly("a4", "b2");
    }

    @Test
    void offer_ofARefusedKeyAfterRoomWasMade_isAccepted() throws Exception {
        fill();
        assertThat(two.offer("c", 3)).isFalse();
        gate.open();
        two.send("c", 4);
        two.close();

        assertThat(gate.seen()).containsExactly("a1", "b2", "c4");
    }

    @Test
    void sendAsync_atTheBound_completesWhenItIsAccepted() {
        fill();
        CompletionStage<@Nullable Void> third = two.sendAsync("c", 3);
        CompletionStage<@Nullable Void> fourth = two.sendAsync("d", 4);
        assertThat(third.toCompletableFuture()).isNotDone();
        assertThat(two.offer("e", 5)).as("waiting senders come first").isFalse();

        gate.open();
        resultOf(third);
        resultOf(fourth);
        resultOf(two.drain());
        assertThat(gate.seen()).containsExactly("a1", "b2", "c3", "d4");
    }

    @Test
    void sendAsync_ofAPendingKey_isAcceptedAtOnce() {
        fill();

        assertThat(two.sendAsync("a", 7).toCompletableFuture()).isCompleted();
        gate.open();
        resultOf(two.drain());
        assertThat(gate.seen()).containsExactly("a7", "b2");
    }

    @Test
    void send_atTheBound_waitsForRoom() throws Exception {
        fill();
        FutureTask<@Nullable Void> sent = inThread(() -> two.send("c", 3));
        awaitSender();
        assertThat(sent).isNotDone();

        gate.open();
        sent.get(20, TimeUnit.SECONDS);
        resultOf(two.drain());
        assertThat(gate.seen()).containsExactly("a1", "b2", "c3");
    }

    @Test
    void send_thatIsInterrupted_leavesNoTrace() throws Exception {
        fill();
        Thread[] sender = new Thread[1];
        FutureTask<@Nullable Void> sent = inThread(() -> {
            sender[0] = Thread.currentThread();
            two.send("c", 3);
        });
        awaitSender();
        CompletionStage<@Nullable Void> behind = two.sendAsync("d", 4);
        sender[0].interrupt();

        assertThatThrownBy(() -> sent.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        gate.open();
        resultOf(behind);
        resultOf(two.drain());
        assertThat(gate.seen()).containsExactly("a1", "b2", "d4");
    }

    @Test
    void r1_sendOnAWorker_isRefusedAndNamesTheOtherForm() {
        CompletableFuture<@Nullable Void> inTask = bench.spindle().submit(() -> {
            two.send("a", 1);
            return null;
        });

        assertThatThrownBy(() -> resultOf(inTask))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("sendAsync");
        assertThatThrownBy(() -> resultOf(bench.spindle().submit(two::close)))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("drain");
    }

    @Test
    void drain_withSendersThatWait_rejectsThem() throws Exception {
        fill();
        CompletionStage<@Nullable Void> async = two.sendAsync("c", 3);
        FutureTask<@Nullable Void> sent = inThread(() -> two.send("d", 4));
        awaitSenders(2);
        CompletionStage<@Nullable Void> drained = two.drain();

        assertThatThrownBy(() -> resultOf(async)).hasCauseInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> sent.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(RejectedExecutionException.class);
        gate.open();
        resultOf(drained);
        assertThat(gate.seen()).containsExactly("a1", "b2");
    }

    @Test
    void sendAsync_whoseMergeFailsLater_failsItsStage() {
        RuntimeException thrown = new IllegalStateException("merge");
        CountDownLatch inB = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Coalescer<String, Integer> one = Coalescer.<String, Integer>builder(bench.spindle(), (k, v) -> {
                    if (k.equals("b")) {
                        inB.countDown();
                        await(goOn);
                    }
                })
                .maxKeys(1)
                .merge((a, b) -> {
                    throw thrown;
                })
                .build();
        one.offer("b", 0);
        await(inB);
        one.offer("a", 1);
        CompletionStage<@Nullable Void> first = one.sendAsync("c", 2);
        CompletionStage<@Nullable Void> second = one.sendAsync("c", 3);
        goOn.countDown();

        resultOf(first);
        assertThatThrownBy(() -> resultOf(second)).hasCause(thrown); // the run that makes room admits both, one by one
        resultOf(one.drain());
        assertThat(one.delivered()).as("b, a, and the first c").isEqualTo(3);
        assertThat(one.superseded()).isZero();
    }

    private interface Body {
        void run() throws Exception;
    }

    private static FutureTask<@Nullable Void> inThread(Body body) {
        FutureTask<@Nullable Void> task = new FutureTask<>(() -> {
            body.run();
            return null;
        });
        new Thread(task, "sender").start();
        return task;
    }

    private void awaitSender() {
        awaitSenders(1);
    }

    private void awaitSenders(int senders) {
        while (two.estimatedWaiting() < senders) {
            Thread.onSpinWait();
        }
    }
}
