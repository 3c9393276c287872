// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.actor.Stage.endOf;
import static dev.spindle.actor.Stage.ended;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.CollectedLog;
import dev.spindle.CpuTime;
import dev.spindle.TestSupport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Actors that wait for room in each other's mailboxes: on one worker, every such cycle is resolved (R4). */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorRingTest {
    @TempDir
    Path directory;

    @RegisterExtension
    final Stage stage = new Stage();

    /** A ring whose actors each tell the next {@code flood} messages in one turn; each message goes round once. */
    private final class Ring {
        final List<ActorRef<Integer>> refs = new ArrayList<>();
        final AtomicLong handled = new AtomicLong();
        final CountDownLatch home;

        Ring(int size, int capacity, int flood) {
            home = new CountDownLatch(size * flood);
            for (int i = 0; i < size; i++) {
                int own = i;
                refs.add(stage.actors
                        .<Integer>actorBuilder("a" + i, () -> (hops, self) -> handle(own, hops, flood, self))
                        .capacity(capacity)
                        .build());
            }
        }

        private void handle(int own, int hops, int flood, ActorContext<Integer> self) {
            ActorRef<Integer> next = refs.get((own + 1) % refs.size());
            if (hops == 0) {
                for (int i = 0; i < flood; i++) {
                    self.tell(next, 1);
                }
                return;
            }
            handled.incrementAndGet();
            if (hops < refs.size()) {
                self.tell(next, hops + 1);
            } else {
                home.countDown();
            }
        }
    }

    static Stream<Arguments> rings() {
        List<Arguments> rings = new ArrayList<>();
        for (int size : new int[] {1, 2, 3, 7, 16, 64}) {
            for (int capacity : new int[] {1, 2, 5, 16}) {
                rings.add(Arguments.of(size, capacity));
            }
        }
        return rings.stream();
    }

    @ParameterizedTest
    @MethodSource("rings")
    void r4_ringThatFloodsItself_endsLosesNothingAndReportsTheOverdraft(int size, int capacity) throws Exception {
        int flood = 3 * capacity + 2;
        Ring ring = new Ring(size, capacity, flood);
        CountDownLatch all = new CountDownLatch(1);
        stage.spindle.execute(() -> TestSupport.await(all)); // so that all flood before any message is handled
        ring.refs.forEach(ref -> ref.offer(0));
        all.countDown();

        assertThat(ring.home.await(Stage.LIMIT_SECONDS, TimeUnit.SECONDS))
                .as("%s; %s", stage.spindle.waits(), ring.handled)
                .isTrue();
        stage.actors.close();
        assertThat(ring.handled).hasValue((long) size * size * flood);
        assertThat(stage.dropped).isEmpty();
        assertThat(stage.actors.stats().overdrafts()).isPositive();
    }

    /** On several workers, where cycles are closed while other edges change, each message is handled once. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8})
    void r4_tellsAtRandomOnSeveralWorkers_areHandledOnceEach(int size) throws Exception {
        Stage four = new Stage(4);
        int messages = 20_000;
        AtomicIntegerArray handled = new AtomicIntegerArray(messages);
        CountDownLatch home = new CountDownLatch(messages);
        List<ActorRef<Integer>> refs = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            SplittableRandom random = new SplittableRandom(i);
            refs.add(four.actors
                    .<Integer>actorBuilder("a" + i, () -> (message, self) -> {
                        if (message >= 0) {
                            self.tell(refs.get(random.nextInt(size)), -1 - message); // one more hop, the last
                        } else {
                            handled.incrementAndGet(-1 - message);
                            home.countDown();
                        }
                    })
                    .capacity(1)
                    .build());
        }
        List<Thread> senders = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int first = t;
            Thread sender = new Thread(() -> {
                for (int i = first; i < messages; i += 4) {
                    send(refs.get(i % size), i);
                }
            });
            sender.start();
            senders.add(sender);
        }
        for (Thread sender : senders) {
            sender.join();
        }
        assertThat(home.await(Stage.LIMIT_SECONDS, TimeUnit.SECONDS))
                .as("%s", four.spindle.waits())
                .isTrue();
        four.actors.close();
        for (int i = 0; i < messages; i++) {
            assertThat(handled.get(i)).isEqualTo(1);
        }
        four.spindle.close();
    }

    private static <M> void send(ActorRef<M> ref, M message) {
        try {
            ref.send(message);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void r4_amplifyingCycle_endsInANamedErrorInTime() throws Exception {
        List<ActorRef<Integer>> pair = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int other = 1 - i;
            pair.add(stage.actors
                    .<Integer>actorBuilder("amp" + i, () -> (message, self) -> {
                        self.tell(pair.get(other), message);
                        self.tell(pair.get(other), message);
                    })
                    .capacity(4)
                    .build());
        }
        CpuTime cpu = CpuTime.start();
        pair.get(0).offer(1);
        pair.get(1).offer(1);

        assertThat(stage.takeFailure())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching(".* (amp0 -> amp1 -> amp0|amp1 -> amp0 -> amp1);.*")
                .hasMessageContaining("overdraft of 1024");
        assertThat(cpu.nanos()).isLessThan(TimeUnit.SECONDS.toNanos(1));
        stage.actors.close();
    }

    @Test
    void r4_overdraft_isLoggedOnceAndRecordedWithTheCycle() throws Exception {
        Path file = directory.resolve("overdraft.jfr");
        List<String> logged;
        try (Recording recording = new Recording();
                CollectedLog.Recording log = CollectedLog.record()) {
            recording.start();
            CountDownLatch told = new CountDownLatch(3);
            ActorRef<Integer> self = stage.actors
                    .<Integer>actorBuilder("loop", () -> (message, context) -> {
                        for (int i = 0; i < message; i++) {
                            context.tell(context.ref(), 0);
                        }
                        if (message == 0) {
                            told.countDown();
                        }
                    })
                    .capacity(1)
                    .build();
            self.offer(3);
            TestSupport.await(told);
            stage.actors.close();
            recording.dump(file);
            logged = log.lines();
        }

        assertThat(stage.actors.stats().overdrafts()).isEqualTo(2);
        assertThat(logged).singleElement().asString().contains("loop -> loop");
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("dev.spindle.Overdraft"))
                .toList();
        assertThat(events).isNotEmpty().allSatisfy(event -> {
            assertThat(event.getString("spindle")).isEqualTo("stage");
            assertThat(event.getString("cycle")).isEqualTo("loop -> loop");
        });
        assertThat(events.stream().mapToInt(event -> event.getInt("messages")).sum())
                .isEqualTo(2);
    }

    @Test
    void r4_withoutOverdraft_failsTheSenderWithThePath() throws Exception {
        ActorRef<Integer> self = stage.actors
                .<Integer>actorBuilder("strict", () -> (message, context) -> {
                    context.tell(context.ref(), message - 1);
                    context.tell(context.ref(), message - 1);
                })
                .capacity(1)
                .overdraft(0)
                .build();
        self.offer(5);

        assertThat(stage.takeFailure())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("strict -> strict;");
        assertThat(endOf(self)).isInstanceOf(IllegalStateException.class);
        assertThat(stage.dropped).hasSize(2);
    }

    @Test
    void r4_resumedAmplifier_goesOnWithinItsBounds() throws Exception {
        AtomicLong handled = new AtomicLong();
        ActorRef<Integer> ref = stage.actors
                .<Integer>actorBuilder("resumed", () -> (message, self) -> {
                    handled.incrementAndGet();
                    if (handled.get() < 10_000) {
                        self.tell(self.ref(), message);
                        self.tell(self.ref(), message);
                    }
                })
                .capacity(2)
                .overdraft(3)
                .supervision(Supervision.resume())
                .build();
        ref.offer(1);
        while (handled.get() < 10_000 || ref.stats().pending() > 0) {
            assertThat(ref.stats().pending()).isLessThanOrEqualTo(2 + 3);
            Thread.onSpinWait();
        }
        stage.actors.close();

        assertThat(stage.failures).isNotEmpty().allMatch(IllegalStateException.class::isInstance);
        assertThat(stage.dropped).hasSameSizeAs(stage.failures);
        stage.failures.clear();
    }

    @Test
    void r3_tellsOfOneTurnBeyondTheOutbox_failThatTurn() throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> target =
                stage.actors.actorBuilder("target", () -> gate).capacity(1).build();
        ActorRef<Integer> sender = stage.actors.actor("sender", () -> (message, self) -> {
            try {
                for (int i = 0; i < message; i++) {
                    self.tell(target, "x");
                }
            } catch (IllegalStateException e) {
                thrown.complete(e);
            }
        });
        sender.offer(2 + Outbox.LIMIT);

        assertThat(resultOf(thrown)).hasMessageContaining("sender").hasMessageContaining("target");
        gate.opened.countDown();
        sender.drain();
        ended(sender);
        target.drain();
        ended(target);
        assertThat(gate.seen).hasSize(1 + Outbox.LIMIT);
    }

    @Test
    void s1_haltOfAnActorThatOthersWaitFor_letsThemGoOn() {
        Stage.Gate gate = new Stage.Gate();
        Stage two = new Stage(2); // one worker waits at the gate
        ActorRef<String> full =
                two.actors.actorBuilder("full", () -> gate).capacity(1).build();
        gate.enter(full);
        full.offer("a");
        CompletableFuture<String> served = new CompletableFuture<>();
        ActorRef<String> sender = two.actors.actor("sender", () -> (message, self) -> {
            if (message.equals("go")) {
                self.tell(full, "b");
                self.tell(full, "c");
            } else {
                served.complete(message);
            }
        });
        sender.offer("go");
        sender.offer("next");
        CompletionStage<@Nullable Void> outside = full.sendAsync("d");
        while (two.spindle.waits().size() < 2) {
            Thread.onSpinWait();
        }
        full.halt(); // refuses the waiting senders at once, during a turn

        assertThat(resultOf(served)).isEqualTo("next");
        assertThat(outside.toCompletableFuture()).isCompletedExceptionally();
        gate.opened.countDown();
        two.actors.close();
        assertThat(two.dropped).containsExactlyInAnyOrder("a", "b", "c");
        two.spindle.close();
    }
}
