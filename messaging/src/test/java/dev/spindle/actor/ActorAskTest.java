// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.until;
import static dev.spindle.actor.Stage.ended;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Asks and pipes of actors: the limit of open ones, and their memory. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorAskTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @RegisterExtension
    final Stage stage = new Stage();

    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    record Get(int number, CompletableFuture<Integer> reply) {}

    private ActorRef<String> asker(ActorRef<Get> target, int count, Duration limit) {
        AtomicInteger open = new AtomicInteger();
        return stage.actors.actor("asker", () -> (message, self) -> {
            switch (message) {
                case "ask" -> {
                    for (int i = 0; i < count; i++) {
                        int number = i;
                        open.incrementAndGet();
                        self.ask(
                                target,
                                (CompletableFuture<Integer> reply) -> new Get(number, reply),
                                limit,
                                (value, failure) -> failure == null ? "answer " + value : "failed " + failure);
                    }
                }
                case "open" -> seen.add("open " + open);
                default -> {
                    open.decrementAndGet();
                    seen.add(message);
                }
            }
        });
    }

    @Test
    void r2_asksBeyondThoseThatMayBeOpen_areHeldBackUntilAnswersCome() throws Exception {
        int count = 3 * OpenReplies.LIMIT + 7;
        AtomicInteger most = new AtomicInteger();
        List<Get> unanswered = new ArrayList<>();
        ActorRef<Get> target = stage.actors
                .<Get>actorBuilder("target", () -> (get, self) -> {
                    unanswered.add(get);
                    most.accumulateAndGet(unanswered.size(), Math::max);
                    if (unanswered.size() == OpenReplies.LIMIT || get.number() == count - 1) {
                        unanswered.forEach(one -> one.reply().complete(one.number()));
                        unanswered.clear();
                    }
                })
                .capacity(4 * OpenReplies.LIMIT)
                .build();
        ActorRef<String> asker = asker(target, count, LONG);
        asker.offer("ask");
        asker.offer("open"); // a request: handled when all held-back asks were sent

        List<String> all = new ArrayList<>();
        for (int i = 0; i <= count; i++) {
            String next = seen.poll(20, TimeUnit.SECONDS);
            assertThat(next).as("after " + i).isNotNull();
            all.add(next == null ? "" : next);
        }
        assertThat(most).hasValue(OpenReplies.LIMIT);
        assertThat(all.stream().filter(message -> message.startsWith("answer")))
                .hasSize(count)
                .doesNotHaveDuplicates()
                .startsWith("answer 0", "answer 1", "answer 2");
        String open = all.stream()
                .filter(message -> message.startsWith("open"))
                .findFirst()
                .orElse("");
        assertThat(Integer.parseInt(open.substring(5))).isLessThanOrEqualTo(OpenReplies.LIMIT);
        assertThat(asker.offer("open")).isTrue();
        assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("open 0");
    }

    @Test
    void r2_heldBackAsksWhoseTimePasses_failAndLeaveTheActorGoingOn() throws Exception {
        int count = OpenReplies.LIMIT + 500;
        AtomicInteger asked = new AtomicInteger();
        ActorRef<Get> target = stage.actors
                .<Get>actorBuilder("target", () -> (get, self) -> asked.incrementAndGet())
                .capacity(2 * count)
                .build();
        ActorRef<String> asker = asker(target, count, Duration.ofMillis(100));
        asker.offer("ask");
        for (int i = 0; i < count; i++) {
            assertThat(seen.poll(20, TimeUnit.SECONDS)).startsWith("failed java.util.concurrent.TimeoutException");
        }
        asker.offer("open");

        assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("open 0");
        until(() -> asked.get() >= OpenReplies.LIMIT);
        until(() -> stage.actors.busiest(9).isEmpty());
    }

    /** A tell behind a held-back ask keeps the order, and both are sent at the end of the actor. */
    @Test
    void r2_heldBackAsksOfAnActorThatIsHalted_areSentAllTheSame() {
        int count = OpenReplies.LIMIT + 5;
        AtomicInteger asked = new AtomicInteger();
        ActorRef<Get> target = stage.actors
                .<Get>actorBuilder("target", () -> (get, self) -> asked.incrementAndGet())
                .capacity(2 * count)
                .build();
        ActorRef<String> asker = asker(target, count, LONG);
        asker.offer("ask");
        until(() -> asked.get() == OpenReplies.LIMIT);
        CompletableFuture<?> unusedHalt = asker.halt();

        ended(asker);
        CompletableFuture<?> unusedDrain = target.drain();
        ended(target);
        assertThat(asked).hasValue(count);
        assertThat(stage.dropped).isEmpty();
    }

    @Test
    void r2_pipesBeyondThoseThatMayBeOpen_areRefusedAndThoseThatCameDoNotCount() {
        AtomicReference<@Nullable Throwable> refused = new AtomicReference<>();
        CompletableFuture<String> never = new CompletableFuture<>();
        CompletableFuture<String> done = new CompletableFuture<>();
        CountDownLatch arrived = new CountDownLatch(3 * OpenReplies.LIMIT);
        ActorRef<String> ref = stage.actors.actor("pipes", () -> (message, self) -> {
            switch (message) {
                case "round" -> {
                    for (int i = 0; i < OpenReplies.LIMIT; i++) {
                        self.pipe(CompletableFuture.completedFuture("x"), (value, failure) -> "arrived");
                    }
                }
                case "fill" -> {
                    try {
                        for (int i = 0; i <= OpenReplies.LIMIT; i++) {
                            self.pipe(never, (value, failure) -> "never");
                        }
                    } catch (IllegalStateException e) {
                        refused.set(e);
                    }
                    done.complete("");
                }
                default -> arrived.countDown();
            }
        });
        for (int i = 0; i < 3; i++) {
            assertThat(ref.offer("round")).isTrue();
            long left = (2L - i) * OpenReplies.LIMIT;
            until(() -> arrived.getCount() == left);
        }
        ref.offer("fill");
        resultOf(done);

        assertThat(refused.get()).hasMessageContaining("pipes").hasMessageContaining("" + OpenReplies.LIMIT);
    }

    // ---------------------------------------------------------------- memory

    @Test
    void u3_answeredAndFailedAsks_leaveNothingInTheActorThatWasAsked() {
        ActorRef<Get> target = stage.actors.actor("target", () -> (get, self) -> {
            if (get.number() == 0) {
                get.reply().complete(1);
            } else if (get.number() == 1) {
                get.reply().completeExceptionally(new IllegalStateException("own"));
            }
        });
        List<WeakReference<Object>> replies = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            askOnce(target, i, replies);
        }
        CompletableFuture<String> asked = new CompletableFuture<>();
        ActorRef<String> asker = stage.actors.actor("asker", () -> (message, self) -> {
            if (message.equals("ask")) {
                self.ask(
                        target,
                        (CompletableFuture<Integer> reply) -> {
                            replies.add(new WeakReference<>(reply));
                            return new Get(0, reply);
                        },
                        LONG,
                        (value, failure) -> "answer");
            } else {
                asked.complete(message);
            }
        });
        asker.offer("ask");
        resultOf(asked);

        until(() -> {
            System.gc();
            return replies.stream().allMatch(reply -> reply.get() == null);
        });
        assertThat(target.stats().pending() + asker.stats().pending()).isZero();
    }

    private static void askOnce(ActorRef<Get> target, int number, List<WeakReference<Object>> replies) {
        CompletionStage<Integer> answer = target.ask(
                reply -> {
                    replies.add(new WeakReference<>(reply));
                    return new Get(number, reply);
                },
                number == 2 ? Duration.ofMillis(20) : LONG);
        CompletionStage<Boolean> ended = answer.handle((value, failure) -> true);
        assertThat(resultOf(ended)).isTrue();
    }

    /** Actors and stages whose answers and results an actor awaited do not refer to it after its end. */
    @Test
    void u3_askerThatHasEnded_isKeptNeitherByWhatItAskedNorByWhatItPiped() {
        List<CompletableFuture<Integer>> open = new ArrayList<>();
        ActorRef<Get> target = stage.actors.actor("target", () -> (get, self) -> open.add(get.reply()));
        CompletableFuture<String> never = new CompletableFuture<>();
        WeakReference<Object> ended = startAndEnd(target, never);

        until(() -> {
            System.gc();
            return ended.get() == null;
        });
        assertThat(open).allMatch(CompletableFuture::isDone).hasSize(1);
        assertThat(never.complete("late")).isTrue();
    }

    private WeakReference<Object> startAndEnd(ActorRef<Get> target, CompletableFuture<String> never) {
        ActorRef<String> asker = stage.actors.actor("asker", () -> (message, self) -> {
            self.pipe(never, (value, failure) -> "piped");
            Future<?> unusedTimer = self.schedule("late", Duration.ofHours(1));
            self.ask(
                    target,
                    (CompletableFuture<Integer> reply) -> new Get(0, reply),
                    Duration.ofHours(1),
                    (value, failure) -> "answer");
        });
        asker.offer("ask");
        CompletableFuture<?> unusedDrain = asker.drain();
        ended(asker);
        stage.spindle.submit(() -> {}).join();
        return new WeakReference<>(asker);
    }
}
