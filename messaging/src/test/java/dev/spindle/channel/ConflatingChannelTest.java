// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.unsafeNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Conflating channels. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConflatingChannelTest {
    private record Price(String stock, int amount) {}

    private static final Price A1 = new Price("a", 1);
    private static final Price A2 = new Price("a", 2);
    private static final Price A3 = new Price("a", 3);
    private static final Price B1 = new Price("b", 1);
    private static final Price C1 = new Price("c", 1);
    private static final Price C2 = new Price("c", 2);
    private static final Price C3 = new Price("c", 3);
    private static final Price D1 = new Price("d", 1);

    private final ConflatingBuffer<Price> buffer = new ConflatingBuffer<>(2, Price::stock);
    private final ChannelCore<Price> core = new ChannelCore<>(buffer);
    private final Channel<Price> channel = Channel.conflating(2, Price::stock);

    @Test
    void c1_valueOfAPendingKey_takesThePlaceOfTheOlderOne() {
        assertThat(channel.offer(A1)).isTrue();
        assertThat(channel.offer(B1)).isTrue();
        assertThat(channel.offer(A2)).isTrue();
        assertThat(channel.offer(C1)).isFalse();

        assertThat(channel.size()).isEqualTo(2);
        assertThat(channel.poll()).isEqualTo(A2);
        assertThat(channel.offer(A3)).isTrue();
        assertThat(channel.poll()).isEqualTo(B1);
        assertThat(channel.poll()).isEqualTo(A3);
        assertThat(channel.poll()).isNull();
    }

    @Test
    void c1_receiverThatWaits_getsEachValue() {
        CompletableFuture<Price> first = channel.receiveAsync();
        CompletableFuture<Price> second = channel.receiveAsync();
        assertThat(channel.offer(A1)).isTrue();
        assertThat(channel.offer(A2)).isTrue();

        assertThat(first).isCompletedWithValue(A1);
        assertThat(second).isCompletedWithValue(A2);
    }

    @Test
    void c1_valuesOfAKey_neverGoBackThoughTheyWait() {
        assertThat(channel.offer(A1)).isTrue();
        assertThat(channel.offer(B1)).isTrue();
        List<CompletableFuture<@Nullable Void>> waiting = new ArrayList<>();
        for (Price price : List.of(C1, D1, C2)) {
            waiting.add(channel.sendAsync(price));
        }
        assertThat(channel.poll()).isEqualTo(A1);
        assertThat(waiting.stream().map(CompletableFuture::isDone)).containsExactly(true, false, false);
        assertThat(channel.offer(C3)).as("an older value of its key waits").isFalse();
        assertThat(channel.poll()).isEqualTo(B1);

        assertThat(waiting).allMatch(CompletableFuture::isDone);
        assertThat(channel.offer(C3)).isTrue();
        assertThat(channel.poll()).isEqualTo(C3);
        assertThat(channel.poll()).isEqualTo(D1);
        assertThat(channel.poll()).isNull();
    }

    @Test
    void c1_senderThatLeaves_letsThroughThoseWhoseKeyIsPending() {
        assertThat(channel.offer(A1)).isTrue();
        assertThat(channel.offer(B1)).isTrue();
        CompletableFuture<@Nullable Void> first = channel.sendAsync(C1);
        CompletableFuture<@Nullable Void> second = channel.sendAsync(D1);
        CompletableFuture<@Nullable Void> third = channel.sendAsync(C2);
        assertThat(channel.poll()).isEqualTo(A1);
        assertThat(first).isCompleted();
        assertThat(third).isNotDone();
        assertThat(second.cancel(false)).isTrue();

        assertThat(third).isCompleted();
        assertThat(channel.cancel()).containsExactly(B1, C2);
    }

    @Test
    void c1_keysThatAreNotPending_areForgotten() {
        for (int i = 0; i < 1_000; i++) {
            Price price = new Price("key " + i, i);
            Object key = core.keyOf(price);
            assertThat(core.send(price, key, null)).isTrue();
            assertThat(core.send(price, key, null)).isTrue();
            if (i % 2 == 1) {
                assertThat(core.send(A1, core.keyOf(A1), null)).isFalse();
                assertThat(core.receive(null)).isNotNull();
                assertThat(core.receive(null)).isEqualTo(price);
            }
        }
        StageWait<Price> receiver = new StageWait<>("receiveAsync", got -> A1);
        assertThat(core.receive(Pending.receive(core, receiver))).isNull();
        assertThat(core.send(B1, core.keyOf(B1), null)).isTrue();

        assertThat(receiver.future()).isCompleted();
        assertThat(buffer.estimatedKeys()).isZero();
    }

    @Test
    void c1_keysOfSendersThatLeave_areForgotten() {
        assertThat(core.send(A1, "a", null)).isTrue();
        assertThat(core.send(B1, "b", null)).isTrue();
        StageWait<@Nullable Void> wait = new StageWait<>("sendAsync", sent -> null);
        assertThat(core.send(C1, "c", Pending.send(core, wait, C1, "c"))).isFalse();
        assertThat(buffer.estimatedKeys()).isEqualTo(3);
        assertThat(wait.future().cancel(false)).isTrue();

        assertThat(buffer.estimatedKeys()).isEqualTo(2);
        assertThat(core.cancel()).containsExactly(A1, B1);
        assertThat(buffer.estimatedKeys()).isZero();
    }

    @Test
    void keyCodeThatThrows_reachesTheSenderAndSendsNothing() {
        Channel<Price> failing = Channel.conflating(2, price -> {
            throw new IllegalStateException("key of " + price.stock());
        });
        assertThatThrownBy(() -> failing.offer(A1)).hasMessage("key of a");
        assertThatThrownBy(() -> failing.send(A1)).hasMessage("key of a");
        assertThatThrownBy(() -> failing.sendAsync(A1)).hasMessage("key of a");
        Channel<Price> withoutKey = Channel.conflating(2, price -> unsafeNull());
        assertThatThrownBy(() -> withoutKey.offer(A1))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("the key of the value");

        assertThat(failing.size()).isZero();
    }

    @Test
    void keyCode_runsWithoutTheLock() {
        List<String> seen = new ArrayList<>();
        List<Channel<String>> self = new ArrayList<>();
        Channel<String> nosy = Channel.conflating(2, value -> new Object() {
            @Override
            public int hashCode() {
                Caller<Integer> other = Caller.of(() -> self.get(0).size());
                seen.add(value + " with " + other.end());
                return 1;
            }

            @Override
            public boolean equals(@Nullable Object other) {
                Caller<Integer> size = Caller.of(() -> self.get(0).size());
                return size.end() >= 0 && other == this;
            }
        });
        self.add(nosy);
        assertThat(nosy.offer("a")).isTrue();
        assertThat(nosy.offer("b")).isTrue();
        assertThat(nosy.poll()).isEqualTo("a");
        assertThat(nosy.poll()).isEqualTo("b");

        assertThat(seen).contains("a with 0", "b with 1");
    }

    @Test
    void maxKeys_belowOne_isRefused() {
        assertThatThrownBy(() -> Channel.conflating(0, price -> 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("maxKeys must be positive, is 0;");
        assertThatThrownBy(() -> Channel.conflating(1, unsafeNull())).hasMessage("key");
        assertThat(channel).asString().endsWith("(conflating, 2 keys)");
    }
}
