// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.actor.Stage.ended;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.ClosedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * User code around actors may block, throw or call back in, and delays at most what the table of callbacks says.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorCallbackTest {
    private final Stage stage = new Stage(2);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch inside = new CountDownLatch(1);

    private void block() {
        inside.countDown();
        await(goOn);
    }

    /** While user code blocks, another actor handles a message; when the code continues, all actors end. */
    private void expectOthersGoOn() {
        await(inside);
        CompletableFuture<String> seen = new CompletableFuture<>();
        ActorRef<String> other = stage.actors.actor("other", () -> (message, self) -> seen.complete(message));
        other.offer("x");
        assertThat(resultOf(seen)).isEqualTo("x");
    }

    private void end() throws InterruptedException {
        goOn.countDown();
        stage.actors.close();
        stage.spindle.shutdown();
        assertThat(stage.spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(stage.failures).isEmpty();
    }

    @Test
    void u1_receiveThatBlocks_holdsUpItsActorAlone() throws Exception {
        ActorRef<String> ref = stage.actors.actor("blocks", () -> (message, self) -> block());
        ref.offer("a");

        expectOthersGoOn();
        end();
        assertThat(stage.failures).isEmpty();
    }

    @Test
    void u1_callbackOfAnAskThatBlocks_holdsUpTheActorThatAnswersAlone() throws Exception {
        ActorRef<CompletableFuture<String>> ref =
                stage.actors.actor("answers", () -> (reply, self) -> reply.complete("x"));
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) { // so that the callback is registered before the answer
            stage.spindle.execute(() -> {
                busy.countDown();
                await(asked);
            });
        }
        await(busy); // the actor's first turn may last until then
        CompletionStage<@Nullable Void> unused =
                ref.<String>ask(reply -> reply, Duration.ofMinutes(1)).thenAccept(answer -> block());
        asked.countDown();

        expectOthersGoOn();
        end();
    }

    @Test
    void u1_callbackOfASend_mayCallBackIn() throws Exception {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref =
                stage.actors.actorBuilder("gate", () -> gate).capacity(1).build();
        gate.enter(ref);
        ref.offer("a");
        CompletionStage<@Nullable Void> chain =
                ref.sendAsync("b").thenCompose(sent -> ref.sendAsync("c")).thenRun(ref::drain);
        gate.opened.countDown();

        resultOf(chain);
        ended(ref);
        assertThat(gate.rest()).containsExactly("a", "b", "c");
        end();
    }

    @Test
    void u1_callbackOfTheEndThatBlocksOrThrows_holdsUpOnlyWhatWaitsForThatEnd() throws Exception {
        ActorRef<String> ref = stage.actors.actor("ends", () -> (message, self) -> {});
        CompletionStage<@Nullable Void> thrown = ref.terminated().thenAccept(exit -> {
            throw new IllegalStateException("own");
        });
        CompletionStage<@Nullable Void> blocked = ref.terminated().thenAccept(exit -> block());
        ref.drain();

        expectOthersGoOn();
        goOn.countDown();
        resultOf(blocked);
        CompletionStage<Boolean> failed = thrown.handle((done, failure) -> failure != null);
        assertThat(resultOf(failed)).isTrue();
        end();
    }

    @Test
    void u1_dropHandlerThatThrows_isReportedAndTheNextMessageFollows() throws Exception {
        Actors own = Actors.builder(stage.spindle)
                .onDrop((target, message) -> {
                    throw new IllegalStateException("drop " + message);
                })
                .build();
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref = own.actor("gate", () -> gate);
        gate.enter(ref);
        ref.offer("a");
        ref.offer("b");
        ref.halt();
        gate.opened.countDown();

        ended(ref);
        assertThat(stage.takeFailure()).hasMessage("drop a");
        assertThat(stage.takeFailure()).hasMessage("drop b");
        assertThat(own.stats().dropped()).isEqualTo(2);
        end();
    }

    @Test
    void u1_dropHandlerNotSet_reportsTheActorAndTheTypeOfTheMessage() throws Exception {
        ActorRef<String> ref = Actors.create(stage.spindle).actor("dead", () -> (message, self) -> {});
        ref.halt();
        ended(ref);
        ActorRef<String> sender = stage.actors.actor("sender", () -> (message, self) -> self.tell(ref, message));
        sender.offer("x");

        assertThat(stage.takeFailure())
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("dead")
                .hasMessageContaining("java.lang.String");
        end();
    }

    @Test
    void u1_stoppedThatThrowsOrTells_isReportedAndItsMessageArrives() throws Exception {
        CompletableFuture<String> seen = new CompletableFuture<>();
        ActorRef<String> heir = stage.actors.actor("heir", () -> (message, self) -> seen.complete(message));
        AtomicReference<@Nullable ActorContext<String>> own = new AtomicReference<>();
        ActorRef<String> ref = stage.actors.actor("ends", () -> new Actor<>() {
            @Override
            public void started(ActorContext<String> self) {
                own.set(self);
            }

            @Override
            public void receive(String message, ActorContext<String> self) {}

            @Override
            public void stopped(@Nullable Throwable cause, @Nullable String unhandled) {
                ActorContext<String> self = own.get();
                if (self != null) {
                    self.tell(heir, "last");
                }
                throw new IllegalStateException("own");
            }
        });
        ref.drain();

        assertThat(resultOf(seen)).isEqualTo("last");
        assertThat(stage.takeFailure()).hasMessage("own");
        assertThat(resultOf(ref.terminated())).isNull();
        end();
    }

    @Test
    void u1_keyCodeOfALatestMessageThatThrows_reachesTheSender() throws Exception {
        Object key = new Object() {
            @Override
            public int hashCode() {
                throw new IllegalStateException("own");
            }
        };

        ActorRef<String> ref = stage.actors
                .<String>actorBuilder("latest", () -> (message, self) -> {})
                .conflate(message -> key)
                .build();
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> ref.offer("x")).hasMessage("own");
        end();
    }
}
