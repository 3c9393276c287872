// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.until;
import static dev.spindle.TestSupport.usedBytes;
import static dev.spindle.actor.Stage.endOf;
import static dev.spindle.actor.Stage.ended;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Watches: their messages, their ends, and that watcher and target do not keep each other in memory. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class WatchTest {
    @RegisterExtension
    final Stage stage = new Stage();

    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    /** An actor that runs the tasks that it is sent, and records all other messages. */
    private ActorRef<Object> handy(String name) {
        return stage.actors.actor(name, () -> (message, self) -> {
            if (message instanceof Act act) {
                act.accept(null, self);
            } else {
                seen.add(name + " " + message);
            }
        });
    }

    private interface Act extends BiConsumer<@org.jspecify.annotations.Nullable Object, ActorContext<Object>> {}

    private void act(ActorRef<Object> by, java.util.function.Consumer<ActorContext<Object>> what) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        by.offer((Act) (nothing, self) -> {
            what.accept(self);
            done.complete(true);
        });
        assertThat(resultOf(done)).isTrue();
    }

    private ActorRef<String> failing() {
        return stage.actors.actor("failing", () -> (message, self) -> {
            throw new IllegalStateException("own " + message);
        });
    }

    @Test
    void watch_withAFunction_getsTheFailureAndTheMessageThatFailed() throws Exception {
        ActorRef<Object> watcher = handy("watcher");
        ActorRef<String> target = failing();
        act(watcher, self -> self.watch(target, (cause, message) -> cause + " by " + message));
        target.offer("bad");

        assertThat(seen.poll(20, TimeUnit.SECONDS))
                .isEqualTo("watcher java.lang.IllegalStateException: own bad by bad");
        assertThat(endOf(target)).hasMessage("own bad");
        assertThat(stage.takeFailure()).hasMessage("own bad");
        act(watcher, self -> self.watch(target, (cause, message) -> "late " + message));
        assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("watcher late bad");
    }

    @Test
    void watch_withAFunction_getsNullsOfAnActorThatWasStopped() throws Exception {
        ActorRef<Object> watcher = handy("watcher");
        ActorRef<String> target = stage.actors.actor("target", () -> (message, self) -> {});
        act(watcher, self -> self.watch(target, (cause, message) -> cause + " by " + message));
        target.offer("last");
        target.drain();

        assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("watcher null by null");
    }

    @Test
    void watch_whoseFunctionThrows_isAFailureOfTheWatcher() throws Exception {
        ActorRef<Object> watcher = handy("watcher");
        ActorRef<Object> target = handy("target");
        act(
                watcher,
                self -> self.watch(target, (cause, message) -> {
                    throw new IllegalStateException("own");
                }));
        target.drain();

        assertThat(endOf(watcher)).hasMessage("own");
        assertThat(stage.takeFailure()).hasMessage("own");
        assertThat(stage.dropped).isEmpty();
    }

    @Test
    void unwatch_beforeTheEnd_noMessageComes() {
        ActorRef<Object> watcher = handy("watcher");
        ActorRef<Object> first = handy("first");
        ActorRef<Object> second = handy("second");
        act(watcher, self -> {
            self.watch(first, (failure, message) -> "gone first");
            self.watch(first, (failure, message) -> "gone first again");
            self.watch(second, (failure, message) -> "gone second");
            self.unwatch(first);
            self.unwatch(first); // a second time, and a target that is not watched
            self.unwatch(watcher);
        });
        first.drain();
        ended(first);
        second.drain();
        ended(second);
        act(watcher, self -> {});

        assertThat(seen).containsExactly("watcher gone second");
    }

    @Test
    void unwatch_whenTheMessageWaitsAlready_itDoesNotCome() {
        ActorRef<Object> watcher = handy("watcher");
        ActorRef<Object> target = stage.actors.actor("target", () -> (message, self) -> {});
        target.drain();
        ended(target);
        act(watcher, self -> {
            self.watch(target, (failure, unhandled) -> "gone");
            self.watch(target, (failure, message) -> "gone again");
            self.unwatch(target);
        });
        act(watcher, self -> self.watch(target, (failure, message) -> "gone anew"));
        act(watcher, self -> {});

        assertThat(seen).containsExactly("watcher gone anew");
        assertThat(stage.dropped).isEmpty();
    }

    @Test
    void watch_twice_tellsTwiceInOrder() {
        ActorRef<Object> watcher = handy("watcher");
        ActorRef<Object> target = handy("target");
        act(watcher, self -> {
            self.watch(target, (failure, message) -> "one");
            self.watch(target, (failure, message) -> "two");
        });
        target.drain();
        ended(target);
        act(watcher, self -> {});

        assertThat(seen).containsExactly("watcher one", "watcher two");
    }

    @Test
    void watch_survivesARestartOfTheWatcher() throws Exception {
        ActorRef<Object> target = handy("target");
        ActorRef<String> watcher = stage.actors
                .<String>actorBuilder("watcher", () -> (message, self) -> {
                    switch (message) {
                        case "watch" -> self.watch(target, (failure, unhandled) -> "gone");
                        case "fail" -> throw new IllegalStateException("own");
                        default -> seen.add(message);
                    }
                })
                .supervision(Supervision.restart(3, java.time.Duration.ofMinutes(1)))
                .build();
        watcher.offer("watch");
        watcher.offer("fail");
        assertThat(stage.takeFailure()).hasMessage("own");
        target.drain();

        assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("gone");
    }

    // ---------------------------------------------------------------- memory

    @Test
    void u3_watchersThatHaveEnded_areNotKeptByWhatTheyWatched() throws Exception {
        ActorRef<Object> target = handy("target");
        int rounds = 20_000;
        watchAndEnd(target, 1_000);
        long before = usedBytes();

        watchAndEnd(target, rounds);

        assertThat(usedBytes() - before).as("bytes kept").isLessThan(rounds * 40L);
        target.drain();
        ended(target);
    }

    private void watchAndEnd(ActorRef<Object> target, int count) throws InterruptedException {
        CompletionStage<@Nullable Void> last = CompletableFuture.<@Nullable Void>completedFuture(null);
        for (int i = 0; i < count; i++) {
            ActorRef<String> watcher = stage.actors.actor("watcher", () -> new Actor<>() {
                @Override
                public void started(ActorContext<String> self) {
                    self.watch(target, (failure, unhandled) -> "gone");
                }

                @Override
                public void receive(String message, ActorContext<String> self) {}
            });
            watcher.drain();
            last = watcher.terminated();
        }
        resultOf(last);
    }

    @Test
    void u3_watchedActorsThatHaveEnded_areNotKeptByTheirWatcher() {
        ActorRef<Object> watcher = handy("watcher");
        List<WeakReference<ActorRef<Object>>> ended = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            boolean stops = i % 2 == 0;
            ActorRef<Object> target = handy("target");
            ended.add(new WeakReference<>(target));
            act(watcher, self -> {
                self.watch(target, (failure, unhandled) -> "gone");
                self.watch(target, (cause, message) -> "gone too");
                if (!stops) {
                    self.unwatch(target);
                }
            });
            target.drain();
            ended(target);
        }
        act(watcher, self -> {});

        assertThat(seen).hasSize(10);
        until(() -> {
            System.gc();
            return ended.stream().allMatch(ref -> ref.get() == null);
        });
        until(() -> watcher.stats().pending() == 0);
    }

    /** Every stage that depends on the end is kept until then, so all calls must share one. */
    @Test
    void u3_terminatedAskedForOften_keepsOneStage() {
        ActorRef<Object> ref = handy("asked");
        long before = usedBytes();
        int calls = 200_000;
        int stages = 0;
        for (int i = 0; i < calls; i++) {
            stages += ref.terminated() == null ? 0 : 1;
        }

        assertThat(stages).isEqualTo(calls);

        assertThat(usedBytes() - before).as("bytes kept").isLessThan(calls * 4L);
        assertThat(ref.stats().name()).isEqualTo("asked");
    }
}
