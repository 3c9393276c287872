// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.actor.Stage.ended;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport;
import dev.spindle.Unfinished;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The futures that actors, references and contexts return. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorFuturesTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    @RegisterExtension
    final Stage stage = new Stage();

    private record Get(CompletableFuture<String> reply) {}

    @Test
    void s1_halt_returnsInOrderWhatWasAcceptedAndNotHandled() {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref = stage.actors.actor("gate", () -> gate);
        gate.enter(ref);
        ref.offer("a");
        ref.offer("b");
        CompletableFuture<Unfinished<String>> left = ref.halt();
        gate.opened.countDown();

        assertThat(resultOf(left).items()).containsExactly("a", "b");
        assertThat(resultOf(left)).hasToString("2 not run; 2 of actor gate");
        assertThat(stage.dropped).containsExactly("a", "b");
        assertThat(ref.terminated()).isCompletedWithValue(TestSupport.unsafeNull());
        assertThat(resultOf(ref.halt()).items()).containsExactly("a", "b");
    }

    @Test
    void s1_haltOfAllActors_returnsWhatAllOfThemHaveLeft() {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> first = stage.actors.actor("gate", () -> gate);
        ActorRef<String> second = stage.actors.actor("idle", Stage.Gate::new);
        gate.enter(first);
        first.offer("a");
        second.offer("b");
        CompletableFuture<Unfinished<Object>> left = stage.actors.halt();
        gate.opened.countDown();

        assertThat(resultOf(left).byOwner()).isEqualTo(Map.of("actor gate", List.of("a"), "actor idle", List.of("b")));
    }

    @Test
    void offer_withATimeout_waitsForRoomThatLong() throws Exception {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref =
                stage.actors.actorBuilder("gate", () -> gate).capacity(1).build();
        gate.enter(ref);

        assertThat(ref.offer("a", Duration.ZERO)).isTrue();
        assertThat(ref.offer("late", Duration.ofMillis(1))).isFalse();
        assertThat(ref.offer("late", Duration.ofMillis(-1))).isFalse();
        gate.opened.countDown();
        assertThat(ref.offer("b", LONG)).isTrue();
        ref.drain();
        ended(ref);
        assertThat(gate.rest()).containsExactly("a", "b");
    }

    @Test
    void a3_dependentsOfAnAsk_doNotRunInTheTurnOfTheActor() {
        AtomicBoolean inTurn = new AtomicBoolean();
        CountDownLatch attached = new CountDownLatch(1);
        ActorRef<Get> ref = stage.actors.actor("store", () -> (get, self) -> {
            TestSupport.await(attached);
            inTurn.set(true);
            get.reply().complete("x");
            inTurn.set(false);
        });
        CompletableFuture<Boolean> seen = ref.ask(Get::new, LONG).thenApply(answer -> inTurn.get());
        attached.countDown();

        assertThat(resultOf(seen)).isFalse();
    }

    @Test
    void ask_completedByTheCaller_cancelsTheFutureOfTheActor() {
        CompletableFuture<CompletableFuture<String>> given = new CompletableFuture<>();
        ActorRef<Get> ref = stage.actors.actor("store", () -> (get, self) -> given.complete(get.reply()));
        CompletableFuture<String> answer = ref.ask(Get::new, LONG);

        CompletableFuture<String> reply = resultOf(given);
        assertThat(reply).isNotDone();
        assertThat(answer.complete("own")).isTrue();
        assertThat(reply).isCancelled();
        assertThat(ref.actor().openAsks()).isEmpty();
    }

    @Test
    void terminated_cannotBeCompletedByItsUsers() {
        ActorRef<String> ref = stage.actors.actor("a", Stage.Gate::new);
        CompletableFuture<@Nullable Void> end = ref.terminated();

        assertThat(end.complete(null)).isFalse();
        assertThat(end.cancel(true)).isFalse();
        assertThat(end.completeExceptionally(new IllegalStateException())).isFalse();
        assertThat(end).isNotDone();
        resultOf(ref.drain());
        assertThat(end).isCompleted();
    }

    @Test
    void schedule_futureCompletesWithTheMessage_andIsCancelledAtTheEnd() {
        CompletableFuture<Future<?>> once = new CompletableFuture<>();
        CompletableFuture<Future<?>> never = new CompletableFuture<>();
        CompletableFuture<Boolean> handled = new CompletableFuture<>();
        ActorRef<String> ref = stage.actors.actor("timed", () -> (message, self) -> {
            switch (message) {
                case "set" -> {
                    once.complete(self.schedule("tick", Duration.ofMillis(1)));
                    never.complete(self.schedule("never", LONG));
                }
                default -> handled.complete(resultOf(once).isDone());
            }
        });
        ref.offer("set");

        assertThat(resultOf(handled)).isTrue();
        resultOf(ref.drain());
        assertThat(resultOf(once).isCancelled()).isFalse();
        assertThat(resultOf(never).isCancelled()).isTrue();
    }

    @Test
    void scheduleWithFixedDelay_cancelledByAnotherThread_repeatsNoMore() throws Exception {
        CountDownLatch three = new CountDownLatch(3);
        CompletableFuture<Future<?>> period = new CompletableFuture<>();
        ActorRef<String> ref = stage.actors.actor("timed", () -> (message, self) -> {
            if (message.equals("set")) {
                period.complete(self.scheduleWithFixedDelay("tick", Duration.ofMillis(1)));
            } else {
                three.countDown();
            }
        });
        ref.offer("set");
        TestSupport.await(three);

        assertThat(resultOf(period).cancel(false)).isTrue();
        resultOf(ref.drain());
    }
}
