// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.actor.Stage.ended;
import static dev.spindle.messaging.TestContext.in;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.messaging.TestContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** User code in actors begins without an interrupt, and in the context of its message or start (A4, M2). */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorTaskDecoratorTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private final Spindle spindle = Spindle.builder()
            .coreThreads(1)
            .maxThreads(1)
            .taskDecorator(new TestContext())
            .onFailure((activity, failure) -> note("failure"))
            .build();
    private final Actors actors = in(
            "group",
            () -> Actors.builder(spindle)
                    .onDrop((target, message) -> note("drop " + message))
                    .build());

    /** Records the context and the interrupt flag; leaves the flag set for the next user code. */
    private void note(String what) {
        seen.add(
                what + " in " + TestContext.current() + (Thread.currentThread().isInterrupted() ? " interrupted" : ""));
        Thread.currentThread().interrupt();
    }

    private List<String> taken() {
        List<String> all = new java.util.ArrayList<>();
        seen.drainTo(all);
        return all;
    }

    @AfterEach
    void close() throws InterruptedException {
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    private final class Noting implements Actor<String> {
        @Override
        public void started(ActorContext<String> self) {
            note("started");
        }

        @Override
        public void receive(String message, ActorContext<String> self) {
            note(message);
            if (message.startsWith("fail")) {
                throw new IllegalStateException(message);
            }
        }

        @Override
        public void stopped(@Nullable Throwable cause, @Nullable String unhandled) {
            note("stopped");
        }
    }

    @Test
    void a4_messages_areHandledInTheContextOfTheirSenders() throws Exception {
        CountDownLatch begin = new CountDownLatch(1);
        spindle.execute(() -> await(begin));
        ActorRef<String> ref = in(
                "starter",
                () -> actors.actorBuilder("noting", () -> {
                            note("factory");
                            return new Noting();
                        })
                        .conflate(message -> message.equals("old") || message.equals("new") ? "key" : null)
                        .supervision(Supervision.restart(1, LONG))
                        .build());
        assertThat(Thread.interrupted()).isTrue(); // set by the factory, in this thread
        assertThat(in("a", () -> ref.offer("first"))).isTrue();
        in("b", () -> ref.sendAsync("second"));
        assertThat(in("c", () -> ref.offer("old"))).isTrue();
        assertThat(in("d", () -> ref.offer("new"))).isTrue();
        in("e", () -> ref.<String>ask(reply -> "asked", LONG));
        assertThat(in("f", () -> ref.offer("fail"))).isTrue();
        assertThat(in("g", () -> ref.offer("fail again"))).isTrue();
        assertThat(in("h", () -> ref.offer("left"))).isTrue();
        begin.countDown();
        ended(ref);

        assertThat(taken())
                .containsExactly(
                        "factory in starter",
                        "started in starter",
                        "first in a",
                        "second in b",
                        "new in d",
                        "asked in e",
                        "fail in f",
                        "failure in none",
                        "stopped in starter",
                        "factory in starter",
                        "started in starter",
                        "fail again in g",
                        "failure in none",
                        "stopped in starter",
                        "drop left in h");
    }

    @Test
    void a4_repliesTimersAndWatches_areHandledInTheContextInWhichTheyWereAskedFor() throws Exception {
        CompletableFuture<String> piped = new CompletableFuture<>();
        CountDownLatch all = new CountDownLatch(6);
        ActorRef<CompletableFuture<String>> answers = actors.actor("answers", () -> (reply, self) -> {
            note("request");
            reply.complete("x");
        });
        ActorRef<String> dies = actors.actor("dies", () -> (message, self) -> {});
        ActorRef<String> ref = actors.actor("asks", () -> (message, self) -> {
            note(message);
            all.countDown();
            if (message.equals("go")) {
                self.<CompletableFuture<String>, String>ask(answers, reply -> reply, LONG, (value, failure) -> {
                    note("function of the ask");
                    return "answer";
                });
                self.pipe(piped, (value, failure) -> {
                    note("function of the pipe");
                    return "result";
                });
                self.schedule("timer", Duration.ofMillis(1));
                self.watch(dies, (failure, unhandled) -> "watch");
                self.watch(dies, (cause, failed) -> {
                    note("function of the watch");
                    return "watch made";
                });
            }
        });
        assertThat(in("go", () -> ref.offer("go"))).isTrue();
        spindle.submit(() -> {}).join();
        in("other", () -> piped.complete("x"));
        in("other", () -> {
            dies.drain();
            return dies;
        });
        await(all);

        assertThat(taken())
                .contains(
                        "request in go",
                        "function of the ask in go",
                        "answer in go",
                        "function of the pipe in go",
                        "result in go",
                        "timer in go",
                        "watch in go",
                        "function of the watch in go",
                        "watch made in go")
                .noneMatch(note -> note.endsWith("interrupted"));
    }

    @Test
    void a4_callbacksBetweenTwoMessages_beginWithoutTheInterruptOfTheOneBefore() throws Exception {
        CountDownLatch begin = new CountDownLatch(1);
        spindle.execute(() -> await(begin));
        ActorRef<String> ref = actors.<String>actorBuilder(
                        "noting",
                        () -> (message, self) -> Thread.currentThread().interrupt())
                .capacity(1)
                .build();
        assertThat(ref.offer("a")).isTrue();
        AtomicBoolean interrupted = new AtomicBoolean();
        List<CompletionStage<@Nullable Void>> stages = List.of(
                ref.sendAsync("b")
                        .thenRun(() -> interrupted.compareAndSet(
                                false, Thread.currentThread().isInterrupted())),
                ref.sendAsync("c")
                        .thenRun(() -> interrupted.compareAndSet(
                                false, Thread.currentThread().isInterrupted())));
        CompletionStage<@Nullable Void> end = ref.terminated()
                .thenAccept(exit ->
                        interrupted.compareAndSet(false, Thread.currentThread().isInterrupted()));
        begin.countDown();
        stages.forEach(dev.spindle.TestSupport::resultOf);
        ref.drain();
        resultOf(end);

        assertThat(interrupted).isFalse();
    }

    @Test
    void a4_shutdownNow_leavesTheInterruptOfItsCallerAsItIs() throws Exception {
        for (boolean set : new boolean[] {false, true}) {
            try (Spindle own = Spindle.builder().coreThreads(1).maxThreads(1).build()) {
                ActorRef<String> idle = Actors.create(own).actor("idle", Noting::new);
                own.submit(() -> {}).join();
                if (set) {
                    Thread.currentThread().interrupt();
                }
                own.shutdownNow();
                assertThat(Thread.interrupted()).isEqualTo(set);
                ended(idle);
            }
        }
        assertThat(taken()).noneMatch(note -> note.endsWith("interrupted"));
    }

    @Test
    void a4_dropHandlerInATurn_leavesTheInterruptOfThatTurnAsItIs() throws Exception {
        ActorRef<String> dead = actors.actor("dead", () -> (message, self) -> {});
        dead.drain();
        ended(dead);
        CompletableFuture<List<Boolean>> flags = new CompletableFuture<>();
        ActorRef<String> sender = actors.actor("sender", () -> (message, self) -> {
            self.tell(dead, "one");
            boolean first = Thread.currentThread().isInterrupted();
            Thread.currentThread().interrupt();
            self.tell(dead, "two");
            flags.complete(List.of(first, Thread.currentThread().isInterrupted()));
        });
        assertThat(in("sender", () -> sender.offer("go"))).isTrue();

        assertThat(resultOf(flags)).containsExactly(false, true);
        assertThat(taken()).containsExactly("drop one in sender", "drop two in sender");
    }

    @Test
    void m2_decoratorThatThrows_reachesTheSenderOrIsAFailureOfTheMessage() throws Exception {
        ActorRef<String> ref = actors.actorBuilder("noting", Noting::new)
                .supervision(Supervision.resume())
                .build();
        assertThatThrownBy(() -> in("bad", () -> ref.offer("lost"))).hasMessage("capture");
        assertThat(in("unusable", () -> ref.offer("not handled"))).isTrue();
        assertThat(in("a", () -> ref.offer("handled"))).isTrue();
        ref.drain();
        ended(ref);

        assertThat(taken()).containsExactly("started in none", "failure in none", "handled in a", "stopped in none");
    }
}
