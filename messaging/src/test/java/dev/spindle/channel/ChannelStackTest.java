// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.messaging.Diver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that overflow the stack at any point: the channel goes on, and loses no value that was sent. */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelStackTest {
    private static final int ROUNDS = 2;

    private final List<CompletableFuture<?>> ends = Collections.synchronizedList(new ArrayList<>());

    @Test
    void s1_callsThatOverflowAtAnyDepth_leaveAChannelThatGoesOn() throws Exception {
        Channel<Integer> channel = Channel.buffered("channel", 4);
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger received = new AtomicInteger();
        Diver diver = new Diver(() -> {
            if (channel.offer(1)) {
                sent.incrementAndGet();
            }
            if (channel.poll() != null) {
                received.incrementAndGet();
            }
        });

        diver.dive(ROUNDS);

        assertThat(diver.overflows()).isGreaterThan(ROUNDS);
        assertThat(received.get() + channel.stats().pending()).isPositive();
        assertThat(sent.get()).isPositive();
        Integer last = 0;
        while (last != null) {
            last = channel.poll();
        }
        assertThat(channel.offer(2)).isTrue();
        assertThat(channel.poll()).isEqualTo(2);
    }

    @Test
    void c1_cancelsThatOverflowAtAnyDepth_leaveNoClauseBehindThatCounts() throws Exception {
        Channel<Integer> channel = Channel.rendezvous("channel");
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger cancelled = new AtomicInteger();
        Diver diver = new Diver(() -> {
            CompletableFuture<@Nullable Void> send = channel.sendAsync(1);
            begun.incrementAndGet();
            if (send.cancel(false)) {
                cancelled.incrementAndGet();
            }
        });

        diver.dive(ROUNDS);

        assertThat(diver.overflows()).isGreaterThan(ROUNDS);
        int left = 0;
        while (channel.poll() != null) {
            left++;
        }
        assertThat(left).isLessThanOrEqualTo(diver.overflows());
        assertThat(cancelled.get()).isPositive();
        assertThat(channel.core().waitingSenders()).isZero();
    }

    @Test
    void c1_questionsThatOverflowAtAnyDepth_leaveTheLockFree() throws Exception {
        Channel<Integer> channel = Channel.buffered("channel", 4);
        Diver diver = new Diver(() -> {
            assertThat(channel.stats().pending()).isLessThanOrEqualTo(4);
            assertThat(channel.isDone()).isFalse();
        });

        diver.dive(ROUNDS);

        assertThat(diver.overflows()).isGreaterThan(ROUNDS);
        assertThat(channel.offer(1)).isTrue();
        assertThat(channel.stats().pending()).isEqualTo(1);
    }

    @Test
    void c1_limitsThatPassAtAnyDepth_leaveNoClauseBehind() throws Exception {
        Channel<Integer> channel = Channel.rendezvous("channel");
        AtomicInteger passed = new AtomicInteger();
        Diver diver = new Diver(() -> {
            if (channel.poll(Duration.ZERO) == null) {
                passed.incrementAndGet();
            }
        });

        diver.dive(ROUNDS);

        assertThat(diver.overflows()).isGreaterThan(ROUNDS);
        assertThat(passed.get()).isPositive();
        assertThat(channel.core().waitingReceivers()).isZero();
    }

    @Test
    void c1_consumersThatAreEndedAtAnyDepth_receiveNothingMore() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            Channel<Integer> channel = Channel.rendezvous("channel");
            Strand strand = spindle.strand("consumer");
            Diver diver = new Diver(() -> {
                CompletableFuture<@Nullable Void> end = channel.forEach(strand, value -> {});
                try {
                    assertThat(end.cancel(false)).isTrue();
                } catch (StackOverflowError e) {
                    ends.add(end);
                    throw e;
                }
            });

            diver.dive(ROUNDS);

            assertThat(diver.overflows()).isGreaterThan(ROUNDS);
            ends.forEach(end -> end.cancel(false));
            result(strand.quiesce());
            assertThat(channel.core().waitingReceivers()).isZero();
            assertThat(channel.offer(1)).isFalse();
        }
    }
}
