// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static dev.spindle.TestSupport.usedBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory: completed operations keep nothing (U3), and the cost of waits and channels. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelMemoryTest {
    /** A value that was sent, and the objects that its sender keeps. */
    private record Left(WeakReference<?> value, Object kept) {}

    private interface Use {
        /** Passes {@code value} on, and returns an object that a program may keep. */
        Object pass(Object value);
    }

    /** A method of its own, so that no frame keeps the value. */
    private static Left left(Use use) {
        Object value = new Object();
        return new Left(new WeakReference<>(value), use.pass(value));
    }

    private static void assertKeepsNothing(Use use) {
        Left left = left(use);
        until(() -> {
            System.gc();
            return left.value.refersTo(null);
        });
        assertThat(left.kept).isNotNull(); // keeps it reachable until here
    }

    @Test
    void u3_channelAndStageOfASend_doNotKeepTheValue() {
        for (Channel<Object> channel : List.of(
                Channel.rendezvous("channel"),
                Channel.buffered("channel", 2),
                Channel.conflating("channel", 2, value -> 1))) {
            assertKeepsNothing(value -> {
                CompletableFuture<@Nullable Void> sent = channel.sendAsync(value);
                assertThat(channel.poll()).isSameAs(value);
                assertThat(sent).isCompleted();
                return List.of(sent, channel);
            });
        }
    }

    @Test
    void u3_stagesThatWereCancelled_doNotKeepTheValue() {
        Channel<Object> channel = Channel.rendezvous("channel");
        assertKeepsNothing(value -> {
            CompletableFuture<@Nullable Void> send = channel.sendAsync(value);
            CompletableFuture<Boolean> select =
                    Select.<Boolean>fair().send(channel, value, () -> true).awaitAsync();
            assertThat(send.cancel(false)).isTrue();
            assertThat(select.cancel(false)).isTrue();
            return List.of(send, select, channel);
        });
    }

    @Test
    void u3_selectThatWasServed_doesNotKeepWhatItsClausesPassed() {
        Channel<Object> one = Channel.rendezvous("one");
        Channel<Object> two = Channel.rendezvous("two");
        assertKeepsNothing(value -> {
            CompletableFuture<Boolean> sends = Select.<Boolean>fair()
                    .send(one, value, () -> true)
                    .send(two, value, () -> true)
                    .awaitAsync();
            assertThat(two.poll()).isSameAs(value);
            CompletableFuture<Boolean> receives = Select.<Boolean>fair()
                    .receive(one, got -> true)
                    .receive(two, got -> true)
                    .awaitAsync();
            assertThat(one.offer(value)).isTrue();
            return List.of(sends, receives, one, two);
        });
    }

    @Test
    void u3_consumerThatWaits_doesNotKeepTheLastValue() {
        try (Spindle spindle = Spindle.create()) {
            Channel<Object> channel = Channel.buffered("channel", 2);
            CompletableFuture<@Nullable Void> end = channel.forEach(spindle.strand("consumer"), value -> {});
            assertKeepsNothing(value -> {
                until(() -> channel.core().waitingReceivers() == 1);
                assertThat(channel.offer(value)).isTrue();
                return channel;
            });
            channel.close();
            result(end);
        }
    }

    @Test
    void u3_consumerOfAChannelThatIsGone_isKeptByNeitherItsStrandNorItsSpindle() {
        try (Spindle spindle = Spindle.create()) {
            Strand strand = spindle.strand("consumer");
            assertKeepsNothing(value -> {
                Channel<Object> channel = Channel.buffered("channel", 1);
                CompletableFuture<@Nullable Void> unused =
                        channel.forEach(strand, any -> assertThat(any).isNotEqualTo(value));
                until(() -> channel.core().waitingReceivers() == 1);
                return List.of(spindle, strand);
            });
        }
    }

    @Test
    void u3_consumersThatHaveEnded_leaveNothingBehind() {
        try (Spindle spindle = Spindle.create()) {
            Channel<Object> channel = Channel.buffered("channel", 1);
            Strand strand = spindle.strand("consumer");
            assertKeepsNothing(value -> {
                CompletableFuture<@Nullable Void> end =
                        channel.forEach(strand, any -> assertThat(any).isNotEqualTo(value));
                until(() -> channel.core().waitingReceivers() == 1);
                assertThat(end.cancel(false)).isTrue();
                return List.of(spindle, strand, channel);
            });
            assertKeepsNothing(value -> {
                Strand own = spindle.strand("own");
                CompletableFuture<@Nullable Void> end =
                        channel.forEach(own, any -> assertThat(any).isNotEqualTo(value));
                until(() -> channel.core().waitingReceivers() == 1);
                own.close();
                assertThat(end.handle((nothing, failure) -> failure != null)).isNotNull();
                return List.of(spindle, channel);
            });
        }
    }

    @Test
    void u3_selectsWithALimitThatAreOver_leaveNothingBehind() {
        try (Spindle spindle = Spindle.create()) {
            Channel<Object> channel = Channel.rendezvous("channel");
            assertKeepsNothing(value -> {
                Select<Object> select = Select.<Object>fair()
                        .receive(channel, got -> value)
                        .onTimeout(Duration.ofHours(1), () -> value);
                CompletableFuture<Object> served = select.awaitAsync(spindle);
                assertThat(channel.offer("a")).isTrue();
                assertThat(select.awaitAsync(spindle).cancel(false)).isTrue();
                assertThat(served).isCompletedWithValue(value);
                return List.of(spindle, channel);
            });
        }
    }

    @Test
    void u3_selectWithATimeLimit_keepsNothingOfASpindleThatHasEnded() {
        Channel<Object> channel = Channel.rendezvous("channel");
        Select<Object> select =
                Select.<Object>fair().receive(channel, value -> value).onTimeout(Duration.ofHours(1), () -> "late");
        assertKeepsNothing(value -> {
            CompletableFuture<Object> served;
            try (Spindle spindle = Spindle.builder()
                    .onFailure((activity, failure) -> assertThat(value).isNull())
                    .build()) {
                served = select.awaitAsync(spindle);
                assertThat(channel.offer("a")).isTrue();
            }
            return List.of(served, channel, select);
        });
    }

    @Test
    void u3_spindleWhoseTaskHasWaited_doesNotKeepTheChannelNorTheChannelTheSpindle() {
        try (Spindle spindle = Spindle.create()) {
            assertKeepsNothing(value -> {
                Channel<Object> channel = Channel.conflating("channel", 1, any -> value);
                result(spindle.submit(
                        () -> assertThat(channel.receiveAsync().cancel(false)).isTrue()));
                return spindle;
            });
        }
        Channel<Object> channel = Channel.rendezvous("channel");
        assertKeepsNothing(value -> {
            try (Spindle spindle = Spindle.builder()
                    .onFailure((activity, failure) -> assertThat(value).isNull())
                    .build()) {
                result(spindle.submit(
                        () -> assertThat(channel.receiveAsync().cancel(false)).isTrue()));
            }
            return channel;
        });
    }

    @Test
    void s2_idleChannels_costTheirMemoryAlone() {
        int count = 20_000;
        List<Channel<Integer>> channels = new ArrayList<>(count);
        int threads = Thread.activeCount();
        long before = usedBytes();
        for (int i = 0; i < count; i++) {
            Channel<Integer> channel = Channel.buffered("channel", 1_000_000);
            assertThat(channel.offer(i)).isTrue();
            assertThat(channel.poll()).isEqualTo(i);
            channels.add(channel);
        }
        long bytes = (usedBytes() - before) / count;

        assertThat(bytes).as("bytes for each channel").isLessThan(400);
        assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads);
        assertThat(channels).hasSize(count);
    }
}
