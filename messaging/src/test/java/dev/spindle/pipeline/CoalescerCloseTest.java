// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Strand;
import dev.spindle.pipeline.Bench.Gate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Drain, halt and close, and the end of the strand or the spindle. */
class CoalescerCloseTest {
    @RegisterExtension
    final Bench bench = new Bench();

    private final Gate gate = new Gate();
    private final Coalescer<String, Integer> coalescer = Coalescer.create(bench.spindle(), gate);

    @Test
    void drain_ofAnIdleCoalescer_completesAtOnce() {
        assertThat(coalescer.drain().toCompletableFuture()).isCompleted();
        assertThat(resultOf(coalescer.halt())).isEmpty();
        coalescer.close();
    }

    @Test
    void drain_withPendingKeys_completesWhenAllWereDelivered() {
        gate.block(coalescer);
        coalescer.offer("a", 1);
        CompletionStage<@Nullable Void> drained = coalescer.drain();
        assertThat(drained.toCompletableFuture()).isNotDone();

        gate.open();
        resultOf(drained);
        assertThat(gate.seen()).containsExactly("a1");
    }

    @Test
    void offer_afterAClose_isRejected() {
        gate.block(coalescer);
        coalescer.offer("a", 1);
        CompletionStage<@Nullable Void> drained = coalescer.drain();

        assertThatThrownBy(() -> coalescer.offer("b", 2))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> coalescer.offer("a", 2)).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> coalescer.send("b", 2)).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> resultOf(coalescer.sendAsync("b", 2)))
                .hasCauseInstanceOf(RejectedExecutionException.class);
        gate.open();
        resultOf(drained);
        assertThat(gate.seen()).containsExactly("a1");
    }

    @Test
    void halt_withPendingKeys_returnsThemInOrder() {
        gate.block(coalescer);
        coalescer.offer("a", 1);
        coalescer.offer("b", 2);
        coalescer.offer("a", 3);
        CompletionStage<List<Map.Entry<String, Integer>>> undelivered = coalescer.halt();
        gate.open();

        assertThat(resultOf(undelivered)).containsExactly(Map.entry("a", 3), Map.entry("b", 2));
        assertThat(resultOf(coalescer.halt())).hasSize(2);
        assertThat(gate.seen()).isEmpty();
        assertThat(coalescer.delivered()).isEqualTo(1);
        assertThat(coalescer.superseded()).isEqualTo(1);
        assertThatThrownBy(() -> resultOf(coalescer.drain())).hasCauseInstanceOf(CancellationException.class);
        assertThatThrownBy(coalescer::close).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> coalescer.offer("c", 4)).hasMessageContaining("halted");
    }

    @Test
    void halt_afterADrainThatIsNotDone_takesTheRest() {
        gate.block(coalescer);
        coalescer.offer("a", 1);
        CompletionStage<@Nullable Void> drained = coalescer.drain();
        CompletionStage<List<Map.Entry<String, Integer>>> undelivered = coalescer.halt();
        gate.open();

        assertThat(resultOf(undelivered)).containsExactly(Map.entry("a", 1));
        assertThatThrownBy(() -> resultOf(drained)).hasCauseInstanceOf(CancellationException.class);
    }

    @Test
    void close_waitsUntilEverythingWasDelivered() {
        try (Coalescer<String, Integer> closing = Coalescer.create(bench.spindle(), gate)) {
            gate.block(closing);
            closing.offer("a", 1);
            gate.open();
        }
        assertThat(gate.seen()).containsExactly("a1");
    }

    @Test
    void close_thatIsInterrupted_halts() {
        gate.block(coalescer);
        coalescer.offer("a", 1);
        Thread closer = Thread.currentThread();
        Thread interrupter = new Thread(() -> {
            closer.interrupt();
            while (!coalescer.isHalted()) {
                Thread.onSpinWait();
            }
            gate.open();
        });
        interrupter.start();

        assertThatThrownBy(coalescer::close).isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(resultOf(coalescer.halt())).containsExactly(Map.entry("a", 1));
    }

    @Test
    void d1_shutdownOfTheSpindle_deliversWhatWasAccepted() {
        gate.block(coalescer);
        for (int key = 0; key < 1_000; key++) {
            coalescer.offer("k", key);
            coalescer.offer("k" + key, key);
        }
        bench.spindle().shutdown();
        gate.open();
        bench.spindle().close();

        assertThat(gate.seen()).hasSize(1_001);
        assertThat(coalescer.estimatedPending()).isZero();
        assertThatThrownBy(() -> coalescer.offer("late", 1)).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> coalescer.offer("late", 2)).isInstanceOf(RejectedExecutionException.class);
        assertThat(resultOf(coalescer.halt())).isEmpty();
    }

    @Test
    void d1_shutdownNowOfTheStrand_leavesWhatWasAcceptedToHalt() {
        Strand strand = bench.spindle().strand("own");
        Coalescer<String, Integer> onStrand =
                Coalescer.<String, Integer>builder(strand, gate).build();
        strand.pause();
        onStrand.offer("a", 1);
        onStrand.offer("b", 2);
        List<Runnable> returned = strand.shutdownNow();

        assertThat(returned).isEmpty(); // a run is a task of the coalescer, not of the user
        assertThatThrownBy(() -> onStrand.offer("c", 3)).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> resultOf(onStrand.drain())).hasCauseInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(onStrand::close).isInstanceOf(RejectedExecutionException.class);
        assertThat(resultOf(onStrand.halt())).containsExactly(Map.entry("a", 1), Map.entry("b", 2));
    }

    @Test
    void cancelPending_ofTheStrand_doesNotCancelDeliveries() {
        Strand strand = bench.spindle().strand("own");
        Coalescer<String, Integer> onStrand =
                Coalescer.<String, Integer>builder(strand, gate).build();
        gate.open();
        strand.pause();
        onStrand.offer("a", 1);
        assertThat(strand.cancelPending()).isEmpty();
        strand.resume();
        resultOf(onStrand.drain());

        assertThat(gate.seen()).containsExactly("a1");
    }
}
