// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.channel.Channel;
import dev.spindle.pipeline.ErrorPolicy;
import dev.spindle.pipeline.Pipeline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** User exceptions whose {@code toString} throws have the same effects as others (U1). */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnprintableFailureTest {
    private final AtomicInteger reported = new AtomicInteger();
    private final Spindle spindle = Spindle.builder()
            .coreThreads(1)
            .maxThreads(1)
            .onFailure((activity, failure) -> reported.incrementAndGet())
            .build();

    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @AfterEach
    void close() throws InterruptedException {
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Returns the failure of {@code stage}, as its dependents see it. */
    private static Throwable failureOf(CompletionStage<?> stage) {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        CompletionStage<?> unused = stage.whenComplete(
                (value, failed) -> failure.complete(failed == null ? new AssertionError("it has not failed") : failed));
        return resultOf(failure);
    }

    @Test
    void u1_answerThatIsAnUnprintableFailure_failsTheAsk() {
        ActorRef<CompletableFuture<Integer>> actor = Actors.create(spindle)
                .<CompletableFuture<Integer>>actor(
                        "a", () -> (reply, self) -> reply.completeExceptionally(new Unprintable()));
        CompletionStage<Integer> answer = actor.ask((CompletableFuture<Integer> reply) -> reply, Duration.ofMinutes(1));
        assertThat(failureOf(answer)).hasMessageContaining("Unprintable");
        assertThat(reported).hasValue(0);
    }

    @Test
    void u1_handlersThatThrowUnprintableFailures_areReportedAndTheNextFollows() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(4)
                .stage("skips", event -> {
                    handled.incrementAndGet();
                    throw new Unprintable();
                })
                .errorPolicy(ErrorPolicy.skip())
                .build();
        Channel<Integer> channel = Channel.buffered("channel", 4);
        CompletableFuture<@Nullable Void> consumed = channel.forEach(spindle.strand("consumer"), value -> {
            handled.incrementAndGet();
            throw new Unprintable();
        });
        for (int i = 0; i < 3; i++) {
            pipeline.publish(event -> event[0] = 1);
            channel.send(i);
        }
        pipeline.close();
        channel.close();
        resultOf(consumed);
        assertThat(handled).hasValue(6);
        until(() -> reported.get() == 6);
    }

    @Test
    void clear_thatThrows_isReportedAndThePipelineGoesOn() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        Pipeline<int[]> pipeline = Pipeline.builder(spindle, "pipeline", () -> new int[1])
                .capacity(4)
                .stage("any", event -> handled.incrementAndGet())
                .clear(event -> {
                    throw new IllegalStateException("clear");
                })
                .build();
        for (int i = 0; i < 20; i++) {
            pipeline.publish(event -> event[0] = 1);
        }
        pipeline.close();
        assertThat(handled).hasValue(20);
        assertThat(reported).hasValue(20);
    }
}
