// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.LogicalExecutor;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The orders that seeds reach, for each kind of work, and the repeatability of a seed. */
@Timeout(120)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class SimulationOrdersTest {
    /** Returns the different orders of the names in a scenario over {@code seeds} seeds. */
    private static Set<String> orders(int seeds, BiConsumer<Simulation, StringBuilder> scenario) {
        Set<String> orders = new HashSet<>();
        for (int seed = 0; seed < seeds; seed++) {
            orders.add(order(seed, scenario));
        }
        return orders;
    }

    private static String order(long seed, BiConsumer<Simulation, StringBuilder> scenario) {
        StringBuilder order = new StringBuilder();
        try (Simulation simulation = Simulation.seeded(seed)) {
            scenario.accept(simulation, order);
            simulation.run();
        }
        return order.toString();
    }

    // ---------------------------------------------------------------- orders

    @Test
    void orders_ofPlainTasks_areAll() {
        assertThat(orders(1_000, (simulation, order) -> {
                    for (String name : List.of("a", "b", "c", "d")) {
                        simulation.spindle().execute(() -> order.append(name));
                    }
                }))
                .hasSize(24);
    }

    @Test
    void orders_ofLogicalExecutor_areAllThatItsLimitAllows() {
        for (int limit = 1; limit <= 4; limit++) {
            int most = limit;
            Set<String> orders = orders(2_000, (simulation, order) -> {
                LogicalExecutor executor = simulation.spindle().executor("e", most);
                for (String name : List.of("a", "b", "c", "d")) {
                    executor.execute(() -> order.append(name));
                }
            });
            // each name is one of the first `limit` remaining ones
            assertThat(orders)
                    .as("limit %s", limit)
                    .hasSize(List.of(1, 8, 18, 24).get(limit - 1));
        }
    }

    @Test
    void orders_ofTwoKeys_areAllThatKeepEachInOrder() {
        assertThat(orders(2_000, (simulation, order) -> {
                    Keyed<String> keyed = simulation.spindle().keyed("keys");
                    for (String name : List.of("a", "b", "c")) {
                        keyed.execute("lower", () -> order.append(name));
                        keyed.execute("upper", () -> order.append(name.toUpperCase(java.util.Locale.ROOT)));
                    }
                }))
                .hasSize(20)
                .allMatch(order -> order.replaceAll("[A-Z]", "").equals("abc"));
    }

    @Test
    void orders_ofStrands_areAll() {
        assertThat(orders(1_000, (simulation, order) -> {
                    for (String name : List.of("a", "b", "c", "d")) {
                        simulation.spindle().strand(name).execute(() -> order.append(name));
                    }
                }))
                .hasSize(24);
    }

    @Test
    void orders_ofTimersOfOneMoment_areAll() {
        assertThat(orders(1_000, (simulation, order) -> {
                    for (String name : List.of("a", "b", "c")) {
                        simulation.spindle().schedule(() -> order.append(name), 1, TimeUnit.SECONDS);
                    }
                }))
                .hasSize(6);
    }

    /** A task continues after its wait at once or later. */
    @Test
    void orders_ofTasksThatWait_areAll() {
        assertThat(orders(1_000, (simulation, order) -> {
                    Spindle spindle = simulation.spindle();
                    Future<?> first = spindle.submit(() -> order.append("1"));
                    spindle.submit(() -> {
                        first.get();
                        return order.append("a");
                    });
                    spindle.execute(() -> order.append("b"));
                }))
                .containsExactlyInAnyOrder("1ab", "1ba", "b1a");
    }

    /** A coalescing task is superseded in some orders only. */
    @Test
    void orders_ofCoalescingTasks_haveSomeSuperseded() {
        assertThat(orders(1_000, (simulation, order) -> {
                    Keyed<String> keyed = simulation.spindle().keyed("keys");
                    keyed.coalesce("k", () -> order.append("1"));
                    simulation.spindle().execute(() -> keyed.coalesce("k", () -> order.append("2")));
                }))
                .containsExactlyInAnyOrder("12", "2");
    }

    /** Neighbouring seeds are unrelated: each of 24 orders occurs in about the same number of them. */
    @Test
    void seeds_smallOnes_areSpreadEvenly() {
        int[] firsts = new int[4];
        for (int seed = 0; seed < 400; seed++) {
            String order = order(seed, (simulation, names) -> {
                for (int i = 0; i < 4; i++) {
                    int name = i;
                    simulation.spindle().execute(() -> names.append(name));
                }
            });
            firsts[order.charAt(0) - '0']++;
        }
        for (int count : firsts) {
            assertThat(count).isBetween(60, 140);
        }
    }

    // ---------------------------------------------------------------- replays

    private enum Colour {
        RED,
        GREEN,
        BLUE,
        BLACK,
        WHITE
    }

    private static void assertOneOrder(BiConsumer<Simulation, StringBuilder> scenario) {
        for (long seed = 0; seed < 5; seed++) {
            Set<String> orders = new HashSet<>();
            for (int replay = 0; replay < 20; replay++) {
                StringBuilder order = new StringBuilder();
                Simulation simulation = Simulation.seeded(seed);
                scenario.accept(simulation, order);
                orders.add(order.toString());
            }
            assertThat(orders).hasSize(1);
        }
    }

    @Test
    void replay_ofPausedStrandsThatAShutdownReleases_isTheSame() {
        assertOneOrder((simulation, order) -> {
            pausedStrands(simulation, order);
            simulation.run();
            simulation.spindle().shutdown();
            simulation.run();
        });
    }

    private static void pausedStrands(Simulation simulation, StringBuilder order) {
        for (int i = 0; i < 5; i++) {
            int name = i;
            Strand strand = simulation.spindle().strand("s" + i);
            strand.pause();
            strand.execute(new Runnable() {
                @Override
                public void run() {
                    order.append(name);
                }

                @Override
                public String toString() {
                    return "task " + name;
                }
            });
        }
    }

    @Test
    void replay_ofShutdownNow_isTheSame() {
        assertOneOrder((simulation, order) -> {
            pausedStrands(simulation, order);
            simulation.run();
            order.append(simulation.spindle().shutdownNow());
            simulation.run();
        });
    }

    @Test
    void replay_ofKeysWithoutAHashOfTheirOwn_isTheSame() {
        assertOneOrder((simulation, order) -> {
            Keyed<Object> keyed = simulation.spindle().keyed("keys");
            for (Colour colour : Colour.values()) {
                keyed.at(colour).pause();
                keyed.execute(colour, () -> order.append(colour));
                Object key = new Object();
                keyed.at(key).pause();
                keyed.execute(key, () -> order.append("object"));
            }
            simulation.run();
            simulation.spindle().shutdown();
            simulation.run();
        });
    }

    @Test
    void replay_ofTerminationsAndExecutors_isTheSame() {
        assertOneOrder((simulation, order) -> {
            for (int i = 0; i < 5; i++) {
                int name = i;
                Strand strand = simulation.spindle().strand("s" + i);
                CompletableFuture<?> unused = strand.terminated().thenRun(() -> order.append(name));
                LogicalExecutor executor = simulation.spindle().executor("e" + i, 1);
                executor.execute(new Named(name, order));
            }
            order.append(simulation.spindle().shutdownNow());
            simulation.run();
        });
    }

    private record Named(int name, StringBuilder order) implements Runnable {
        @Override
        public void run() {
            order.append(name);
        }

        @Override
        public String toString() {
            return "task " + name;
        }
    }

    @Test
    void replay_ofWaitsAndLimits_isTheSame() {
        assertOneOrder((simulation, order) -> {
            Spindle spindle = simulation.spindle();
            List<Future<?>> futures = new ArrayList<>();
            LogicalExecutor executor = spindle.executor("e", 3);
            for (int i = 0; i < 10; i++) {
                int name = i;
                ExecutorService to = i % 2 == 0 ? spindle : executor;
                futures.add(to.submit(() -> {
                    order.append(name);
                    if (name > 2) {
                        futures.get(name / 2).get(1, TimeUnit.SECONDS);
                    }
                    order.append(name);
                    return name;
                }));
            }
            simulation.run();
            order.append(simulation.spindle().nanoTime());
        });
    }

    /**
     * If this fails on one JDK only, a seed's run depends on the JDK. If it fails on all, seeds that users have noted
     * become useless.
     */
    @Test
    void replay_onAnyJdk_isTheSame() {
        String order = order(4_711, (simulation, names) -> {
            Spindle spindle = simulation.spindle();
            Keyed<Colour> keyed = spindle.keyed("keys");
            LogicalExecutor executor = spindle.executor("e", 3);
            for (int i = 0; i < 3; i++) {
                int name = i;
                for (Colour colour : Colour.values()) {
                    keyed.execute(
                            colour, () -> names.append(colour.name().charAt(1)).append(name));
                }
                executor.execute(() -> names.append('e').append(name));
                Future<?> plain = spindle.submit(() -> names.append('p').append(name));
                spindle.submit(
                        () -> names.append(plain.get() == null ? '-' : 'w').append(name));
            }
        });

        assertThat(order).isEqualTo("p2L0L0L1R0L1L2p0R1L2H0R2E0e1w0w2E1e0H1E2p1e2H2w1");
    }
}
