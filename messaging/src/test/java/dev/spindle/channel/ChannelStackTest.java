// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.messaging.Diver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that run out of stack, wherever: the channel goes on, and loses no value that was sent. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelStackTest {
    private static final int ROUNDS = 2;

    @Test
    void s1_callsThatOverflowAtAnyDepth_leaveAChannelThatGoesOn() throws Exception {
        Channel<Integer> channel = Channel.buffered(4);
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
        assertThat(received.get() + channel.size()).isPositive();
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
        Channel<Integer> channel = Channel.rendezvous();
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
}
