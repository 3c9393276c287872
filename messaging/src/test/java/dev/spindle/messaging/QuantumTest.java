// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.actor.Actor;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.channel.Channel;
import dev.spindle.pipeline.Pipeline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract N1: turns of each model yield to other work, even if short messages are followed by long ones. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the test observes the handlers
class QuantumTest {
    private static final int SHORT = 1_000;
    private static final int ALL = SHORT + 60;

    /** About two checks of the clock thread, and a few more, since the machine may be busy. */
    private static final int FEW = 13;

    private final Spindle spindle =
            Spindle.builder().coreThreads(1).maxThreads(1).build();
    private final Actors actors = Actors.create(spindle);
    private final AtomicInteger longOnes = new AtomicInteger();
    private final CompletableFuture<Integer> seen = new CompletableFuture<>();

    @AfterEach
    void end() throws InterruptedException {
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    enum Model {
        ACTOR,
        CHANNEL,
        CONFLATING_CHANNEL,
        STAGE,
        PARALLEL_STAGE
    }

    /** Returns a consumer that passes numbers to {@link #handle} through {@code model}. */
    private IntConsumer sink(Model model) {
        switch (model) {
            case ACTOR -> {
                Actor<Integer> behaviour = (number, self) -> handle(number);
                ActorRef<Integer> actor = actors.actorBuilder("busy", () -> behaviour)
                        .capacity(ALL)
                        .build();
                return number -> assertThat(actor.offer(number)).isTrue();
            }
            case CHANNEL -> {
                Channel<Integer> channel = Channel.buffered("channel", ALL);
                channel.forEach(spindle.strand("busy"), this::handle);
                return number -> assertThat(channel.offer(number)).isTrue();
            }
            case CONFLATING_CHANNEL -> {
                Channel<Integer> channel = Channel.conflating("channel", ALL, number -> number);
                channel.forEach(spindle.strand("busy"), this::handle);
                return number -> assertThat(channel.offer(number)).isTrue();
            }
            default -> {
                var builder =
                        Pipeline.builder(spindle, "pipeline", () -> new int[1]).capacity(2_048);
                var staged = model == Model.STAGE
                        ? builder.stage("busy", event -> handle(event[0]))
                        : builder.parallelStage("busy", 2, event -> handle(event[0]));
                Pipeline<int[]> pipeline = staged.build();
                return number ->
                        assertThat(pipeline.offer(event -> event[0] = number)).isTrue();
            }
        }
    }

    private void handle(int number) {
        if (number < SHORT) {
            return;
        }
        if (number == SHORT) {
            spindle.keyed("keys").execute("other", () -> seen.complete(longOnes.get()));
        }
        longOnes.incrementAndGet();
        try {
            boolean unused = new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS); // sleeps
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the test has ended
        }
    }

    @ParameterizedTest
    @EnumSource
    void n1_longMessagesAfterShortOnes_othersWaitForFew(Model model) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        spindle.execute(() -> {
            begun.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        begun.await();
        IntConsumer sink = sink(model);
        for (int number = 0; number < ALL; number++) {
            sink.accept(number);
        }

        go.countDown();

        assertThat(seen.get(40, TimeUnit.SECONDS)).isLessThanOrEqualTo(FEW);
    }
}
