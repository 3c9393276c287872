// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Cost;
import dev.spindle.CpuTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The growth of the costs of operations of channels: docs/costs.md. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelCostTest {
    /** Performs an operation {@code n} times. */
    interface Load {
        void run(int n);
    }

    static Stream<Cost> cases() {
        return Stream.of(
                cost("sendAsyncToChannel", ChannelCostTest::sendAsyncToChannel),
                cost("withdrawReceives", ChannelCostTest::withdrawReceives),
                cost("conflate", ChannelCostTest::conflate),
                cost("conflateConsumed", ChannelCostTest::conflateConsumed),
                cost("sendAsyncToConflating", ChannelCostTest::sendAsyncToConflating),
                cost("selects", ChannelCostTest::selects));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void u2_tenTimesTheLoad_takesAtMostFifteenTimesAsLong(Cost of) throws Exception {
        of.check();
    }

    private static Cost cost(String name, Load load) {
        return new Cost(name, n -> {
            CpuTime cpu = CpuTime.start();
            load.run(n);
            return cpu.nanos();
        });
    }

    /** Half of the values are received, the rest is refused. */
    private static void sendAsyncToChannel(int n) {
        Channel<Integer> channel = Channel.rendezvous("channel");
        List<CompletableFuture<?>> sends = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            sends.add(channel.sendAsync(i));
        }
        for (int i = 0; i < n / 2; i++) {
            assertThat(channel.poll()).isEqualTo(i);
        }
        assertThat(channel.halt().join().items()).isEmpty();
        assertThat(sends.stream().filter(CompletableFuture::isCompletedExceptionally))
                .hasSize(n - n / 2);
    }

    /** Withdraws the newest first. */
    private static void withdrawReceives(int n) {
        Channel<Integer> channel = Channel.buffered("channel", 1);
        List<CompletableFuture<Integer>> receives = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            receives.add(channel.receiveAsync());
        }
        for (int i = n - 1; i >= 0; i--) {
            if (!receives.get(i).complete(i)) { // cancel would measure the cost of exceptions
                throw new AssertionError("not withdrawn");
            }
        }
        assertThat(channel.core().waitingReceivers()).isZero();
    }

    private static void conflate(int n) {
        Channel<Integer> channel = Channel.conflating("channel", n, value -> value);
        for (int i = 0; i < 2 * n; i++) {
            if (!channel.offer(i % n)) {
                throw new AssertionError("no room");
            }
        }
        assertThat(channel.halt().join().items()).hasSize(n);
    }

    private static void conflateConsumed(int n) {
        Channel<Integer> channel = Channel.conflating("channel", 10 * n, value -> value);
        for (int i = 0; i < n; i++) {
            if (!channel.offer(i) || (i % 2 == 1 && channel.poll() == null)) {
                throw new AssertionError("no room or no value");
            }
        }
        assertThat(channel.halt().join().items()).hasSize(n - n / 2);
    }

    /** Values of new keys wait for room; half of them are received, the rest is refused. */
    private static void sendAsyncToConflating(int n) {
        Channel<Integer> channel = Channel.conflating("channel", 16, value -> value);
        List<CompletableFuture<?>> sends = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            sends.add(channel.sendAsync(i));
        }
        for (int i = 0; i < n / 2; i++) {
            assertThat(channel.poll()).isEqualTo(i);
        }
        assertThat(channel.halt().join().items()).hasSize(16);
        assertThat(sends.stream().filter(CompletableFuture::isCompletedExceptionally))
                .hasSize(n - n / 2 - 16);
    }

    private static void selects(int n) {
        Channel<Integer> one = Channel.rendezvous("one");
        Channel<Integer> two = Channel.rendezvous("two");
        Select<Integer> select =
                Select.<Integer>fair().receive(one, value -> value).receive(two, value -> value);
        List<CompletableFuture<Integer>> waiting = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            waiting.add(select.awaitAsync());
        }
        for (int i = 0; i < n; i++) {
            if (!(i % 2 == 0 ? one : two).offer(i)) {
                throw new AssertionError("no receiver waits");
            }
        }
        assertThat(waiting).allMatch(CompletableFuture::isDone);
        assertThat(one.core().waitingReceivers()).isZero();
    }
}
