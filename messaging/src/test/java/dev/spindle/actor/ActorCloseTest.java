// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a spindle whose actors have work: all accepted work is done, and no stage stays incomplete (D1). */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorCloseTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    @RegisterExtension
    final Stage stage = new Stage();

    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private final AtomicInteger handled = new AtomicInteger();

    private static void spin(long nanos) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < nanos) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void d1_close_handlesAllThatActorsPassOnOverAnyNumberOfHops(int workers) {
        Stage own = new Stage(workers);
        int hops = 5;
        int messages = 500;
        List<ActorRef<Integer>> chain = new ArrayList<>();
        for (int i = 0; i < hops; i++) {
            int hop = i;
            chain.add(own.actors
                    .<Integer>actorBuilder("hop " + i, () -> (message, self) -> {
                        spin(10_000);
                        if (message < 0) {
                            return; // an ask without an answer
                        }
                        if (hop + 1 == hops) {
                            handled.incrementAndGet();
                        } else if (message % 3 == 0) {
                            self.tell(chain.get(hop + 1), message);
                        } else if (message % 3 == 1) {
                            CompletionStage<@Nullable Void> unused =
                                    chain.get(hop + 1).sendAsync(message);
                        } else {
                            self.<Integer, Integer>ask(
                                    chain.get(hop + 1), reply -> message, LONG, (value, failure) -> -1);
                        }
                    })
                    .capacity(hop == 0 ? messages : 3) // small, so that outboxes are used
                    .build());
        }
        ActorRef<Integer> first = chain.get(0);
        for (int i = 0; i < messages; i++) {
            assertThat(first.offer(i)).isTrue();
        }
        own.spindle.close();

        assertThat(handled.get() + own.dropped.size()).isGreaterThanOrEqualTo(messages);
        assertThat(handled).hasValueGreaterThanOrEqualTo(messages);
        assertThat(own.dropped).isEmpty();
        assertThat(own.failures).isEmpty();
        chain.forEach(ref -> assertThat(ref.terminated().toCompletableFuture()).isDone());
        assertThat(own.actors.size()).isZero();
    }

    @Test
    void d1_close_answersAsksThatWereAcceptedAndRefusesThoseThatNobodyAnswers() {
        ActorRef<CompletableFuture<Integer>> answers = stage.actors
                .<CompletableFuture<Integer>>actorBuilder("answers", () -> (reply, self) -> {
                    spin(100_000);
                    reply.complete(handled.incrementAndGet());
                })
                .capacity(2_000)
                .build();
        ActorRef<CompletableFuture<Integer>> keeps = stage.actors.actor("keeps", () -> (reply, self) -> {});
        CompletionStage<Integer> unanswered = keeps.ask(reply -> reply, LONG);
        List<CompletionStage<Integer>> answered = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            answered.add(answers.ask(reply -> reply, LONG));
        }
        stage.spindle.close();

        assertThat(answered).allMatch(one -> one.toCompletableFuture().isDone());
        assertThat(answered.stream().map(one -> one.toCompletableFuture().join()))
                .hasSize(1_000)
                .doesNotHaveDuplicates();
        assertThatThrownBy(() -> resultOf(unanswered))
                .hasRootCauseInstanceOf(RejectedExecutionException.class)
                .rootCause()
                .hasMessageContaining("spindle stage is shut down")
                .hasMessageContaining("keeps");
    }

    @Test
    void d1_shutdownWhileAnActorWaitsForAnAnswer_bringsItTheRejectionAndEndsIt() throws Exception {
        ActorRef<CompletableFuture<Integer>> keeps = stage.actors.actor("keeps", () -> (reply, self) -> {});
        CountDownLatch asked = new CountDownLatch(1);
        ActorRef<String> asker = stage.actors.actor("asker", () -> (message, self) -> {
            if (message.equals("go")) {
                self.<CompletableFuture<Integer>, Integer>ask(
                        keeps, reply -> reply, LONG, (value, failure) -> "" + failure);
                asked.countDown();
            } else {
                seen.add(message);
            }
        });
        asker.offer("go");
        await(asked);
        stage.spindle.shutdown();

        assertThat(stage.spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(seen).hasSize(1).first().asString().contains("RejectedExecutionException");
        assertThat(asker.terminated().toCompletableFuture()).isDone();
    }

    @Test
    void d1_close_bringsResultsOfTasksThatWereAcceptedToActorsThatPipeThem() {
        ActorRef<String> ref = stage.actors.actor("pipes", () -> (message, self) -> {
            if (message.equals("go")) {
                self.pipe(
                        stage.spindle.<String>keyed("keys").submit("key", () -> {
                            spin(50_000_000);
                            return "result";
                        }),
                        (value, failure) -> "" + value);
            } else {
                seen.add(message);
            }
        });
        ref.offer("go");
        stage.spindle.submit(() -> {}).join();
        stage.spindle.close();

        assertThat(seen).containsExactly("result");
    }

    @Test
    void d1_close_waitsForTimersAndEndsPeriods() {
        ActorRef<String> ref = stage.actors.actor("timers", () -> new Actor<>() {
            @Override
            public void started(ActorContext<String> self) {
                self.schedule("timer", Duration.ofMillis(50));
                self.scheduleWithFixedDelay("every", Duration.ofHours(1));
            }

            @Override
            public void receive(String message, ActorContext<String> self) {
                seen.add(message);
            }
        });
        stage.spindle.submit(() -> {}).join();
        stage.spindle.close();

        assertThat(seen).containsExactly("timer");
        assertThat(ref.terminated().toCompletableFuture()).isDone();
    }

    @Test
    void a2_everyAfterAShutdown_isRefusedAndOneThatTicksThenIsNotSetAgain() {
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ActorRef<String> ref = stage.actors.actor("ticks", () -> new Actor<>() {
            @Override
            public void started(ActorContext<String> self) {
                self.scheduleWithFixedDelay("tick", Duration.ofNanos(1));
            }

            @Override
            public void receive(String message, ActorContext<String> self) {
                seen.add(message);
                inside.countDown();
                await(goOn);
                try {
                    self.scheduleWithFixedDelay("other", Duration.ofHours(1));
                } catch (RejectedExecutionException e) {
                    refused.complete(e);
                }
            }
        });
        await(inside);
        stage.spindle.shutdown();
        goOn.countDown();
        stage.spindle.close();

        assertThat(seen).containsExactly("tick");
        assertThat(resultOf(refused)).hasMessageContaining("shut down");
        assertThat(ref.terminated().toCompletableFuture()).isDone();
    }

    @Test
    void d1_shutdownDuringABackoff_handlesWhatWasAcceptedAtOnce() throws Exception {
        AtomicInteger instances = new AtomicInteger();
        ActorRef<String> ref = stage.actors
                .<String>actorBuilder("backs off", () -> {
                    int instance = instances.incrementAndGet();
                    return (message, self) -> {
                        if (message.equals("fail")) {
                            throw new IllegalStateException("own");
                        }
                        seen.add(message + " " + instance);
                    };
                })
                .supervision(Supervision.restart(9, LONG).backoff(LONG, LONG))
                .build();
        ref.offer("fail");
        assertThat(stage.takeFailure()).hasMessage("own");
        ref.offer("a");
        ref.offer("fail");
        ref.offer("b");
        stage.spindle.close();

        assertThat(seen).containsExactly("a 2", "b 3");
        assertThat(stage.takeFailure()).hasMessage("own");
        assertThat(ref.terminated().toCompletableFuture()).isDone();
    }

    @Test
    void f4_sendersThatWaitForRoomAtAShutdown_areRefusedAtOnce() throws Exception {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref =
                stage.actors.actorBuilder("gate", () -> gate).capacity(1).build();
        gate.enter(ref);
        ref.offer("a");
        CompletionStage<@Nullable Void> sent = ref.sendAsync("b");
        CompletionStage<String> asked = ref.ask(reply -> "c", LONG);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread sender = new Thread(() -> {
            try {
                ref.send("d");
            } catch (RejectedExecutionException | InterruptedException e) {
                thrown.complete(e);
            }
        });
        sender.start();
        dev.spindle.TestSupport.until(() -> stage.spindle.waits().size() == 3);
        stage.spindle.shutdown();

        assertThat(resultOf(thrown))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("shut down");
        assertThatThrownBy(() -> resultOf(sent)).hasRootCauseInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> resultOf(asked)).hasRootCauseInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> resultOf(ref.sendAsync("e"))).hasRootCauseInstanceOf(RejectedExecutionException.class);
        gate.opened.countDown();
        stage.spindle.close();
        assertThat(gate.rest()).containsExactly("a");
        assertThat(ref.terminated().toCompletableFuture()).isDone();
        sender.join();
    }

    @Test
    void d1_shutdownNow_leavesNoStageOpenAndDropsWhatWaits() throws Exception {
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref =
                stage.actors.actorBuilder("gate", () -> gate).capacity(2).build();
        gate.enter(ref);
        ref.offer("a");
        ActorRef<String> passesOn = stage.actors.actor("passes on", () -> (message, self) -> self.tell(ref, message));
        passesOn.offer("b");
        CompletionStage<String> asked = ref.ask(reply -> "c", LONG);
        CompletionStage<@Nullable Void> sent = ref.sendAsync("d");
        CompletionStage<@Nullable Void> stop = stage.actors.drain();
        stage.spindle.shutdownNow();

        assertThat(stage.spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        Stream.<CompletionStage<?>>of(asked, sent, stop, ref.terminated(), passesOn.terminated(), stage.actors.drain())
                .forEach(one -> assertThat(one.toCompletableFuture()).isDone());
        assertThat(gate.rest()).isEmpty();
        assertThat(stage.dropped).contains("a", "b");
        assertThat(stage.takeFailure()).hasMessageContaining("interrupted");
    }

    /** Each message that is accepted while another thread closes the spindle is handled. */
    @Test
    void f3_sendsThatRaceWithAShutdown_areHandledOrRefused() throws Exception {
        for (int round = 0; round < 200; round++) {
            Stage own = new Stage(2);
            AtomicInteger got = new AtomicInteger();
            ActorRef<Integer> second = own.actors.actor("second", () -> (message, self) -> got.incrementAndGet());
            ActorRef<Integer> first = own.actors.actor("first", () -> (message, self) -> self.tell(second, message));
            CountDownLatch begin = new CountDownLatch(1);
            CompletableFuture<Integer> accepted = CompletableFuture.supplyAsync(() -> {
                await(begin);
                int count = 0;
                try {
                    for (int i = 0; i < 1_000; i++) {
                        count += first.offer(i) ? 1 : 0;
                    }
                } catch (RejectedExecutionException e) {
                    // from now on
                }
                return count;
            });
            begin.countDown();
            own.spindle.close();

            assertThat(got.get() + own.dropped.size()).as("round " + round).isEqualTo(resultOf(accepted));
            assertThat(own.dropped).isEmpty();
            assertThat(second.terminated().toCompletableFuture()).isDone();
        }
    }

    @Test
    void d1_actorThatAsksAgainWheneverItIsRefused_endsAllTheSame() throws Exception {
        ActorRef<CompletableFuture<Integer>> keeps = stage.actors.actor("keeps", () -> (reply, self) -> {});
        ActorRef<String> asks = stage.actors.actor("asks", () -> (message, self) -> {
            handled.incrementAndGet();
            self.<CompletableFuture<Integer>, Integer>ask(keeps, reply -> reply, LONG, (value, failure) -> "again");
        });
        asks.offer("first");
        stage.spindle.submit(() -> {}).join();
        stage.spindle.shutdown();

        assertThat(stage.spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(handled).hasValueGreaterThan(1);
        assertThat(asks.terminated().toCompletableFuture()).isDone();
    }

    // ---------------------------------------------------------------- time limits of asks

    @Test
    void a3_askOfABusyWorker_endsInTime() {
        CountDownLatch open = new CountDownLatch(1);
        ActorRef<CompletableFuture<Integer>> ref = stage.actors.actor("never comes to it", () -> (reply, self) -> {});
        stage.spindle.execute(() -> await(open));
        CompletionStage<Integer> answer = ref.ask(reply -> reply, Duration.ofMillis(50));
        CompletionStage<String> failure = answer.handle((value, thrown) -> "" + thrown);

        assertThat(resultOf(failure)).contains("TimeoutException"); // while the only worker is busy
        open.countDown();
        stage.spindle.submit(() -> {}).join();
    }

    @Test
    void a3_actorsThatJoinAsksOfEachOther_endWithTheirTimeouts() {
        try (Spindle spindle = Spindle.create()) {
            Actors actors = Actors.create(spindle);
            ActorRef<CompletableFuture<Integer>> silent = actors.actor("silent", () -> (reply, self) -> {});
            int count = 80;
            CountDownLatch ended = new CountDownLatch(count);
            for (int i = 0; i < count; i++) {
                ActorRef<String> joins = actors.actor("joins", () -> (message, self) -> {
                    try {
                        silent.<Integer>ask(reply -> reply, Duration.ofMillis(200))
                                .toCompletableFuture()
                                .join();
                    } catch (java.util.concurrent.CompletionException e) {
                        if (e.getCause() instanceof TimeoutException) {
                            ended.countDown();
                        }
                    }
                });
                joins.offer("go");
            }
            await(ended);
            assertThat(ended.getCount()).isZero();
        }
    }

    @Test
    void d1_closeOfASimulation_endsItsActors() {
        Simulation simulation = Simulation.inOrder();
        Actors actors = Actors.create(simulation.spindle());
        ActorRef<Integer> last = actors.actor("last", () -> (message, self) -> handled.incrementAndGet());
        ActorRef<Integer> first = actors.actor("first", () -> (message, self) -> self.tell(last, message));
        ActorRef<CompletableFuture<Integer>> keeps = actors.actor("keeps", () -> (reply, self) -> {});
        CompletionStage<Integer> unanswered = keeps.ask(reply -> reply, LONG);
        for (int i = 0; i < 100; i++) {
            assertThat(first.offer(i)).isTrue();
        }
        simulation.spindle().close();

        assertThat(handled).hasValue(100);
        assertThat(unanswered.toCompletableFuture()).isCompletedExceptionally();
        assertThat(first.terminated().toCompletableFuture()).isDone();
        assertThat(actors.size()).isZero();
    }

    @Test
    void close_ofAThreadThatIsInterrupted_haltsTheActorsAndKeepsTheInterrupt() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        ActorRef<Integer> busy = stage.actors.actor("busy", () -> (message, self) -> {
            handled.incrementAndGet();
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                handled.addAndGet(10);
                throw e;
            }
        });
        busy.send(1);
        busy.send(2);
        await(entered);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread closer = new Thread(() -> {
            stage.actors.close();
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        closer.start();
        until(() -> closer.getState() == Thread.State.TIMED_WAITING);

        closer.interrupt();

        assertThat(interrupted.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(handled).as("one message, whose handler was interrupted").hasValue(11);
        assertThat(stage.takeFailure()).isInstanceOf(InterruptedException.class);
        assertThat(busy.terminated()).isCompleted();
    }
}
