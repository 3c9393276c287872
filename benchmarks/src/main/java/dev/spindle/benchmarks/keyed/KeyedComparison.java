// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.CompareFork;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Judge;
import dev.spindle.benchmarks.compare.Subject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The cells, who takes part in them, and the goals KEY1 and KEY2. */
final class KeyedComparison {
    private static final String METHOD = "One thread submits; an op is an event.";

    private static final int EVENTS = 300_000;
    private static final Effort HEAVY = effort(700, 3_500);
    private static final Effort SMALL = effort(1_500, 200);
    private static final Effort BLOCKED = Effort.once(Duration.ofMillis(1), Duration.ofSeconds(2));

    private static final double MOST_SWITCHES = 200;
    private static final int SPARE_THREADS = 2;
    /** A twentieth of the time that the key is blocked. */
    private static final double MOST_DELAY_MILLIS = 50;

    private KeyedComparison() {}

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    static Comparison comparison() {
        return new Comparison(
                KeyedComparison.class,
                "Order per key, beside the peers",
                METHOD,
                List.of(),
                List.of(
                        seed(),
                        small("k16-w0", "16 keys, 0 increments", 16, 0, Traffic.ROUND_ROBIN),
                        small("k16-w20", "16 keys, 20 increments", 16, 20, Traffic.ROUND_ROBIN),
                        small("k1000-uniform", "1,000 keys uniform, 20 increments", 1_000, 20, Traffic.UNIFORM),
                        small("k1000-zipf", "1,000 keys Zipf, 20 increments", 1_000, 20, Traffic.ZIPF),
                        small("k100000-uniform", "100,000 keys uniform, 20 increments", 100_000, 20, Traffic.UNIFORM),
                        small("k100000-zipf", "100,000 keys Zipf, 20 increments", 100_000, 20, Traffic.ZIPF),
                        blocked()),
                KeyedComparison::judge);
    }

    private static Cell seed() {
        List<Figure> figures = List.of(KeyedPasses.TIME, KeyedPasses.SWITCHES);
        Load load = new Load(16, 800_000, 1_000, Traffic.ROUND_ROBIN);
        return new Cell("seed", "16 sources x 50,000 events, 1,000 increments", figures, HEAVY, entrants(load));
    }

    private static Cell small(String name, String title, int keys, int increments, Traffic traffic) {
        Load load = new Load(keys, EVENTS, increments, traffic);
        return new Cell(name, title, List.of(KeyedPasses.TIME), SMALL, entrants(load));
    }

    private static Cell blocked() {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        Entrant.ALL.stream()
                .filter(Entrant::hasKeys)
                .forEach(entrant -> entrants.put(entrant.contender(), scale -> new BlockedKey(entrant.maker(), scale)));
        List<Figure> figures = List.of(BlockedKey.DELAY, BlockedKey.QUIET_DELAY);
        return new Cell("blocked", "one of 16 keys blocked for a second", figures, BLOCKED, entrants);
    }

    private static Map<Contender, Subject.Setup> entrants(Load load) {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        Entrant.ALL.stream()
                .filter(entrant -> load.keys() <= entrant.maxKeys())
                .forEach(entrant -> entrants.put(
                        entrant.contender(), scale -> new KeyedPasses(entrant.maker(), load.scaled(scale))));
        return entrants;
    }

    private static Effort effort(int timedMillis, int passMillis) {
        return new Effort(Duration.ofMillis(900), Duration.ofMillis(timedMillis), Duration.ofMillis(passMillis), 25);
    }

    private static void judge(Judge judge) {
        Contender ours = Entrant.SPINDLE.contender();
        Contender limit = Entrant.LIMIT.contender();
        Contender threads = Entrant.SINGLE_THREADS.contender();
        Contender stripes = Entrant.JRAFT.contender();
        List<Contender> exact =
                Entrant.EXACT_KEY.stream().map(Entrant::contender).toList();
        String who = "the best exact-key peer";

        judge.atMostOf("KEY1", "seed", ours, limit, KeyedPasses.TIME, 1.05);
        judge.atLeast("KEY1", "seed", ours, threads, KeyedPasses.TIME, 1.0);
        judge.atMost("KEY1", "seed", ours, KeyedPasses.SWITCHES, MOST_SWITCHES);

        judge.atLeast("KEY2", "k16-w0", ours, threads, KeyedPasses.TIME, 15);
        judge.atLeastBest("KEY2", "k16-w0", ours, exact, who, KeyedPasses.TIME, 1.5);
        judge.atMostOf("KEY2", "k16-w20", ours, limit, KeyedPasses.TIME, 1.25);
        for (String cell : List.of("k1000-uniform", "k1000-zipf")) {
            judge.atMostOf("KEY2", cell, ours, limit, KeyedPasses.TIME, 1.25);
            judge.atLeast("KEY2", cell, ours, threads, KeyedPasses.TIME, 50);
        }
        judge.atLeastBest("KEY2", "k100000-uniform", ours, exact, who, KeyedPasses.TIME, 2);
        for (String cell : List.of("k16-w0", "k16-w20", "k1000-uniform", "k1000-zipf")) {
            judge.atLeast("KEY2", cell, ours, stripes, KeyedPasses.TIME, 0.7);
        }
        for (String cell : List.of("k100000-uniform", "k100000-zipf")) {
            judge.atLeast("KEY2", cell, ours, stripes, KeyedPasses.TIME, 0.5);
        }
        judge.atMost("KEY2", "blocked", ours, BlockedKey.DELAY, MOST_DELAY_MILLIS);

        int most = Runtime.getRuntime().availableProcessors() + SPARE_THREADS;
        judge.neverOfOurs("KEY1, KEY2: every cell where nothing blocks", List.of("blocked"), Figure.THREADS, most);
    }
}
