// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The interrupt flag at the start of user code that a channel runs, and in a caller's thread (A4). */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelFlagsTest {
    private final List<String> dirty = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger failures = new AtomicInteger();
    private final Spindle spindle = Spindle.builder()
            .coreThreads(1)
            .maxThreads(1)
            .onFailure((activity, failure) -> {
                code("failure handler");
                failures.incrementAndGet();
            })
            .build();
    private final Strand strand = spindle.strand("consumer");

    @AfterEach
    void end() {
        spindle.shutdownNow();
    }

    /** User code that records the flag, and leaves it set. */
    private void code(String what) {
        if (Thread.currentThread().isInterrupted()) {
            dirty.add(what);
        }
        Thread.currentThread().interrupt();
    }

    @Test
    void a4_handlersOfForEach_beginWithAClearFlagAndSoDoThoseWhomTheyLetIn() {
        Channel<Integer> channel = Channel.buffered("channel", 1);
        CountDownLatch go = new CountDownLatch(1);
        strand.execute(() -> await(go));
        CompletableFuture<@Nullable Void> end = channel.forEach(strand, value -> {
            code("handler");
            throw new IllegalStateException("mine");
        });
        List<CompletableFuture<?>> dependents = new ArrayList<>();
        for (int i = 0; i < 5; i++) { // the consumer admits all except the first, between two values
            dependents.add(channel.sendAsync(i).thenRun(this::lookOnAWorker));
        }
        dependents.add(Select.<Boolean>fair()
                .send(channel, 5, () -> {
                    lookOnAWorker();
                    return true;
                })
                .awaitAsync());
        go.countDown();
        dependents.forEach(stage -> result(stage));
        channel.close();
        result(end);

        assertThat(dirty).isEmpty();
        assertThat(failures).hasValue(6);
    }

    private void lookOnAWorker() {
        if (Thread.currentThread().getName().startsWith("spindle")) {
            code("dependent");
        }
    }

    @Test
    void a4_functionOfATimeLimit_beginsWithAClearFlag() {
        for (int i = 0; i < 20; i++) {
            spindle.execute(() -> Thread.currentThread().interrupt());
            CompletableFuture<String> late = Select.<String>fair()
                    .receive(Channel.<String>rendezvous("channel"), value -> value)
                    .onTimeout(Duration.ofMillis(1), () -> {
                        code("limit");
                        return "late";
                    })
                    .awaitAsync(spindle);
            assertThat(result(late)).isEqualTo("late");
        }
        assertThat(dirty).isEmpty();
    }

    @Test
    void a4_codeInACallersThread_findsItsFlagAndLeavesIt() {
        Channel<String> channel = Channel.conflating("channel", 2, value -> {
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            return value;
        });
        CompletableFuture<Boolean> dependent =
                channel.receiveAsync().thenApply(value -> Thread.currentThread().isInterrupted());
        Thread.currentThread().interrupt();
        assertThat(channel.offer("a")).isTrue();
        assertThat(channel.offer("b")).isTrue();
        assertThat(channel.poll()).isEqualTo("b");
        boolean selected = Select.<Boolean>fair()
                .receive(channel, value -> Thread.currentThread().isInterrupted())
                .orElse(() -> Thread.currentThread().isInterrupted());

        assertThat(Thread.interrupted()).isTrue();
        assertThat(selected).isTrue();
        assertThat(dependent).isCompletedWithValue(true);
        until(dependent::isDone);
    }
}
