// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.actor.Stage.endOf;
import static dev.spindle.actor.Stage.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.ClosedException;
import dev.spindle.TestSupport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages, bounds, asks and ends of actors on one worker. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @RegisterExtension
    final Stage stage = new Stage();

    record Get(String key, CompletableFuture<String> reply) {}

    private ActorRef<String> start(Stage.Gate gate, int capacity) {
        ActorRef<String> ref =
                stage.actors.actorBuilder("gate", () -> gate).capacity(capacity).build();
        gate.enter(ref);
        return ref;
    }

    @Test
    void s1_messagesOfOneSender_comeInOrderOneAtATime() {
        List<Integer> seen = new ArrayList<>();
        AtomicInteger inside = new AtomicInteger();
        ActorRef<Integer> ref = stage.actors.actor("list", () -> (message, self) -> {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            seen.add(message);
            inside.decrementAndGet();
        });
        for (int i = 0; i < 10_000; i++) {
            send(ref, i);
        }
        ref.drain();

        assertThat(resultOf(ref.terminated())).isNull();
        assertThat(seen).hasSize(10_000).isSorted();
    }

    private static <M> void send(ActorRef<M> ref, M message) {
        try {
            ref.send(message);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void s1_fourSenders_loseNothing() throws Exception {
        AtomicInteger seen = new AtomicInteger();
        ActorRef<Integer> ref = stage.actors
                .<Integer>actorBuilder("sum", () -> (message, self) -> seen.addAndGet(message))
                .capacity(7)
                .build();
        List<Thread> senders = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Thread sender = new Thread(() -> {
                for (int i = 0; i < 5_000; i++) {
                    send(ref, 1);
                }
            });
            sender.start();
            senders.add(sender);
        }
        for (Thread sender : senders) {
            sender.join();
        }
        ref.drain();

        ended(ref);
        assertThat(seen).hasValue(20_000);
    }

    @Test
    void f4_fullMailbox_refusesAnOfferAndServesWaitersInOrder() {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref = start(gate, 2);
        assertThat(ref.offer("a")).isTrue();
        assertThat(ref.offer("b")).isTrue();

        assertThat(ref.offer("c")).isFalse();
        CompletionStage<@Nullable Void> d = ref.sendAsync("d");
        CompletionStage<@Nullable Void> e = ref.sendAsync("e");
        assertThat(ref.stats().pending()).isEqualTo(2);
        assertThat(stage.spindle.waits())
                .hasSize(2)
                .allMatch(wait -> wait.to().owner().equals("actor gate"));
        assertThat(stage.actors.busiest(5)).singleElement().asString().startsWith("actor gate, 2 pending on ");
        gate.opened.countDown();

        resultOf(d);
        resultOf(e);
        ref.drain();
        ended(ref);
        assertThat(gate.rest()).containsExactly("a", "b", "d", "e");
    }

    @Test
    void r1_sendOnAWorker_isRefusedAndNamesTheOtherForm() {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref = stage.actors.actor("other", () -> gate);
        stage.spindle.execute(() -> {
            try {
                ref.send("x");
            } catch (Throwable t) {
                thrown.complete(t);
            }
        });

        assertThat(resultOf(thrown))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("sendAsync")
                .hasMessageContaining("other");
    }

    @Test
    void r1_contextOutsideItsTurn_isRefused() {
        CompletableFuture<ActorContext<String>> leaked = new CompletableFuture<>();
        ActorRef<String> ref = stage.actors.actor("leaks", () -> (message, self) -> leaked.complete(self));
        ref.offer("x");
        ActorContext<String> self = resultOf(leaked);

        assertThatThrownBy(() -> self.tell(ref, "y"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("leaks");
        assertThat(self.ref()).isSameAs(ref);
    }

    @Test
    void send_interruptedWhileWaiting_leavesNoTrace() throws Exception {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref = start(gate, 1);
        ref.offer("a");
        FutureTask<Boolean> sending = new FutureTask<>(() -> {
            assertThatThrownBy(() -> ref.send("b")).isInstanceOf(InterruptedException.class);
            return true;
        });
        Thread sender = new Thread(sending);
        sender.start();
        while (stage.spindle.waits().isEmpty()) {
            Thread.onSpinWait();
        }
        sender.interrupt();

        assertThat(sending.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(stage.spindle.waits()).isEmpty();
        gate.opened.countDown();
        ref.drain();
        ended(ref);
        assertThat(gate.rest()).containsExactly("a");
    }

    @Test
    void badInput_getsAnErrorThatNamesItAndTheRemedy() {
        assertThatThrownBy(() -> stage.actors.actorBuilder("a", Stage.Gate::new).capacity(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("capacity must be at least 1, is 0");
        assertThatThrownBy(() -> Supervision.restart(0, LONG)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Supervision.stop().backoff(LONG, LONG)).isInstanceOf(IllegalStateException.class);
        ActorRef<String> ref = stage.actors.actor("a", Stage.Gate::new);
        assertThatThrownBy(() -> ref.offer(TestSupport.unsafeNull())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> ref.sendAsync(TestSupport.unsafeNull())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> ref.ask(reply -> "x", Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void start_constructorThatThrowsOrFactoryThatReturnsNull_reachesTheCaller() {
        IllegalStateException own = new IllegalStateException("own");
        assertThatThrownBy(() -> stage.actors.<String>actor("broken", () -> {
                    throw own;
                }))
                .isSameAs(own);
        assertThatThrownBy(() -> stage.actors.<String>actor("broken", TestSupport::unsafeNull))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("broken");
        assertThat(stage.actors.size()).isZero();
    }

    // ---------------------------------------------------------------- asks

    @Test
    void ask_answered_completesWithTheAnswer() {
        ActorRef<Get> ref =
                stage.actors.actor("store", () -> (get, self) -> get.reply().complete(get.key() + "!"));

        assertThat(resultOf(ref.<String>ask(reply -> new Get("k", reply), LONG)))
                .isEqualTo("k!");
    }

    @Test
    void ask_unanswered_failsAtItsLimitAndALaterAnswerIsRefused() {
        CompletableFuture<CompletableFuture<String>> kept = new CompletableFuture<>();
        ActorRef<Get> ref = stage.actors.actor("silent", () -> (get, self) -> kept.complete(get.reply()));
        CompletionStage<String> answer = ref.ask(reply -> new Get("k", reply), Duration.ofMillis(20));

        assertThatThrownBy(() -> resultOf(answer))
                .hasCauseInstanceOf(TimeoutException.class)
                .hasMessageContaining("silent");
        assertThat(resultOf(kept).complete("late")).isFalse();
    }

    @Test
    void ask_ofAnActorThatStops_failsAtOnceAndNotAtItsLimit() {
        CompletableFuture<CompletableFuture<String>> kept = new CompletableFuture<>();
        ActorRef<Get> ref = stage.actors.actor("keeper", () -> (get, self) -> kept.complete(get.reply()));
        CompletionStage<String> answer = ref.ask(reply -> new Get("k", reply), Duration.ofDays(1));
        resultOf(kept);
        ref.halt();

        assertThatThrownBy(() -> resultOf(answer)).hasCauseInstanceOf(ClosedException.class);
        ended(ref);
        assertThatThrownBy(() -> resultOf(ref.<String>ask(reply -> new Get("k", reply), LONG)))
                .hasCauseInstanceOf(ClosedException.class)
                .hasMessageContaining("keeper");
        assertThatThrownBy(() -> ref.offer(new Get("k", resultOf(kept)))).isInstanceOf(ClosedException.class);
    }

    @Test
    void ask_whoseTimePassesBeforeThereIsRoom_isNotSentAnyMore() {
        Stage two = new Stage(2); // one worker waits at the gate
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref =
                two.actors.actorBuilder("busy", () -> gate).capacity(1).build();
        gate.enter(ref);
        ref.offer("a");
        CompletionStage<String> answer = ref.ask(reply -> "late", Duration.ofMillis(20));

        assertThatThrownBy(() -> resultOf(answer)).hasCauseInstanceOf(TimeoutException.class);
        assertThat(two.spindle.waits()).isEmpty();
        gate.opened.countDown();
        two.actors.close();
        assertThat(gate.rest()).containsExactly("a");
        two.spindle.close();
    }

    @Test
    void ask_fromAnActor_comesToTheReplyLaneAsAMessage() {
        ActorRef<Get> store =
                stage.actors.actor("store", () -> (get, self) -> get.reply().complete(get.key() + "!"));
        CompletableFuture<String> got = new CompletableFuture<>();
        ActorRef<String> asker = stage.actors.actor("asker", () -> (message, self) -> {
            if (message.equals("go")) {
                self.ask(
                        store,
                        (CompletableFuture<String> reply) -> new Get("k", reply),
                        LONG,
                        (value, failure) -> "got " + value);
            } else {
                got.complete(message);
            }
        });
        asker.offer("go");

        assertThat(resultOf(got)).isEqualTo("got k!");
    }

    @Test
    void r2_replies_areServedWhileTheOutboxIsBlocked() {
        Stage.Gate gate = new Stage.Gate();
        CompletableFuture<String> piped = new CompletableFuture<>();
        CompletableFuture<String> seen = new CompletableFuture<>();
        List<String> requests = new ArrayList<>();
        Stage two = new Stage(2); // one worker waits at the gate
        ActorRef<String> full =
                two.actors.actorBuilder("full", () -> gate).capacity(1).build();
        gate.enter(full);
        full.offer("a");
        ActorRef<String> sender = two.actors.actor("sender", () -> (message, self) -> {
            switch (message) {
                case "go" -> {
                    self.pipe(piped, (value, failure) -> "reply " + value);
                    self.tell(full, "b");
                }
                case "request" -> requests.add(message);
                default -> {
                    assertThat(requests).isEmpty();
                    seen.complete(message);
                }
            }
        });
        sender.offer("go");
        sender.offer("request");
        while (two.spindle.waits().isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(two.spindle.waits().get(0).from().owner()).isEqualTo("actor sender");
        piped.complete("x");

        assertThat(resultOf(seen)).isEqualTo("reply x");
        gate.opened.countDown();
        sender.drain();
        ended(sender);
        full.drain();
        ended(full);
        assertThat(gate.rest()).containsExactly("a", "b");
        assertThat(requests).containsExactly("request");
        two.actors.close();
        two.spindle.close();
    }

    // ---------------------------------------------------------------- coalescing

    @Test
    void l1_conflate_takesThePlaceOfTheOneThatWaits() {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref = stage.actors
                .actorBuilder("gate", () -> gate)
                .capacity(2)
                .conflate(message -> message.startsWith("k") ? "k" : null)
                .build();
        gate.enter(ref);
        assertThat(ref.offer("k1")).isTrue();
        assertThat(ref.offer("a")).isTrue();
        assertThat(ref.offer("k2")).isTrue();
        assertThat(ref.offer("x")).isFalse();
        gate.opened.countDown();
        ref.drain();

        ended(ref);
        assertThat(gate.rest()).containsExactly("k2", "a");
        assertThat(stage.actors.stats().superseded()).isEqualTo(1);
    }

    // ---------------------------------------------------------------- ends

    @Test
    void stop_handlesWhatWasAcceptedAndRefusesWhoWaits() {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref = start(gate, 2);
        ref.offer("a");
        ref.offer("b");
        CompletionStage<@Nullable Void> waits = ref.sendAsync("c");
        ref.drain();

        assertThatThrownBy(() -> ref.offer("d")).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> resultOf(waits)).hasCauseInstanceOf(ClosedException.class);
        gate.opened.countDown();
        assertThat(resultOf(ref.terminated())).isNull();
        assertThat(gate.rest()).containsExactly("a", "b");
        assertThat(stage.dropped).isEmpty();
    }

    @Test
    void s1_halt_handsWhatWaitsToTheDropHandler() {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref = start(gate, 2);
        ref.offer("a");
        ref.offer("b");
        ref.halt();
        gate.opened.countDown();

        ended(ref);
        assertThat(gate.rest()).isEmpty();
        assertThat(stage.dropped).containsExactly("a", "b");
        assertThat(stage.actors.stats().dropped()).isEqualTo(2);
        assertThat(stage.actors.size()).isZero();
    }

    @Test
    void d1_shutdown_handlesWhatWasAccepted() throws Exception {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref = start(gate, 5);
        ref.offer("a");
        stage.spindle.shutdown();

        assertThatThrownBy(() -> ref.offer("b"))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("shut down");
        gate.opened.countDown();
        assertThat(stage.spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(gate.rest()).containsExactly("a");
        stage.actors.close(); // the spindle has ended, so this thread ends the actors
        assertThat(stage.actors.size()).isZero();
    }

    @Test
    void d1_shutdownNow_handsWhatWaitsToTheDropHandler() throws Exception {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref = start(gate, 5);
        ref.offer("a");
        gate.then = self -> Thread.currentThread().interrupt();
        stage.spindle.shutdownNow(); // interrupts the wait for the gate

        assertThat(stage.spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(gate.rest()).isEmpty();
        assertThat(stage.dropped).containsExactly("a");
        assertThat(endOf(ref)).isNotNull();
        assertThat(stage.takeFailure()).hasMessageContaining("interrupted");
    }
}
