// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract A3: an ask times out even if every worker is blocked. */
@Timeout(60)
class AskLimitContractTest {
    /** Never answers. */
    private static ActorRef<CompletableFuture<String>> silent(Actors actors) {
        Actor<CompletableFuture<String>> behaviour = (reply, self) -> {};
        return actors.actorBuilder("silent", () -> behaviour).capacity(1_000).build();
    }

    @Test
    void a3_onlyWorkerIsBlocked_askEndsInTime() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (Spindle spindle = Spindle.builder().coreThreads(1).maxThreads(1).build();
                Actors actors = Actors.create(spindle)) {
            ActorRef<CompletableFuture<String>> silent = silent(actors);
            spindle.execute(() -> {
                begun.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            begun.await();
            try {
                var answer = silent.<String>ask(reply -> reply, Duration.ofMillis(50))
                        .toCompletableFuture();

                assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(TimeoutException.class);
            } finally {
                end.countDown();
            }
        }
    }

    /** There are more blockers than workers. */
    @Test
    void a3_eightyActorsThatJoinTheirAsks_eachEndsWithItsTimeOut() throws Exception {
        int all = 80;
        AtomicInteger timeOuts = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(all);
        try (Spindle spindle = Spindle.create();
                Actors actors = Actors.create(spindle)) {
            ActorRef<CompletableFuture<String>> silent = silent(actors);
            Actor<Integer> asks = (message, self) -> {
                try {
                    String unused = silent.<String>ask(reply -> reply, Duration.ofMillis(300))
                            .toCompletableFuture()
                            .join();
                } catch (CompletionException e) {
                    timeOuts.addAndGet(e.getCause() instanceof TimeoutException ? 1 : 0);
                } finally {
                    ended.countDown();
                }
            };
            for (int i = 0; i < all; i++) {
                actors.<Integer>actorBuilder("asker " + i, () -> asks).build().send(1);
            }
            assertThat(ended.await(40, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(timeOuts).hasValue(all);
    }
}
