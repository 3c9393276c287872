// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.unsafeNull;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A single channel: the order of values and waits, and the effects of timeouts and cancellations. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelTest {
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofSeconds(20);

    private static <T> void assertNobodyWaits(Channel<T> channel) {
        assertThat(channel.core().waitingSenders()).isZero();
        assertThat(channel.core().waitingReceivers()).isZero();
    }

    // ---------------------------------------------------------------- values

    @Test
    void c1_valuesOfABuffer_areReceivedInOrderAndOnce() {
        Channel<Integer> channel = Channel.buffered("channel", 3);

        assertThat(channel.offer(1)).isTrue();
        assertThat(channel.offer(2)).isTrue();
        assertThat(channel.offer(3)).isTrue();
        assertThat(channel.offer(4)).isFalse();
        assertThat(channel.stats().pending()).isEqualTo(3);
        assertThat(channel.poll()).isEqualTo(1);
        assertThat(channel.offer(5)).isTrue();
        assertThat(channel.poll()).isEqualTo(2);
        assertThat(channel.poll()).isEqualTo(3);
        assertThat(channel.poll()).isEqualTo(5);
        assertThat(channel.poll()).isNull();
        assertThat(channel.stats().pending()).isZero();
    }

    @Test
    void c1_offerAndPollOfARendezvous_needTheOtherSide() {
        Channel<String> channel = Channel.rendezvous("channel");

        assertThat(channel.offer("no receiver waits")).isFalse();
        assertThat(channel.poll()).isNull();
        Caller<String> receiver = Caller.receives(channel);
        assertThat(channel.offer("a")).isTrue();
        assertThat(receiver.end()).isEqualTo("a");
        Caller<String> sender = Caller.sends(channel, "b");
        assertThat(channel.stats().pending()).isZero();
        assertThat(channel.poll()).isEqualTo("b");
        assertThat(sender.end()).isEqualTo("b");
    }

    @Test
    void c1_sendOfARendezvous_returnsOnlyAfterTheHandOver() throws Exception {
        Channel<String> channel = Channel.rendezvous("channel");
        Caller<String> sender = Caller.sends(channel, "a").parked();

        assertThat(sender.isDone()).isFalse();
        assertThat(channel.receive()).isEqualTo("a");
        assertThat(sender.end()).isEqualTo("a");
    }

    @Test
    void c1_receiversThatWait_areServedInOrder() {
        Channel<Integer> channel = Channel.buffered("channel", 2);
        List<CompletableFuture<Integer>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(channel.receiveAsync());
        }
        for (int i = 0; i < 5; i++) {
            assertThat(channel.offer(i)).isTrue();
        }

        assertThat(waiting.stream().map(stage -> result(stage))).containsExactly(0, 1, 2, 3, 4);
        assertThat(channel.stats().pending()).isZero();
    }

    @Test
    void c1_sendersThatWait_areServedInOrderAndNobodyOvertakesThem() {
        Channel<Integer> channel = Channel.buffered("channel", 1);
        List<CompletableFuture<@Nullable Void>> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(channel.sendAsync(i));
        }

        assertThat(waiting.stream().map(CompletableFuture::isDone)).containsExactly(true, false, false, false);
        assertThat(channel.poll()).isZero();
        assertThat(waiting.get(1)).isCompleted();
        assertThat(channel.offer(9)).isFalse();
        assertThat(channel.poll()).isEqualTo(1);
        assertThat(channel.poll()).isEqualTo(2);
        assertThat(channel.poll()).isEqualTo(3);
        assertThat(waiting).allMatch(CompletableFuture::isDone);
    }

    @Test
    void c1_threadsOnBothSides_exchangeEachValueOnce() {
        for (Channel<Integer> channel :
                List.of(Channel.<Integer>rendezvous("channel"), Channel.<Integer>buffered("channel", 4))) {
            int each = 2_000;
            List<Caller<Integer>> senders = new ArrayList<>();
            List<Caller<List<Integer>>> receivers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int first = i * each;
                senders.add(Caller.of(() -> {
                    for (int value = first; value < first + each; value++) {
                        channel.send(value);
                    }
                    return first;
                }));
                receivers.add(Caller.of(() -> {
                    List<Integer> got = new ArrayList<>();
                    for (int n = 0; n < each; n++) {
                        got.add(channel.receive());
                    }
                    return got;
                }));
            }
            senders.forEach(Caller::end);
            List<Integer> all = new ArrayList<>();
            for (Caller<List<Integer>> receiver : receivers) {
                List<Integer> got = receiver.end();
                for (int sender = 0; sender < 3; sender++) {
                    int of = sender;
                    assertThat(got.stream().filter(value -> value / each == of)).isSorted();
                }
                all.addAll(got);
            }

            assertThat(all.stream().sorted())
                    .isEqualTo(IntStream.range(0, 3 * each).boxed().toList());
            assertNobodyWaits(channel);
        }
    }

    // ---------------------------------------------------------------- limits of time

    @Test
    void offer_withinATime_isFalseWhenItHasPassedAndSendsNothing() throws Exception {
        Channel<String> channel = Channel.rendezvous("channel");

        assertThat(channel.offer("a", SHORT)).isFalse();
        assertNobodyWaits(channel);
        Caller<String> receiver = Caller.receives(channel);
        assertThat(channel.offer("b", LONG)).isTrue();
        assertThat(receiver.end()).isEqualTo("b");
    }

    @Test
    void poll_withinATime_isNullWhenItHasPassedAndReceivesNothing() throws Exception {
        Channel<String> channel = Channel.buffered("channel", 1);

        assertThat(channel.poll(SHORT)).isNull();
        assertThat(channel.poll(Duration.ofSeconds(-1))).isNull();
        assertNobodyWaits(channel);
        Caller<String> receiver =
                Caller.of(() -> Objects.requireNonNull(channel.poll(LONG))).parked();
        channel.send("a");
        assertThat(receiver.end()).isEqualTo("a");
        channel.send("b");
        assertThat(channel.poll(LONG)).isEqualTo("b");
    }

    // ---------------------------------------------------------------- withdrawals

    @Test
    void c1_interruptedWait_leavesNoTrace() throws Exception {
        Channel<String> channel = Channel.rendezvous("channel");
        Caller<String> receiver = Caller.receives(channel);
        receiver.interrupt();
        assertThatThrownBy(receiver::end).hasCauseInstanceOf(InterruptedException.class);
        assertNobodyWaits(channel);
        assertThat(channel.offer("no receiver waits")).isFalse();

        Caller<String> gone = Caller.sends(channel, "gone");
        Caller<String> next = Caller.sends(channel, "next");
        gone.interrupt();
        assertThatThrownBy(gone::end).hasCauseInstanceOf(InterruptedException.class);
        assertThat(channel.receive()).isEqualTo("next");
        assertThat(next.end()).isEqualTo("next");
        assertNobodyWaits(channel);
    }

    @Test
    void c1_interruptsAgainstValues_loseNoneAndServeEachOnce() {
        Channel<Integer> channel = Channel.rendezvous("channel");
        for (int i = 0; i < 2_000; i++) {
            int value = i;
            Caller<Integer> receiver = Caller.of(() -> {
                try {
                    return channel.receive();
                } catch (InterruptedException e) {
                    return -1;
                }
            });
            until(() -> channel.core().waitingReceivers() == 1);
            Caller<Boolean> sender = Caller.of(() -> channel.offer(value));
            receiver.interrupt();
            int got = receiver.end();

            assertThat(sender.end()).isEqualTo(got >= 0);
            assertThat(got).isIn(-1, value);
        }
        assertNobodyWaits(channel);
    }

    @Test
    void c1_tenThousandInterruptedWaiters_leakNothing() {
        Channel<Integer> channel = Channel.rendezvous("channel");
        Caller<Integer> thread = Caller.of(() -> {
            int interrupted = 0;
            for (int i = 0; i < 10_000; i++) {
                Thread.currentThread().interrupt();
                try {
                    if (i % 2 == 0) {
                        channel.send(i);
                    } else {
                        channel.receive();
                    }
                } catch (InterruptedException e) {
                    interrupted++;
                }
            }
            return interrupted;
        });

        assertThat(thread.end()).isEqualTo(10_000);
        assertNobodyWaits(channel);
        assertThat(channel.poll()).isNull();
    }

    @Test
    void c1_cancelledStage_leavesNoTrace() {
        Channel<String> channel = Channel.rendezvous("channel");
        CompletableFuture<String> receive = channel.receiveAsync();
        assertThat(receive.cancel(false)).isTrue();
        assertThat(receive.cancel(false)).isTrue();
        assertThat(receive).isCancelled();
        assertNobodyWaits(channel);
        assertThat(channel.offer("no receiver waits")).isFalse();

        CompletableFuture<@Nullable Void> gone = channel.sendAsync("gone");
        CompletableFuture<@Nullable Void> next = channel.sendAsync("next");
        assertThat(gone.cancel(true)).isTrue();
        assertThat(channel.poll()).isEqualTo("next");
        assertThat(next).isCompleted();
        assertThat(next.cancel(false)).isFalse();
        assertNobodyWaits(channel);
    }

    @Test
    void c1_stageCompletedFromOutside_isWithdrawnToo() throws Exception {
        Channel<String> channel = Channel.rendezvous("channel");
        CompletableFuture<String> timed = channel.receiveAsync().orTimeout(1, TimeUnit.MILLISECONDS);
        assertThatThrownBy(() -> result(timed)).hasCauseInstanceOf(TimeoutException.class);
        CompletableFuture<String> completed = channel.receiveAsync();
        assertThat(completed.complete("by hand")).isTrue();
        CompletableFuture<String> later = channel.receiveAsync().completeAsync(() -> "later", Runnable::run);
        CompletableFuture<String> obtruded = channel.receiveAsync();
        obtruded.obtrudeValue("obtruded");
        CompletableFuture<String> failed = channel.receiveAsync();
        failed.obtrudeException(new IllegalStateException("obtruded"));
        CompletableFuture<String> thrown = channel.receiveAsync()
                .completeAsync(
                        () -> {
                            throw new IllegalStateException("thrown");
                        },
                        Runnable::run);

        assertThat(later).isCompletedWithValue("later");
        assertThat(obtruded).isCompletedWithValue("obtruded");
        assertThat(failed).isCompletedExceptionally();
        assertThat(thrown).isCompletedExceptionally();
        assertNobodyWaits(channel);
        assertThat(channel.offer("no receiver waits")).isFalse();
    }

    @Test
    void c1_stageServed_isNotCompletedFromOutside() {
        Channel<String> channel = Channel.rendezvous("channel");
        CompletableFuture<String> receive = channel.receiveAsync();
        assertThat(channel.offer("a")).isTrue();

        assertThat(receive.complete("by hand")).isFalse();
        assertThat(receive.completeExceptionally(new IllegalStateException())).isFalse();
        assertThat(receive.cancel(true)).isFalse();
        assertThat(receive).isCompletedWithValue("a");
    }

    // ---------------------------------------------------------------- closing

    @Test
    void c1_close_letsBufferedValuesAndWaitingSendersThrough() throws Exception {
        Channel<Integer> channel = Channel.buffered("channel", 2);
        channel.send(1);
        channel.send(2);
        CompletableFuture<@Nullable Void> waiting = channel.sendAsync(3);
        assertThat(channel.isDone()).isFalse();
        channel.close();

        assertThat(channel.isDone()).as("values are left").isFalse();
        assertThatThrownBy(() -> channel.offer(4))
                .isInstanceOf(ChannelClosedException.class)
                .hasMessageMatching("channel channel \\(buffered, 2\\) is closed")
                .hasNoCause();
        assertThatThrownBy(() -> channel.send(4)).isInstanceOf(ChannelClosedException.class);
        assertThatThrownBy(() -> result(channel.sendAsync(4))).hasCauseInstanceOf(ChannelClosedException.class);
        assertThat(channel.receive()).isEqualTo(1);
        assertThat(waiting).isCompleted();
        assertThat(channel.poll()).isEqualTo(2);
        assertThat(result(channel.receiveAsync())).isEqualTo(3);
        assertThat(channel.isDone()).isTrue();
        assertThatThrownBy(channel::poll).isInstanceOf(ChannelClosedException.class);
        assertThatThrownBy(channel::receive).isInstanceOf(ChannelClosedException.class);
        assertThatThrownBy(() -> result(channel.receiveAsync())).hasCauseInstanceOf(ChannelClosedException.class);
        channel.close();
    }

    @Test
    void c1_closeOfARendezvous_letsWaitingSendersThrough() throws Exception {
        Channel<Integer> channel = Channel.rendezvous("channel");
        Caller<Integer> sender = Caller.sends(channel, 1);
        channel.close();

        assertThat(channel.receive()).isEqualTo(1);
        assertThat(sender.end()).isEqualTo(1);
        assertThatThrownBy(channel::receive).isInstanceOf(ChannelClosedException.class);
    }

    @Test
    void c1_close_endsReceiversThatWait() {
        Channel<String> channel = Channel.rendezvous("channel");
        Caller<String> thread = Caller.receives(channel);
        CompletableFuture<String> stage = channel.receiveAsync();
        IllegalStateException cause = new IllegalStateException("no more");
        channel.close(cause);
        channel.close(new IllegalStateException("too late"));

        assertThatThrownBy(thread::end)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(ChannelClosedException.class)
                .hasCause(cause);
        assertThatThrownBy(() -> result(stage))
                .cause()
                .isInstanceOf(ChannelClosedException.class)
                .hasCause(cause);
        assertThatThrownBy(() -> channel.offer("a")).hasCause(cause);
        assertNobodyWaits(channel);
    }

    @Test
    void c1_cancel_returnsWhatWasAcceptedAndRefusesWhoeverWaits() {
        Channel<Integer> channel = Channel.buffered("channel", 2);
        assertThat(channel.offer(1)).isTrue();
        assertThat(channel.offer(2)).isTrue();
        Caller<Integer> thread = Caller.sends(channel, 3);
        CompletableFuture<@Nullable Void> stage = channel.sendAsync(4);

        assertThat(channel.halt().join().items()).containsExactly(1, 2);
        assertThat(channel.halt().join().items()).isEmpty();
        assertThatThrownBy(thread::end).hasCauseInstanceOf(ChannelClosedException.class);
        assertThatThrownBy(() -> result(stage)).hasCauseInstanceOf(ChannelClosedException.class);
        assertThatThrownBy(channel::poll).isInstanceOf(ChannelClosedException.class);
        assertThat(channel.stats().pending()).isZero();
        assertNobodyWaits(channel);
    }

    @Test
    void c1_cancelAfterAClose_returnsTheRestAndKeepsTheCause() {
        Channel<Integer> channel = Channel.buffered("channel", 2);
        IllegalStateException cause = new IllegalStateException("no more");
        assertThat(channel.offer(1)).isTrue();
        channel.close(cause);

        assertThat(channel.halt().join().items()).containsExactly(1);
        assertThatThrownBy(channel::poll).hasCause(cause);
    }

    // ---------------------------------------------------------------- mistakes

    @Test
    void arguments_thatMakeNoSense_areRefusedWithTheRemedy() {
        assertThatThrownBy(() -> Channel.buffered("channel", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("capacity must be positive, is 0; a channel without a buffer is Channel.rendezvous()");
        assertThatThrownBy(() -> Channel.buffered("channel", -1)).hasMessageContaining("is -1");
        Channel<String> channel = Channel.buffered("channel", 1);
        assertThatThrownBy(() -> channel.offer(unsafeNull())).hasMessage("value");
        assertThatThrownBy(() -> channel.send(unsafeNull())).hasMessage("value");
        assertThatThrownBy(() -> channel.sendAsync(unsafeNull())).hasMessage("value");
        assertThatThrownBy(() -> channel.offer("a", unsafeNull())).hasMessage("timeout");
        assertThatThrownBy(() -> channel.poll(unsafeNull())).hasMessage("timeout");
        assertThatThrownBy(() -> channel.close(unsafeNull())).hasMessage("cause");
        assertThat(channel.stats().pending()).isZero();
    }
}
