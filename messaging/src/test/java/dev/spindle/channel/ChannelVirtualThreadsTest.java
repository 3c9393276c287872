// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels between virtual threads: many more than carriers, which contend for the lock and wait for each other. */
@EnabledForJreRange(min = JRE.JAVA_21)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelVirtualThreadsTest {
    private static final int CROWD = 200;
    private static final int EACH = 500;

    private final ExecutorService threads = virtualThreads();
    private final AtomicIntegerArray received = new AtomicIntegerArray(CROWD * EACH);

    private static ExecutorService virtualThreads() {
        try {
            return (ExecutorService) Objects.requireNonNull(
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private interface Body {
        void run() throws Exception;
    }

    private Future<?> start(Body body) {
        Callable<Object> task = () -> {
            body.run();
            return body;
        };
        return threads.submit(task);
    }

    /**
     * Starts a crowd that sends values, each thread its own and to the channels in turn, and one that receives them.
     */
    private void pass(List<Channel<Integer>> channels, Callable<Integer> receive) {
        List<Future<?>> crowds = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            int first = i * EACH;
            crowds.add(start(() -> {
                for (int value = first; value < first + EACH; value++) {
                    channels.get(value % channels.size()).send(value);
                }
            }));
            crowds.add(start(() -> {
                for (int n = 0; n < EACH; n++) {
                    received.incrementAndGet(receive.call());
                }
            }));
        }
        for (Future<?> each : crowds) {
            result(each);
        }
    }

    private void assertEachCameOnce() {
        for (int value = 0; value < received.length(); value++) {
            assertThat(received.get(value))
                    .as("times that %d was received", value)
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16})
    void c1_crowdsOfSendersAndReceivers_passEachValueOnce(int capacity) {
        Channel<Integer> channel =
                capacity == 0 ? Channel.rendezvous("channel") : Channel.buffered("channel", capacity);

        pass(List.of(channel), channel::receive);

        assertEachCameOnce();
        assertThat(channel.stats().pending()).isZero();
        assertThat(channel.core().waitingSenders()).isZero();
        assertThat(channel.core().waitingReceivers()).isZero();
    }

    @Test
    void c1_crowdThatSelects_passesEachValueOnce() {
        List<Channel<Integer>> channels = List.of(Channel.rendezvous("channel"), Channel.buffered("channel", 3));

        pass(channels, () -> {
            Select<Integer> select = Select.fair();
            channels.forEach(channel -> select.receive(channel, value -> value));
            return select.await();
        });

        assertEachCameOnce();
    }

    @Test
    void c2_interruptsOfWaitingVirtualThreads_leaveNobodyBehind() {
        Channel<Integer> channel = Channel.rendezvous("channel");
        List<Future<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            waiting.add(start(channel::receive));
        }
        until(() -> channel.core().waitingReceivers() == 10_000);

        waiting.forEach(each -> each.cancel(true));

        until(() -> channel.core().waitingReceivers() == 0);
        assertThat(channel.offer(1)).isFalse();
    }

    @Test
    void c2_limitOfAVirtualThread_passes() throws Exception {
        Channel<Integer> channel = Channel.rendezvous("channel");

        AtomicReference<@Nullable Object> polled = new AtomicReference<>("nothing yet");

        start(() -> polled.set(channel.poll(Duration.ofMillis(5)))).get();

        assertThat(polled.get()).isNull();
        assertThat(channel.core().waitingReceivers()).isZero();
    }
}
