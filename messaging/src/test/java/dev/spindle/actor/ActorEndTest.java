// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.until;
import static dev.spindle.actor.Stage.endOf;
import static dev.spindle.actor.Stage.ended;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.ClosedException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The messages that an actor still handles when it is halted or stopped, and the report of the failure that ends it.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorEndTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    @RegisterExtension
    final Stage stage = new Stage();

    private final AtomicInteger handled = new AtomicInteger();
    private final BlockingQueue<Object> log = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @ValueSource(strings = {"halt", "shutdownNow", "stop then halt"})
    void s1_haltInTheMidstOfABatch_isAfterTheMessageThatRuns(String how) {
        CountDownLatch begin = new CountDownLatch(1);
        stage.spindle.execute(() -> await(begin));
        ActorRef<Integer> ref = stage.actors.actor("halts", () -> (message, self) -> {
            handled.incrementAndGet();
            if (message == 20) { // by then a batch has sixteen messages
                switch (how) {
                    case "halt" -> self.ref().halt();
                    case "shutdownNow" -> stage.spindle.shutdownNow();
                    default -> {
                        self.ref().drain();
                        self.ref().halt();
                    }
                }
            }
        });
        for (int i = 1; i <= 100; i++) {
            assertThat(ref.offer(i)).isTrue();
        }
        begin.countDown();

        ended(ref);
        assertThat(handled).hasValue(20);
        assertThat(stage.dropped).hasSize(80).startsWith(21, 22);
    }

    @Test
    void send_interruptedWhenItIsRefusedAlready_throwsThatAndKeepsTheInterrupt() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        ActorRef<Integer> ref = stage.actors
                .<Integer>actorBuilder("full", () -> (message, self) -> {
                    begun.countDown();
                    await(open);
                })
                .capacity(1)
                .build();
        ref.send(1);
        await(begun);
        ref.send(2);
        CompletionStage<?> first = ref.sendAsync(3).whenComplete((sent, refused) -> {
            told.countDown();
            await(goOn); // the waiters behind it have left the queue and are not told yet
        });
        FutureTask<Boolean> sender = new FutureTask<>(() -> {
            try {
                ref.send(4);
                return false;
            } catch (ClosedException e) {
                return Thread.interrupted();
            }
        });
        Thread thread = new Thread(sender);
        thread.start();
        until(() -> thread.getState() == Thread.State.WAITING);
        Thread stopper = new Thread(ref::drain);
        stopper.start();
        await(told);
        thread.interrupt();
        until(() -> Stream.of(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("throwIfRefused")));
        goOn.countDown();

        assertThat(sender.get(20, TimeUnit.SECONDS)).as("its interrupt is set").isTrue();
        open.countDown();
        stopper.join();
        assertThat(first.toCompletableFuture()).isCompletedExceptionally();
        ended(ref);
    }

    @Test
    void s1_haltInTheMidstOfReplies_isAfterTheOneThatRuns() {
        CompletableFuture<String> piped = new CompletableFuture<>();
        ActorRef<Integer> ref = stage.actors.actor("halts", () -> (message, self) -> {
            if (message < 0) {
                for (int i = 1; i <= 30; i++) {
                    int number = i;
                    self.pipe(piped, (value, failure) -> number);
                }
                piped.complete("x");
            } else if (handled.incrementAndGet() == 5) {
                self.ref().halt();
            }
        });
        ref.offer(-1);

        ended(ref);
        assertThat(handled).hasValue(5);
    }

    // ---------------------------------------------------------------- back-off

    private ActorRef<String> backingOff() throws InterruptedException {
        AtomicInteger instances = new AtomicInteger();
        ActorRef<String> ref = stage.actors
                .<String>actorBuilder("backs off", () -> {
                    int instance = instances.incrementAndGet();
                    return (message, self) -> {
                        if (message.startsWith("fail")) {
                            throw new IllegalStateException("own");
                        }
                        log.add(message + " " + instance);
                    };
                })
                .supervision(Supervision.restart(9, LONG).backoff(LONG, LONG))
                .build();
        ref.offer("fail");
        assertThat(stage.takeFailure()).hasMessage("own");
        return ref;
    }

    @Test
    void stop_duringABackoffOfMinutes_endsAtOnce() throws Exception {
        ActorRef<String> ref = backingOff();
        ref.drain();

        assertThat(resultOf(ref.terminated())).isNull();
        assertThat(log).isEmpty();
    }

    @Test
    void stop_duringABackoffOfMinutes_handlesWhatWasAcceptedAtOnce() throws Exception {
        ActorRef<String> ref = backingOff();
        ref.offer("a");
        ref.offer("fail");
        ref.offer("b");
        ref.drain();

        assertThat(resultOf(ref.terminated())).isNull();
        assertThat(log).containsExactly("a 2", "b 3");
        assertThat(stage.takeFailure()).hasMessage("own");
        assertThat(stage.dropped).isEmpty();
    }

    @Test
    void stop_ofAnActorThatCannotBeginAgain_endsItAfterOneTry() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        ActorRef<String> ref = stage.actors
                .<String>actorBuilder("cannot begin", () -> {
                    if (tries.incrementAndGet() > 1) {
                        throw new IllegalStateException("no instance");
                    }
                    return (message, self) -> {
                        throw new IllegalStateException("own");
                    };
                })
                .supervision(Supervision.restart(Integer.MAX_VALUE, LONG).backoff(LONG, LONG))
                .build();
        ref.offer("x");
        assertThat(stage.takeFailure()).hasMessage("own");
        ref.offer("y");
        ref.drain();

        assertThat(endOf(ref)).hasMessage("no instance");
        assertThat(stage.takeFailure()).hasMessage("no instance");
        assertThat(tries).hasValue(2);
        assertThat(stage.dropped).containsExactly("y");
    }

    @Test
    void halt_duringABackoff_dropsWhatWaits() throws Exception {
        ActorRef<String> ref = backingOff();
        ref.offer("a");
        ref.halt();

        assertThat(resultOf(ref.terminated())).isNull();
        assertThat(stage.dropped).containsExactly("a");
    }

    // ---------------------------------------------------------------- the message that failed

    private final class Notes implements Actor<String> {
        @Override
        public void started(ActorContext<String> self) {
            self.schedule("timer", Duration.ofMillis(1));
        }

        @Override
        public void receive(String message, ActorContext<String> self) {
            if (!message.equals("timer")) {
                throw new IllegalStateException("own");
            }
        }

        @Override
        public void stopped(@Nullable Throwable cause, @Nullable String message) {
            log.add((cause == null ? "no cause" : cause.getMessage()) + " by " + message);
        }
    }

    @Test
    void stopped_afterAFailure_getsTheMessage() throws Exception {
        ActorRef<String> ref = stage.actors
                .actorBuilder("notes", Notes::new)
                .supervision(Supervision.restart(1, LONG))
                .build();
        ref.offer("a");
        ref.offer("b");

        assertThat(endOf(ref)).hasMessage("own");
        assertThat(log).containsExactly("own by a", "own by b");
        assertThat(stage.takeFailure()).hasMessage("own");
        assertThat(stage.takeFailure()).hasMessage("own");
        ActorRef<String> stops = stage.actors.actor("notes", Notes::new);
        stops.drain();
        assertThat(endOf(stops)).isNull();
        assertThat(log).endsWith("no cause by null");
    }

    @Test
    void failureHandler_getsTheMessageThatFailedAndTheNameOfTheActor() throws Exception {
        BlockingQueue<Object> reported = new LinkedBlockingQueue<>();
        try (dev.spindle.Spindle spindle = dev.spindle.Spindle.builder()
                .onFailure((activity, failure) -> {
                    reported.add(activity.owner());
                    reported.add(requireNonNull(activity.task()));
                    reported.add(String.valueOf(failure.getMessage()));
                })
                .build()) {
            Actors actors = Actors.create(spindle);
            Object message = new Object();
            ActorRef<Object> ref = actors.actor("fails", () -> new Actor<>() {
                @Override
                public void receive(Object got, ActorContext<Object> self) {
                    throw new IllegalStateException("own");
                }
            });
            ref.offer(message);
            ended(ref);

            assertThat(reported).containsExactly("actor fails", message, "own");
            ActorRef<String> sender = actors.actor("sender", () -> (text, self) -> self.tell(ref, text));
            reported.clear();
            sender.offer("lost");
            assertThat(reported.poll(20, TimeUnit.SECONDS)).isEqualTo("actor fails");
            assertThat(reported.poll(20, TimeUnit.SECONDS)).isEqualTo("lost");
        }
    }

    // ---------------------------------------------------------------- restarts

    /** The window of restarts slides: only restarts within it count. */
    @Test
    void restart_failuresSpreadWiderThanTheWindow_neverEndTheActor() {
        Supervision supervision = Supervision.restart(2, Duration.ofNanos(100));
        var before = new java.util.ArrayDeque<Long>();
        for (long now = 0; now < 10_000; now += 51) {
            assertThat(supervision.restart(before, now)).as("at " + now).isEqualTo(Duration.ZERO);
        }
        assertThat(before).hasSizeLessThanOrEqualTo(2);
        assertThat(supervision.restart(before, 10_000)).isNull();
    }
}
