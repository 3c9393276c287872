// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.actor.Stage.ended;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.messaging.Diver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Senders and behaviours that overflow the stack at any point: each actor goes on, on the only worker. */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorStackTest {
    private static final int ROUNDS = 4;
    private static final Duration LONG = Duration.ofSeconds(20);

    @RegisterExtension
    final Stage stage = new Stage();

    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();

    private ActorRef<String> counter() {
        return stage.actors
                .<String>actorBuilder("counter", () -> (message, self) -> handled.incrementAndGet())
                .capacity(4)
                .build();
    }

    private static int endless(int level) {
        return level < 0 ? 0 : endless(level + 1) + level;
    }

    @Test
    void f1_behaviourThatOverflows_isAFailureAndTheNextMessageIsHandled() throws Exception {
        CompletableFuture<String> next = new CompletableFuture<>();
        ActorRef<String> ref = stage.actors
                .<String>actorBuilder("endless", () -> (message, self) -> {
                    if (message.equals("overflow")) {
                        handled.set(endless(0));
                    } else {
                        next.complete(message + " on " + Thread.currentThread().getName());
                    }
                })
                .supervision(Supervision.restart(9, LONG))
                .build();
        CompletableFuture<String> worker = new CompletableFuture<>();
        stage.spindle.execute(() -> worker.complete(Thread.currentThread().getName()));
        for (int i = 0; i < 3; i++) {
            ref.offer("overflow");
            assertThat(stage.takeFailure()).isInstanceOf(StackOverflowError.class);
        }
        ref.offer("next");

        assertThat(resultOf(next)).isEqualTo("next on " + resultOf(worker));
    }

    @Test
    void r3_tellThatOverflowsAtAnyDepth_leavesBothActorsGoingOn() throws Exception {
        ActorRef<String> counter = counter();
        CompletableFuture<Integer> overflows = new CompletableFuture<>();
        ActorRef<String> diving = stage.actors.actor("diver", () -> (message, self) -> {
            Diver diver = new Diver(() -> {
                self.tell(counter, message);
                sent.incrementAndGet();
            });
            diver.diveHere(ROUNDS);
            overflows.complete(diver.overflows());
        });
        diving.offer("x");

        assertThat(resultOf(overflows)).isGreaterThan(ROUNDS);
        diving.drain();
        ended(diving);
        counter.send("last");
        counter.drain();
        ended(counter);
        assertThat(handled.get()).isEqualTo(sent.get() + 1);
    }

    @Test
    void s1_sendsThatOverflowAtAnyDepth_leaveTheActorGoingOn() throws Exception {
        ActorRef<String> ref = counter();
        Diver diver = new Diver(() -> {
            ref.send("x");
            sent.incrementAndGet();
            resultOf(ref.sendAsync("y"));
            sent.incrementAndGet();
        });

        diver.dive(ROUNDS);

        ref.send("last");
        ref.drain();
        ended(ref);
        assertThat(diver.overflows()).isGreaterThan(ROUNDS);
        assertThat(handled.get()).isGreaterThan(sent.get());
    }

    @Test
    void r2_asksAndAnswersThatOverflowAtAnyDepth_leaveBothSidesGoingOn() throws Exception {
        ActorRef<CompletableFuture<Integer>> ref = stage.actors.actor("answers", () -> (reply, self) -> {
            Diver diver = new Diver(() -> {
                boolean unused = reply.complete(1);
            });
            diver.diveHere(1);
            handled.addAndGet(diver.overflows());
        });
        Diver diver =
                new Diver(() -> sent.addAndGet(resultOf(ref.ask((CompletableFuture<Integer> reply) -> reply, LONG))));

        diver.dive(ROUNDS);

        assertThat(resultOf(ref.ask((CompletableFuture<Integer> reply) -> reply, LONG)))
                .isEqualTo(1);
        assertThat(diver.overflows()).isGreaterThan(ROUNDS);
        assertThat(handled.get()).isPositive();
    }
}
