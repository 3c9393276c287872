// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.actor.Stage.endOf;
import static dev.spindle.actor.Stage.ended;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures, restarts, watches, timers and pipes, on one worker. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class SupervisionTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    final Stage stage = new Stage();

    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private final AtomicInteger instances = new AtomicInteger();

    /** An actor that throws on demand, and records its messages and callbacks. */
    private final class Worker implements Actor<String> {
        private final int instance = instances.incrementAndGet();

        @Override
        public void started(ActorContext<String> self) {
            log.add("started " + instance);
        }

        @Override
        public void receive(String message, ActorContext<String> self) {
            if (message.startsWith("fail")) {
                throw new IllegalStateException(message);
            }
            log.add(message + " " + instance);
        }

        @Override
        public void stopped(@Nullable Throwable cause, @Nullable String unhandled) {
            log.add("stopped " + instance + (cause == null ? "" : " " + cause.getMessage()));
        }
    }

    private ActorRef<String> start(Supervision supervision) {
        return stage.actors
                .actorBuilder("worker", Worker::new)
                .supervision(supervision)
                .build();
    }

    private void expectFailures(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            assertThat(stage.takeFailure()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void f1_failureUnderStop_endsTheActorAndDropsTheRest() throws Exception {
        Stage.Gate gate = new Stage.Gate();
        stage.spindle.execute(() -> TestSupport.await(gate.opened));
        ActorRef<String> ref = start(Supervision.stop());
        ref.offer("fail");
        ref.offer("a");
        gate.opened.countDown();

        assertThat(endOf(ref)).hasMessage("fail");
        assertThat(log).containsExactly("started 1", "stopped 1 fail");
        assertThat(stage.dropped).containsExactly("a");
        expectFailures(1);
    }

    @Test
    void f1_failureUnderResume_goesOnWithTheSameInstance() throws Exception {
        ActorRef<String> ref = start(Supervision.resume());
        ref.offer("a");
        ref.offer("fail");
        ref.offer("b");
        ref.drain();

        ended(ref);
        assertThat(log).containsExactly("started 1", "a 1", "b 1", "stopped 1");
        expectFailures(1);
    }

    @Test
    void restart_goesOnWithANewInstanceAndKeepsTheMailbox() throws Exception {
        ActorRef<String> ref = start(Supervision.restart(5, MINUTE));
        ref.offer("a");
        ref.offer("fail");
        ref.offer("b");
        ref.drain();

        assertThat(resultOf(ref.terminated())).isNull();
        assertThat(log).containsExactly("started 1", "a 1", "stopped 1 fail", "started 2", "b 2", "stopped 2");
        assertThat(stage.dropped).isEmpty();
        expectFailures(1);
    }

    @Test
    void restart_moreOftenThanAllowed_endsTheActorWithTheLastFailure() throws Exception {
        ActorRef<String> ref = start(Supervision.restart(2, MINUTE));
        ref.offer("fail 1");
        ref.offer("fail 2");
        ref.offer("fail 3");

        assertThat(endOf(ref)).hasMessage("fail 3");
        assertThat(instances).hasValue(3);
        expectFailures(3);
    }

    @Test
    void restart_factoryThatThrows_countsAsAFailure() throws Exception {
        ActorRef<String> ref = stage.actors
                .<String>actorBuilder("worker", () -> {
                    if (instances.incrementAndGet() > 1) {
                        throw new IllegalStateException("no instance " + instances);
                    }
                    return (message, self) -> {
                        throw new IllegalStateException("own");
                    };
                })
                .supervision(Supervision.restart(3, MINUTE))
                .build();
        ref.offer("x");

        assertThat(endOf(ref)).hasMessage("no instance 4");
        expectFailures(4);
    }

    @Test
    void backoff_eachRestartWaitsTwiceAsLong_upToTheLongest() {
        Supervision supervision = Supervision.restart(9, MINUTE).backoff(Duration.ofMillis(10), Duration.ofMillis(50));
        var before = new java.util.ArrayDeque<Long>();
        List<@Nullable Duration> delays = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            delays.add(supervision.restart(before, i));
        }

        assertThat(delays)
                .startsWith(Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofMillis(40), Duration.ofMillis(50))
                .endsWith(Duration.ofMillis(50), (Duration) null);
        assertThat(supervision.restart(before, MINUTE.toNanos() + 20)).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void backoff_messagesAndRepliesWaitForTheNewInstance() throws Exception {
        CompletableFuture<String> piped = new CompletableFuture<>();
        ActorRef<String> ref = stage.actors
                .<String>actorBuilder("worker", () -> new Actor<>() {
                    private final Worker worker = new Worker();

                    @Override
                    public void receive(String message, ActorContext<String> self) {
                        if (message.equals("pipe")) {
                            self.pipe(piped, (value, failure) -> "reply " + value);
                        } else {
                            worker.receive(message, self);
                        }
                    }
                })
                .supervision(Supervision.restart(5, MINUTE).backoff(Duration.ofMillis(20), MINUTE))
                .build();
        ref.offer("pipe");
        ref.offer("fail");
        ref.offer("a");
        expectFailures(1);
        piped.complete("x");
        ref.drain();

        ended(ref);
        assertThat(log).containsExactly("reply x 2", "a 2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void watch_tellsOnceAfterAllThatTheDeadHasSent(boolean halts) {
        List<String> seen = new ArrayList<>();
        CompletableFuture<String> done = new CompletableFuture<>();
        CompletableFuture<ActorRef<String>> watched = new CompletableFuture<>();
        ActorRef<String> watcher = stage.actors
                .<String>actorBuilder("watcher", () -> new Actor<>() {
                    @Override
                    public void started(ActorContext<String> self) {
                        ActorRef<String> dying = stage.actors.actor("dying", () -> (message, own) -> {
                            for (int i = 0; i < 5; i++) {
                                own.tell(self.ref(), "last words");
                            }
                            if (halts) {
                                own.ref().halt();
                            } else {
                                own.ref().drain();
                            }
                        });
                        self.watch(dying, (failure, message) -> "gone");
                        watched.complete(dying);
                    }

                    @Override
                    public void receive(String message, ActorContext<String> self) {
                        seen.add(message);
                        if (message.equals("gone")) {
                            self.watch(resultOf(watched), (failure, unhandled) -> "gone already");
                        } else if (message.equals("gone already")) {
                            done.complete(message);
                        }
                    }
                })
                .capacity(1)
                .build();
        resultOf(watched).offer("die");

        resultOf(done);
        watcher.drain();
        ended(watcher);
        assertThat(seen)
                .containsExactly(
                        "last words", "last words", "last words", "last words", "last words", "gone", "gone already");
    }

    @Test
    void pipe_failureThatComesAsAMessage_isTheCause() {
        CompletableFuture<String> seen = new CompletableFuture<>();
        ActorRef<String> ref = stage.actors.actor("pipes", () -> (message, self) -> {
            if (message.equals("go")) {
                CompletableFuture<String> failed = CompletableFuture.supplyAsync(
                        () -> {
                            throw new IllegalStateException("own");
                        },
                        Runnable::run);
                self.pipe(failed, (value, failure) -> value + " " + failure);
            } else {
                seen.complete(message);
            }
        });
        ref.offer("go");

        assertThat(resultOf(seen)).isEqualTo("null java.lang.IllegalStateException: own");
    }

    @Test
    void pipe_whoseMessageCannotBeMade_isAFailure() throws Exception {
        ActorRef<String> ref = stage.actors.actor(
                "pipes",
                () -> (message, self) ->
                        self.pipe(CompletableFuture.completedFuture(1), (value, failure) -> TestSupport.unsafeNull()));
        ref.offer("go");

        assertThat(endOf(ref)).isInstanceOf(NullPointerException.class);
        assertThat(stage.failures.poll(20, TimeUnit.SECONDS)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void stop_duringBackoff_handlesWhatWasAcceptedAfterIt() throws Exception {
        ActorRef<String> ref = start(Supervision.restart(5, MINUTE).backoff(Duration.ofMillis(10), MINUTE));
        ref.offer("fail");
        ref.offer("a");
        expectFailures(1);
        ref.drain();

        ended(ref);
        assertThat(log).containsExactly("started 1", "stopped 1 fail", "started 2", "a 2", "stopped 2");
    }
}
