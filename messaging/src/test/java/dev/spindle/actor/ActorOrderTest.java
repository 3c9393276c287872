// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.until;
import static dev.spindle.actor.Stage.ended;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The order of messages of one sender to one target, whatever the method. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorOrderTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    /** The ways to send from a turn. */
    enum Way {
        TELL,
        OFFER,
        OFFER_LATEST,
        SEND_ASYNC,
        ASK_BY_REFERENCE,
        ASK;

        /** Sends, and returns whether the message was accepted or will be. */
        boolean send(ActorRef<String> target, String message, ActorContext<String> self) {
            switch (this) {
                case TELL -> self.tell(target, message);
                case OFFER -> {
                    return target.offer(message);
                }
                case OFFER_LATEST -> {
                    return target.offer(message);
                }
                case SEND_ASYNC -> {
                    CompletionStage<?> unused = target.sendAsync(message);
                }
                case ASK_BY_REFERENCE -> {
                    CompletionStage<?> unused = target.<String>ask(reply -> message, LONG);
                }
                case ASK -> self.<String, String>ask(target, reply -> message, LONG, (value, failure) -> "answer");
            }
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void r3_sendAfterATellThatWaits_comesAfterIt(Way way) throws Exception {
        Stage stage = new Stage(2); // one worker waits at the gate
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> target =
                stage.actors.actorBuilder("target", () -> gate).capacity(4).build();
        gate.enter(target);
        CompletableFuture<Boolean> sent = new CompletableFuture<>();
        ActorRef<String> sender = stage.actors.actor("sender", () -> (message, self) -> {
            if (message.equals("go")) {
                for (int i = 1; i <= 5; i++) {
                    self.tell(target, "" + i); // the last one waits in the outbox
                }
                gate.opened.countDown();
                until(() -> gate.seen.size() == 5 && target.stats().pending() == 0);
                sent.complete(way.send(target, "6", self));
            }
        });
        sender.offer("go");

        assertThat(resultOf(sent)).isTrue();
        sender.drain();
        ended(sender);
        target.drain();
        ended(target);
        assertThat(gate.rest()).containsExactly("1", "2", "3", "4", "5", "6");
        stage.afterEach(TestSupport.unsafeNull());
    }

    /** Two tells of each turn wait in the outbox; in all turns together, more than the outbox may hold. */
    @Test
    void r3_tellsThatWaitedAndWereHandedOver_countNoMore() throws Exception {
        Stage stage = new Stage();
        AtomicInteger seen = new AtomicInteger();
        ActorRef<String> target = stage.actors
                .<String>actorBuilder("target", () -> (message, self) -> seen.incrementAndGet())
                .capacity(1)
                .build();
        ActorRef<String> sender = stage.actors.actor("sender", () -> (message, self) -> {
            for (int i = 0; i < 3; i++) {
                self.tell(target, message);
            }
        });
        for (int i = 0; i < Outbox.LIMIT; i++) {
            sender.send("go");
        }
        until(() -> seen.get() == 3 * Outbox.LIMIT);
        stage.afterEach(TestSupport.unsafeNull());
    }

    /** A reply sends while the outbox waits for another mailbox. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void r3_sendBehindATellThatWaitsBehindAnother_comesAfterItOrFindsNoRoom(Way way) throws Exception {
        Stage stage = new Stage(3); // two workers wait at gates
        Stage.Gate closed = new Stage.Gate();
        ActorRef<String> full =
                stage.actors.actorBuilder("full", () -> closed).capacity(1).build();
        closed.enter(full);
        full.offer("a");
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        ActorRef<String> target = stage.actors.actor("target", () -> (message, self) -> seen.add(message));
        CompletableFuture<String> piped = new CompletableFuture<>();
        CompletableFuture<Boolean> sent = new CompletableFuture<>();
        ActorRef<String> sender = stage.actors.actor("sender", () -> (message, self) -> {
            switch (message) {
                case "go" -> {
                    self.pipe(piped, (value, failure) -> "piped");
                    self.tell(full, "b");
                    self.tell(target, "1"); // waits behind the previous one
                }
                case "piped" -> sent.complete(way.send(target, "2", self));
                default -> {}
            }
        });
        sender.offer("go");
        until(() -> stage.spindle.waits().size() == 1);
        piped.complete("x");

        boolean accepted = resultOf(sent);
        assertThat(accepted).isEqualTo(way != Way.OFFER && way != Way.OFFER_LATEST);
        assertThat(seen).isEmpty();
        closed.opened.countDown();
        sender.drain();
        ended(sender);
        target.drain();
        ended(target);
        assertThat(seen).containsExactlyElementsOf(accepted ? List.of("1", "2") : List.of("1"));
        stage.afterEach(TestSupport.unsafeNull());
    }

    /** User code only delivers messages that find room: the actor begins to wait after the turn. */
    @Test
    void r3_sendBehindATellThatWaits_beginsNoWaitWithinTheTurn() throws Exception {
        Stage stage = new Stage(2);
        Stage.Gate closed = new Stage.Gate();
        ActorRef<String> full =
                stage.actors.actorBuilder("full", () -> closed).capacity(1).build();
        closed.enter(full);
        full.offer("a");
        CompletableFuture<Integer> waits = new CompletableFuture<>();
        ActorRef<String> sender = stage.actors.actor("sender", () -> (message, self) -> {
            self.tell(full, "b");
            boolean unused = full.offer("c");
            waits.complete(stage.spindle.waits().size());
        });
        sender.offer("go");

        assertThat(resultOf(waits)).isZero();
        closed.opened.countDown();
        sender.drain();
        ended(sender);
        stage.afterEach(TestSupport.unsafeNull());
    }

    /** A message for which there is room is not delayed by messages in the outbox of another actor. */
    @Test
    void r3_sendOfAnotherActor_doesNotWaitForTheOutboxOfTheFirst() throws Exception {
        Stage stage = new Stage(3);
        Stage.Gate closed = new Stage.Gate();
        ActorRef<String> full =
                stage.actors.actorBuilder("full", () -> closed).capacity(1).build();
        closed.enter(full);
        full.offer("a");
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        ActorRef<String> target = stage.actors.actor("target", () -> (message, self) -> seen.add(message));
        ActorRef<String> waits = stage.actors.actor("waits", () -> (message, self) -> {
            self.tell(full, "b");
            self.tell(target, "late");
        });
        waits.offer("go");
        until(() -> stage.spindle.waits().size() == 1);
        ActorRef<String> other = stage.actors.actor("other", () -> (message, self) -> {
            assertThat(target.offer("other 1")).isTrue();
            self.tell(target, "other 2");
        });
        other.offer("go");
        other.drain();
        ended(other);
        assertThat(target.offer("outside")).isTrue();
        until(() -> seen.size() == 3);

        assertThat(seen).containsExactly("other 1", "other 2", "outside");
        closed.opened.countDown();
        waits.drain();
        ended(waits);
        stage.actors.close();
        assertThat(seen).hasSize(4).endsWith("late");
        stage.afterEach(TestSupport.unsafeNull());
    }

    @Test
    void r3_stageOfASendThatWentThroughTheOutbox_completesWhenItIsThereOrFails() throws Exception {
        Stage stage = new Stage(2);
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> target =
                stage.actors.actorBuilder("target", () -> gate).capacity(1).build();
        gate.enter(target);
        CompletableFuture<List<CompletionStage<@Nullable Void>>> sent = new CompletableFuture<>();
        ActorRef<String> sender = stage.actors.actor("sender", () -> (message, self) -> {
            self.tell(target, "1");
            self.tell(target, "2");
            sent.complete(List.of(target.sendAsync("3"), target.sendAsync("4")));
        });
        sender.offer("go");
        List<CompletionStage<@Nullable Void>> stages = resultOf(sent);
        until(() -> stage.spindle.waits().size() == 1);
        assertThat(stages).allMatch(one -> !one.toCompletableFuture().isDone());
        gate.then = self -> {
            if (gate.seen.size() == 4) {
                self.ref().halt();
            }
        };
        gate.opened.countDown();

        resultOf(stages.get(0));
        ended(target);
        CompletionStage<Boolean> last = stages.get(1).handle((done, failure) -> true);
        assertThat(resultOf(last)).isTrue(); // completed: admitted or refused
        sender.drain();
        ended(sender);
        assertThat(gate.rest()).containsExactly("1", "2", "3");
        stage.afterEach(TestSupport.unsafeNull());
    }

    /** An ask that times out in the outbox is not sent; the messages behind it are. */
    @Test
    void ask_whoseTimePassesInTheOutbox_isNotSentAndLetsOthersGo() throws Exception {
        for (Way way : List.of(Way.ASK, Way.ASK_BY_REFERENCE)) {
            Stage stage = new Stage(2);
            Stage.Gate gate = new Stage.Gate();
            ActorRef<String> target =
                    stage.actors.actorBuilder("target", () -> gate).capacity(1).build();
            gate.enter(target);
            BlockingQueue<String> seen = new LinkedBlockingQueue<>();
            ActorRef<String> free = stage.actors.actor("free", () -> (message, self) -> seen.add(message));
            CompletableFuture<CompletionStage<String>> asked = new CompletableFuture<>();
            ActorRef<String> sender = stage.actors.actor("sender", () -> (message, self) -> {
                if (message.equals("go")) {
                    Duration limit = Duration.ofMillis(30);
                    target.offer("1");
                    if (way == Way.ASK) {
                        self.<String, String>ask(target, reply -> "2", limit, (value, failure) -> "" + failure);
                    } else {
                        self.tell(target, "told");
                        asked.complete(target.ask(reply -> "2", limit));
                    }
                    self.tell(free, "3");
                }
            });
            sender.offer("go");
            if (way == Way.ASK) {
                assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("3");
            } else {
                CompletionStage<Boolean> ended = resultOf(asked).handle((value, failure) -> failure != null);
                assertThat(resultOf(ended)).isTrue();
            }
            gate.opened.countDown();
            sender.drain();
            ended(sender);
            stage.actors.close();
            assertThat(gate.rest()).doesNotContain("2").startsWith("1");
            stage.afterEach(TestSupport.unsafeNull());
        }
    }

    /** Two threads offer with one key; the next message of each arrives after its own value or a newer one. */
    @Test
    void l1_sendAfterALatestThatReplacedAnother_comesAfterIt() throws Exception {
        Stage stage = new Stage(1);
        int rounds = 3_000;
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        ActorRef<String> ref = stage.actors
                .<String>actorBuilder("latest", () -> (message, self) -> seen.add(message))
                .capacity(4 * rounds)
                .build();
        CyclicBarrier begin = new CyclicBarrier(2);
        CountDownLatch held = new CountDownLatch(1);
        stage.spindle.execute(() -> TestSupport.await(held)); // so that all messages wait in the mailbox
        Thread other = new Thread(() -> offerRounds(begin, rounds, ref, false));
        other.start();
        offerRounds(begin, rounds, ref, true);
        other.join();
        held.countDown();
        ref.drain();
        ended(ref);

        List<String> all = List.copyOf(seen);
        int at = 0;
        for (int round = 0; round < rounds; round++) {
            int mark = all.indexOf("mark " + round);
            int own = round;
            assertThat(all.subList(at, mark + 1))
                    .as("a value of round " + round + " before its mark")
                    .anyMatch(message -> message.startsWith("value " + own + " "));
            at = mark;
        }
        stage.afterEach(TestSupport.unsafeNull());
    }

    private static void offerRounds(CyclicBarrier begin, int rounds, ActorRef<String> ref, boolean marks) {
        for (int round = 0; round < rounds; round++) {
            try {
                begin.await();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            assertThat(ref.offer("value " + round + " " + marks)).isTrue();
            if (marks) {
                assertThat(ref.offer("mark " + round)).isTrue();
            }
        }
    }

    @Test
    void u3_latestMessagesThatWereHandled_leaveNoKey() throws Exception {
        Stage stage = new Stage(1);
        ActorRef<String> ref = stage.actors
                .<String>actorBuilder("latest", () -> (message, self) -> {})
                .conflate(message -> message)
                .build();
        for (int i = 0; i < 1_000; i++) {
            assertThat(ref.offer("x" + i)).isTrue();
        }
        until(() -> ref.stats().pending() == 0);

        until(() -> ref.actor().latest().isEmpty());
        stage.afterEach(TestSupport.unsafeNull());
    }
}
