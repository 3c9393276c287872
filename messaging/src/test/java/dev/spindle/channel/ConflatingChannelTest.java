// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.unsafeNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
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

    private final ConflatingBuffer<Price> buffer = new ConflatingBuffer<>(2, Price::stock, null);
    private final ChannelCore<Price> core = new ChannelCore<>("prices", buffer);
    private final Channel<Price> channel = Channel.conflating("channel", 2, Price::stock);

    @Test
    void c1_valueOfAPendingKey_takesThePlaceOfTheOlderOne() {
        assertThat(channel.offer(A1)).isTrue();
        assertThat(channel.offer(B1)).isTrue();
        assertThat(channel.offer(A2)).isTrue();
        assertThat(channel.offer(C1)).isFalse();

        assertThat(channel.stats().pending()).isEqualTo(2);
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
        assertThat(channel.halt().join().items()).containsExactly(B1, C2);
    }

    @Test
    void k7_keysThatAreNotPending_areForgottenButTheLastOnes() {
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
            assertThat(buffer.estimatedKeys()).isLessThanOrEqualTo(2 * 2 + 1);
        }
        StageWait<Price> receiver = new StageWait<>("receiveAsync", got -> A1);
        assertThat(core.receive(Pending.receive(core, receiver))).isNull();
        assertThat(core.send(B1, core.keyOf(B1), null)).isTrue();

        assertThat(receiver.future()).isCompleted();
        assertThat(buffer.estimatedKeys()).isLessThanOrEqualTo(2 * 2 + 1);
    }

    @Test
    void k7_keysOfSendersThatLeaveAndOfRefusedValues_areForgotten() {
        assertThat(core.send(A1, "a", null)).isTrue();
        assertThat(core.send(B1, "b", null)).isTrue();
        assertThat(core.send(D1, "d", null)).isFalse();
        StageWait<@Nullable Void> wait = new StageWait<>("sendAsync", sent -> null);
        assertThat(core.send(C1, "c", Pending.send(core, wait, C1, "c"))).isFalse();
        assertThat(buffer.estimatedKeys()).isEqualTo(3);
        assertThat(wait.future().cancel(false)).isTrue();

        assertThat(buffer.estimatedKeys()).isEqualTo(2);
        assertThat(core.halt()).containsExactly(A1, B1);
    }

    @Test
    void k7_keyThatIsUsedAgain_isRemembered() {
        Price hot = new Price("hot", 1);
        assertThat(core.send(hot, "hot", null)).isTrue();
        KeySlot<Price> slot = buffer.slotOf("hot");
        for (int i = 0; i < 100; i++) {
            assertThat(core.send(new Price("key " + i, i), "key " + i, null)).isTrue();
            assertThat(core.receive(null)).isNotNull();
            assertThat(core.receive(null)).isNotNull();
            assertThat(core.send(hot, "hot", null)).isTrue();
        }
        assertThat(buffer.slotOf("hot")).isSameAs(slot);
    }

    // ---------------------------------------------------------------- merge

    private static Price sum(Price older, Price newer) {
        return new Price(older.stock(), older.amount() + newer.amount());
    }

    @Test
    void merge_ofAPendingKey_makesOneOfTwoValues() {
        Channel<Price> sums = Channel.conflating("sums", 2, Price::stock, ConflatingChannelTest::sum);
        assertThat(sums.offer(A1)).isTrue();
        assertThat(sums.offer(B1)).isTrue();
        assertThat(sums.offer(A2)).isTrue();
        assertThat(sums.offer(A3)).isTrue();

        assertThat(sums.poll()).isEqualTo(new Price("a", 6));
        assertThat(sums.poll()).isEqualTo(B1);
        assertThat(sums.offer(A3)).isTrue();
        assertThat(sums.poll()).isEqualTo(A3);
    }

    @Test
    void merge_ofValuesThatWaitedForRoom_isDoneByTheReceiver() {
        Channel<Price> sums = Channel.conflating("sums", 1, Price::stock, ConflatingChannelTest::sum);
        assertThat(sums.offer(A1)).isTrue();
        List<CompletableFuture<@Nullable Void>> waiting = new ArrayList<>();
        for (Price price : List.of(C1, C2, C3)) {
            waiting.add(sums.sendAsync(price));
        }
        assertThat(sums.poll()).isEqualTo(A1);
        assertThat(waiting).allMatch(CompletableFuture::isDone);
        assertThat(sums.offer(C1)).isTrue();

        assertThat(sums.poll()).isEqualTo(new Price("c", 7));
    }

    @Test
    void merge_thatThrows_reachesTheSenderAndTheOlderValueStays() {
        Channel<Price> failing = Channel.conflating("failing", 1, Price::stock, (older, newer) -> {
            throw new IllegalStateException("merge of " + newer);
        });
        assertThat(failing.offer(A1)).isTrue();
        assertThatThrownBy(() -> failing.offer(A2)).hasMessageStartingWith("merge of ");
        assertThatThrownBy(() -> failing.sendAsync(A2)).hasMessageStartingWith("merge of ");

        assertThat(failing.halt().join().items()).containsExactly(A1);
        Channel<Price> nothing = Channel.conflating("nothing", 1, Price::stock, (older, newer) -> unsafeNull());
        assertThat(nothing.offer(A1)).isTrue();
        assertThatThrownBy(() -> nothing.offer(A2))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("the merge function returned null, which is no value");
    }

    @Test
    void u1_mergeThatBlocks_holdsUpNoOtherCall() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Channel<Price> slow = Channel.conflating("slow", 2, Price::stock, (older, newer) -> {
            entered.countDown();
            await(go);
            return newer;
        });
        assertThat(slow.offer(A1)).isTrue();
        Caller<Boolean> merges = Caller.of(() -> slow.offer(A2));
        await(entered);
        assertThat(slow.offer(B1)).isTrue();
        assertThat(slow.poll()).isEqualTo(A1);
        assertThat(slow.poll()).isEqualTo(B1);
        go.countDown();
        assertThat(merges.end()).isTrue();

        assertThat(slow.poll())
                .as("sent again, since A1 was received in between")
                .isEqualTo(A2);
    }

    // ---------------------------------------------------------------- consumers

    @Test
    void drainTo_takesAsManyAsItWasAsked() {
        assertThat(channel.offer(A1)).isTrue();
        assertThat(channel.offer(B1)).isTrue();
        List<Price> taken = new ArrayList<>();
        assertThat(channel.drainTo(taken, 0)).isZero();
        assertThat(channel.drainTo(taken, 1)).isEqualTo(1);
        assertThat(channel.drainTo(taken, 10)).isEqualTo(1);
        assertThat(channel.drainTo(taken, 10)).isZero();
        assertThat(taken).containsExactly(A1, B1);
        assertThatThrownBy(() -> channel.drainTo(taken, -1)).isInstanceOf(IllegalArgumentException.class);
        channel.close();

        assertThatThrownBy(() -> channel.drainTo(taken, 1)).isInstanceOf(ChannelClosedException.class);
        assertThat(channel.isDone()).isTrue();
    }

    @Test
    void c1_batches_haveTheValuesInOrderAndNoMoreThanAsked() {
        Spindle spindle = Spindle.create();
        Channel<Integer> numbers = Channel.buffered("numbers", 100);
        List<List<Integer>> batches = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 100; i++) {
            assertThat(numbers.offer(i)).isTrue();
        }
        CompletableFuture<@Nullable Void> end =
                numbers.forEach(spindle.keyed("keys").at("key"), 32, batches::add);
        numbers.close();
        resultOf(end);

        assertThat(batches.stream().flatMap(List::stream))
                .isEqualTo(IntStream.range(0, 100).boxed().toList());
        assertThat(batches).allMatch(batch -> batch.size() <= 32).anyMatch(batch -> batch.size() == 32);
        assertThatThrownBy(() -> numbers.forEach(spindle.strand("s"), 0, batches::add))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxBatch must be at least 1, is 0");
        spindle.close();
    }

    @Test
    void forEach_inAThread_endsWithTheChannel() throws Exception {
        List<Price> seen = new ArrayList<>();
        assertThat(channel.offer(A1)).isTrue();
        assertThat(channel.offer(B1)).isTrue();
        channel.close();
        channel.forEach(seen::add);
        assertThat(seen).containsExactly(A1, B1);
        Channel<Price> failed = Channel.rendezvous("failed");
        failed.close(new IllegalStateException("broken"));

        assertThatThrownBy(() -> failed.forEach(seen::add))
                .isInstanceOf(ChannelClosedException.class)
                .hasRootCauseMessage("broken");
    }

    // ---------------------------------------------------------------- user code

    @Test
    void keyCodeThatThrows_reachesTheSenderAndSendsNothing() {
        Channel<Price> failing = Channel.conflating("failing", 2, price -> {
            throw new IllegalStateException("key of " + price.stock());
        });
        assertThatThrownBy(() -> failing.offer(A1)).hasMessage("key of a");
        assertThatThrownBy(() -> failing.send(A1)).hasMessage("key of a");
        assertThatThrownBy(() -> failing.sendAsync(A1)).hasMessage("key of a");
        Channel<Price> withoutKey = Channel.conflating("withoutKey", 2, price -> unsafeNull());
        assertThatThrownBy(() -> withoutKey.offer(A1))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("the key of the value");

        assertThat(failing.stats().pending()).isZero();
    }

    @Test
    void keyCode_runsWithoutTheLock() {
        List<String> seen = new ArrayList<>();
        List<Channel<String>> self = new ArrayList<>();
        Channel<String> nosy = Channel.conflating("nosy", 2, value -> new Object() {
            @Override
            public int hashCode() {
                Caller<Long> other = Caller.of(() -> self.get(0).stats().pending());
                seen.add(value + " with " + other.end());
                return 1;
            }

            @Override
            public boolean equals(@Nullable Object other) {
                Caller<Long> size = Caller.of(() -> self.get(0).stats().pending());
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
        assertThatThrownBy(() -> Channel.conflating("channel", 0, price -> 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("maxKeys must be positive, is 0;");
        assertThatThrownBy(() -> Channel.conflating("channel", 1, unsafeNull())).hasMessage("keyOf");
        assertThat(channel).asString().endsWith("(conflating, 2 keys)");
    }
}
