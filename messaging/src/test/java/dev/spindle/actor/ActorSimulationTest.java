// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actors in simulated time, in orders chosen by seeds. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorSimulationTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Actors oneByOne(Spindle spindle) {
        return Actors.builder(spindle).maxBatch(1).build();
    }

    /** Random actors with small mailboxes tell each other: every message is handled once, whatever the order. */
    @Test
    void r4_actorsThatTellEachOtherAtRandom_loseNothingInAnyOrder() {
        AtomicInteger overdrafts = new AtomicInteger();
        Simulation.explore(400, simulation -> {
            Actors actors = oneByOne(simulation.spindle());
            SplittableRandom random = new SplittableRandom(simulation.spindle().nanoTime());
            int size = random.nextInt(2, 6);
            List<ActorRef<Integer>> refs = new ArrayList<>();
            AtomicInteger tokens = new AtomicInteger();
            for (int i = 0; i < size; i++) {
                refs.add(actors.<Integer>actorBuilder("a" + i, () -> (hops, self) -> {
                            if (hops == 0) {
                                tokens.decrementAndGet();
                            } else {
                                self.tell(refs.get(random.nextInt(size)), hops - 1);
                                if (random.nextInt(4) == 0) {
                                    tokens.incrementAndGet();
                                    self.tell(refs.get(random.nextInt(size)), hops - 1);
                                }
                            }
                        })
                        .capacity(random.nextInt(1, 4))
                        .build());
            }
            for (int i = 0; i < 3 * size; i++) {
                tokens.incrementAndGet();
                CompletionStage<@Nullable Void> unused = refs.get(i % size).sendAsync(6);
            }
            simulation.run();

            assertThat(tokens).hasValue(0);
            assertThat(simulation.spindle().waits()).isEmpty();
            assertThat(actors.busiest(9)).isEmpty();
            overdrafts.addAndGet((int) actors.stats().overdrafts());
            CompletionStage<@Nullable Void> end = actors.drain();
            simulation.run();
            assertThat(end.toCompletableFuture()).isCompleted();
        });
        assertThat(overdrafts).hasPositiveValue();
    }

    /** A stop or halt at a random time: every accepted message is handled or dropped once, and the actor ends. */
    @Test
    void s1_stopAmidMessages_everyAcceptedOneIsHandledOrDropped() {
        Simulation.explore(300, simulation -> {
            AtomicInteger handled = new AtomicInteger();
            AtomicInteger dropped = new AtomicInteger();
            Actors actors = Actors.builder(simulation.spindle())
                    .maxBatch(1)
                    .onDrop((target, message) -> dropped.incrementAndGet())
                    .build();
            SplittableRandom random = new SplittableRandom(simulation.spindle().nanoTime());
            ActorRef<Integer> sink = actors.<Integer>actorBuilder(
                            "sink", () -> (message, self) -> handled.incrementAndGet())
                    .capacity(2)
                    .build();
            ActorRef<Integer> source = actors.actor("source", () -> (message, self) -> {
                for (int i = 0; i < message; i++) {
                    self.tell(sink, i);
                }
            });
            boolean unused = source.offer(random.nextInt(10));
            for (int i = random.nextInt(12); i > 0; i--) {
                simulation.step();
            }
            if (random.nextBoolean()) {
                sink.halt();
            } else {
                source.halt();
            }
            simulation.run();
            source.drain();
            sink.drain();
            simulation.run();

            assertThat(actors.size()).isZero();
            assertThat(dropped.get()).isEqualTo((int) actors.stats().dropped());
        });
    }

    private static boolean cancel(Map<String, Future<?>> timers, String name) {
        return Objects.requireNonNull(timers.get(name)).cancel(false);
    }

    @Test
    void timer_comesAtItsTimeOnceAndNotAfterACancel() {
        try (Simulation simulation = Simulation.inOrder()) {
            List<String> seen = new ArrayList<>();
            Map<String, Future<?>> timers = new HashMap<>();
            Actors actors = Actors.create(simulation.spindle());
            ActorRef<String> ref = actors.actor("timed", () -> (message, self) -> {
                seen.add(message + "@" + simulation.spindle().nanoTime() / 1_000_000_000);
                switch (message) {
                    case "set" -> {
                        self.schedule("a", SECOND.multipliedBy(3));
                        timers.put("b", self.schedule("b", SECOND));
                        timers.put("c", self.scheduleWithFixedDelay("c", SECOND.multipliedBy(2)));
                    }
                    case "cancel" -> {
                        assertThat(cancel(timers, "c")).isTrue();
                        assertThat(cancel(timers, "c")).isFalse();
                        assertThat(cancel(timers, "b")).isFalse();
                    }
                    default -> {}
                }
            });
            boolean unused = ref.offer("set");
            simulation.advance(SECOND.multipliedBy(5));
            unused = ref.offer("cancel");
            simulation.advance(SECOND.multipliedBy(5));

            assertThat(seen).containsExactly("set@0", "b@1", "c@2", "a@3", "c@4", "cancel@5");
        }
    }

    @Test
    void timer_whoseMessageWaits_doesNotComeAfterACancelOrARestart() {
        try (Simulation simulation =
                Simulation.inOrder(Spindle.builder().name("simulated").onFailure((activity, failure) -> {}))) {
            List<String> seen = new ArrayList<>();
            CompletableFuture<String> piped = new CompletableFuture<>();
            Map<String, Future<?>> timers = new HashMap<>();
            Actors actors =
                    Actors.builder(simulation.spindle()).maxBatch(1).build(); // timers are checked after each message
            ActorRef<String> ref = actors.<String>actorBuilder("timed", () -> (message, self) -> {
                        seen.add(message);
                        switch (message) {
                            case "set" -> timers.put("a", self.schedule("a", SECOND));
                            case "pipe" -> self.pipe(piped, (value, failure) -> value + "");
                            case "late" -> { // the tick enters the reply lane right behind the signal that cancels it
                                simulation.advance(SECOND);
                                piped.complete("cancel");
                            }
                            case "cancel" -> assertThat(cancel(timers, "a")).isTrue();
                            default -> throw new IllegalStateException(message);
                        }
                    })
                    .supervision(Supervision.restart(3, SECOND))
                    .build();
            for (String message : List.of("set", "pipe", "late", "set", "fail")) {
                assertThat(ref.offer(message)).isTrue();
            }
            simulation.advance(SECOND.multipliedBy(5));

            assertThat(seen).containsExactly("set", "pipe", "late", "cancel", "set", "fail");
        }
    }

    @Test
    void backoff_newInstanceComesWhenTheTimeHasPassed() {
        try (Simulation simulation =
                Simulation.inOrder(Spindle.builder().name("simulated").onFailure((activity, failure) -> {}))) {
            List<Long> starts = new ArrayList<>();
            Actors actors = Actors.create(simulation.spindle());
            ActorRef<String> ref = actors.<String>actorBuilder("fails", () -> new Actor<>() {
                        @Override
                        public void started(ActorContext<String> self) {
                            starts.add(simulation.spindle().nanoTime() / 1_000_000_000);
                        }

                        @Override
                        public void receive(String message, ActorContext<String> self) {
                            throw new IllegalStateException(message);
                        }
                    })
                    .supervision(Supervision.restart(3, Duration.ofMinutes(1)).backoff(SECOND, SECOND.multipliedBy(3)))
                    .build();
            for (int i = 0; i < 4; i++) {
                boolean unused = ref.offer("fail");
            }
            simulation.advance(Duration.ofSeconds(30));

            assertThat(starts).containsExactly(0L, 1L, 3L, 6L);
            assertThat(ref.terminated()).isCompletedExceptionally();
        }
    }

    @Test
    void send_onTheThreadOfATest_runsTheActorsThatMakeRoom() throws Exception {
        try (Simulation simulation = Simulation.seeded(7)) {
            AtomicInteger seen = new AtomicInteger();
            Actors actors = Actors.create(simulation.spindle());
            ActorRef<Integer> ref = actors.<Integer>actorBuilder(
                            "slow", () -> (message, self) -> seen.addAndGet(message))
                    .capacity(1)
                    .build();
            for (int i = 0; i < 10; i++) {
                ref.send(1);
            }
            actors.close();

            assertThat(seen).hasValue(10);
        }
    }

    @Test
    void orders_ofTwoActors_areAllThatKeepEachInOrder() {
        Set<String> orders = new HashSet<>();
        for (int seed = 0; seed < 2_000; seed++) {
            StringBuilder order = new StringBuilder();
            try (Simulation simulation = Simulation.seeded(seed)) {
                Actors actors = Actors.create(simulation.spindle());
                for (String names : List.of("abc", "ABC")) {
                    ActorRef<Character> ref = actors.actor(names, () -> (name, self) -> order.append(name));
                    names.chars()
                            .forEach(name -> assertThat(ref.offer((char) name)).isTrue());
                }
                simulation.run();
                actors.close();
            }
            orders.add(order.toString());
        }
        assertThat(orders).hasSize(20);
    }

    @Test
    void explore_actorThatFails_failsWithItsSeed() {
        assertThatThrownBy(() -> Simulation.explore(10, simulation -> {
                    Actors actors = Actors.create(simulation.spindle());
                    ActorRef<String> ref = actors.actor("fails", () -> (message, self) -> {
                        assertThat(message).isEmpty();
                    });
                    ref.send("message");
                    simulation.run();
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed 0 fails");
    }
}
