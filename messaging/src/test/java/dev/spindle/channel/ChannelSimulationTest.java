// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Channels in simulated time, in orders chosen by seeds. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelSimulationTest {
    /** Random tasks send to channels, and consumers receive from them: each value arrives once, and in order. */
    @Test
    void c1_sendersAndConsumersInAnyOrder_passEachValueOnce() {
        Simulation.explore(300, simulation -> {
            Spindle spindle = simulation.spindle();
            SplittableRandom random = new SplittableRandom(simulation.spindle().nanoTime());
            int capacity = random.nextInt(4);
            Channel<Integer> channel =
                    capacity == 0 ? Channel.rendezvous("channel") : Channel.buffered("channel", capacity);
            List<Integer> seen = new ArrayList<>();
            int consumers = random.nextInt(1, 4);
            List<CompletableFuture<@Nullable Void>> ends = new ArrayList<>();
            for (int i = 0; i < consumers; i++) {
                ends.add(channel.forEach(spindle.strand("consumer " + i), seen::add));
            }
            Strand sender = spindle.strand("sender");
            AtomicInteger sent = new AtomicInteger();
            for (int i = 0; i < 20; i++) {
                int value = i;
                CompletableFuture<?> unused =
                        sender.submitAsync(() -> channel.sendAsync(value).thenRun(sent::incrementAndGet));
            }
            simulation.run();
            channel.close();
            simulation.run();

            assertThat(sent).hasValue(20);
            assertThat(seen).hasSize(20).doesNotHaveDuplicates();
            if (consumers == 1) {
                assertThat(seen).isSorted();
            }
            assertThat(ends).allMatch(end -> end.isDone() && !end.isCompletedExceptionally());
        });
    }

    @Test
    void c1_selectsOfTasks_drawTheSameForTheSameSeed() {
        for (long seed : List.of(1L, 2L, 3L)) {
            assertThat(draws(seed)).isEqualTo(draws(seed));
        }
    }

    @Test
    void c1_fairSelectsOverNewChannels_areExploredAndReplayed() {
        Set<String> explored = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            String first = firstDraw(seed);
            assertThat(firstDraw(seed)).isEqualTo(first);
            explored.add(first);
        }
        assertThat(explored).containsExactlyInAnyOrder("a by task", "b by task", "a by stage", "b by stage");
    }

    private static String firstDraw(long seed) {
        try (Simulation simulation = Simulation.seeded(seed)) {
            Channel<String> a = Channel.buffered("a", 1);
            Channel<String> b = Channel.buffered("b", 1);
            assertThat(a.offer("a") && b.offer("b")).isTrue();
            Select<String> select =
                    Select.<String>fair().receive(a, value -> value).receive(b, value -> value);
            if (seed % 2 == 0) {
                return result(select.awaitAsync(simulation.spindle())) + " by stage";
            }
            List<String> drawn = new ArrayList<>();
            simulation.spindle().execute(() -> drawn.add(select.orElse(() -> "none")));
            simulation.run();
            return drawn.get(0) + " by task";
        }
    }

    private static List<String> draws(long seed) {
        List<String> drawn = new ArrayList<>();
        try (Simulation simulation = Simulation.seeded(seed)) {
            Channel<Integer> even = Channel.buffered("even", 50);
            Channel<Integer> odd = Channel.buffered("odd", 50);
            for (int i = 0; i < 100; i++) {
                int value = i;
                simulation.spindle().execute(() -> {
                    CompletableFuture<@Nullable Void> unused = (value % 2 == 0 ? even : odd).sendAsync(value);
                });
            }
            for (int i = 0; i < 100; i++) {
                simulation.spindle().execute(() -> {
                    CompletableFuture<@Nullable Void> unused = Select.<String>fair()
                            .receive(even, value -> "even " + value)
                            .receive(odd, value -> "odd " + value)
                            .awaitAsync()
                            .thenAccept(drawn::add);
                });
            }
            simulation.run();
        }
        assertThat(drawn).hasSize(100);
        return drawn;
    }

    @Test
    void c1_timeLimitOfASelect_passesInSimulatedTime() throws Exception {
        try (Simulation simulation = Simulation.seeded(7)) {
            Channel<String> channel = Channel.rendezvous("channel");
            CompletableFuture<String> select = Select.<String>fair()
                    .receive(channel, value -> value)
                    .onTimeout(Duration.ofMinutes(3), () -> "late")
                    .awaitAsync(simulation.spindle());

            assertThat(simulation.await(select)).isEqualTo("late");
            assertThat(channel.core().waitingReceivers()).isZero();
        }
    }

    // ---------------------------------------------------------------- waits of the test

    @Test
    void sendAndReceive_byTheTest_runTheTasksAtTheOtherEnd() {
        Simulation.explore(50, simulation -> {
            Channel<Integer> there = Channel.rendezvous("there");
            Channel<Integer> back = Channel.rendezvous("back");
            CompletableFuture<?> unused = there.forEach(simulation.spindle().strand("echo"), value -> {
                CompletableFuture<?> unusedSend = back.sendAsync(value + 1);
            });
            for (int i = 0; i < 10; i++) {
                there.send(i);
                assertThat(back.receive()).isEqualTo(i + 1);
            }
            there.close();
        });
    }

    @Test
    void receive_withALimit_endsInSimulatedTime() throws Exception {
        try (Simulation simulation = Simulation.inOrder()) {
            Channel<Integer> channel = Channel.rendezvous("channel");

            assertThat(channel.poll(Duration.ofHours(1))).isNull();
            assertThat(channel.offer(1, Duration.ofHours(1))).isFalse();
            assertThat(simulation.spindle().nanoTime())
                    .isEqualTo(Duration.ofHours(2).toNanos());
            assertThat(channel.core().waitingReceivers()).isZero();
        }
    }

    @Test
    void receive_ofAnotherThreadsValue_waitsForIt() throws Exception {
        try (Simulation simulation = Simulation.inOrder()) {
            Channel<Integer> channel = Channel.rendezvous("channel");
            Thread sender = new Thread(() -> {
                CompletableFuture<?> unused = channel.sendAsync(1);
            });
            simulation.spindle().execute(sender::start);

            assertThat(channel.receive()).isEqualTo(1);
        }
    }

    @Test
    void c1_fairSelectOfTheTest_isExploredAndReplayed() {
        Set<String> explored = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            String first = drawOfTheTest(seed);
            assertThat(drawOfTheTest(seed)).isEqualTo(first);
            explored.add(first);
        }
        assertThat(explored).containsExactlyInAnyOrder("a", "b", "c");
    }

    private static String drawOfTheTest(long seed) {
        try (Simulation simulation = Simulation.seeded(seed)) {
            Select<String> select = Select.<String>fair();
            for (String name : List.of("a", "b", "c")) {
                Channel<String> channel = Channel.buffered("channel", 1);
                assertThat(channel.offer(name)).isTrue();
                select = select.receive(channel, value -> value);
            }
            simulation.run();
            return select.orElse(() -> "none");
        }
    }

    // ---------------------------------------------------------------- orders

    @Test
    void orders_ofTwoConsumers_areAllThatKeepEachInOrder() {
        Set<String> orders = new HashSet<>();
        for (int seed = 0; seed < 2_000; seed++) {
            StringBuilder order = new StringBuilder();
            try (Simulation simulation = Simulation.seeded(seed)) {
                for (String names : List.of("abc", "ABC")) {
                    Channel<Character> channel = Channel.buffered("channel", 3);
                    names.chars().forEach(name -> channel.offer((char) name));
                    CompletableFuture<?> unused =
                            channel.forEach(simulation.spindle().strand(names), order::append);
                }
                simulation.run();
            }
            orders.add(order.toString());
        }
        assertThat(orders).hasSize(20);
    }

    @Test
    void orders_ofTwoConsumersOfOneChannel_areMany() {
        Set<String> orders = new HashSet<>();
        for (int seed = 0; seed < 1_000; seed++) {
            StringBuilder order = new StringBuilder();
            try (Simulation simulation = Simulation.seeded(seed)) {
                Channel<Character> channel = Channel.buffered("channel", 2);
                for (String consumer : List.of("1", "2")) {
                    CompletableFuture<?> unused = channel.forEach(
                            simulation.spindle().strand(consumer),
                            value -> order.append(consumer).append(value));
                }
                simulation.spindle().execute(() -> channel.offer('a'));
                simulation.spindle().execute(() -> channel.offer('b'));
                simulation.run();
            }
            orders.add(order.toString());
        }
        assertThat(orders).hasSizeGreaterThanOrEqualTo(4);
    }
}
