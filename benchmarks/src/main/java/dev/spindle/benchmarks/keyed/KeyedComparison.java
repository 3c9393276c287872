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
import dev.spindle.benchmarks.peers.Actors;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.peers.SerialExecutors;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** Order per key: the cells, who takes part in them, and the goals KEY1 and KEY2. */
public final class KeyedComparison {
    private static final String METHOD = "One thread submits; an op is an event.";

    private static final int EVENTS = 300_000;
    private static final Effort HEAVY = effort(700, 3_500);
    private static final Effort SMALL = effort(1_500, 200);
    private static final Effort BLOCKED = Effort.once(Duration.ofMillis(1), Duration.ofSeconds(2));

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final int MOST_THREADS = 1_000;
    private static final int MOST_IN_TURN = 16;

    /** All but the limit, in the order of the rows. */
    private static final Map<Contender, SerialExecutors.Maker> EXECUTORS = new LinkedHashMap<>();

    /** Those that share their threads among all keys, as Spindle does. */
    private static final List<Contender> EXACT =
            List.of(Contenders.GUAVA, Contenders.VERTX, Contenders.NON_STICKY, Contenders.PEKKO);

    static {
        EXECUTORS.put(Contenders.SPINDLE, SerialExecutors::keys);
        EXECUTORS.put(Contenders.SPINDLE_HANDLE, SerialExecutors::handles);
        EXECUTORS.put(Contenders.SINGLE_THREADS, SerialExecutors::jdk);
        EXECUTORS.put(Contenders.GUAVA, SerialExecutors::guava);
        EXECUTORS.put(Contenders.VERTX, SerialExecutors::vertx);
        EXECUTORS.put(Contenders.NON_STICKY, SerialExecutors::nonSticky);
        EXECUTORS.put(Contenders.PEKKO, SerialExecutors.pekko(Actors.USUAL_THROUGHPUT));
        EXECUTORS.put(Contenders.STRIPES, SerialExecutors::stripes);
    }

    private static final double MOST_SWITCHES = 200;
    private static final int SPARE_THREADS = 2;
    /** A twentieth of the time that the key is blocked. */
    private static final double MOST_DELAY_MILLIS = 50;

    private KeyedComparison() {}

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    public static Comparison comparison() {
        return new Comparison(
                "gatling",
                KeyedComparison.class,
                "Order per key, beside the peers",
                METHOD,
                List::of,
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

    /** Who runs empty events of so many keys, few in turn or many at random, made anew for each pass. */
    public static Map<Contender, Subject.Setup> empty(int keys, int events) {
        return entrants(new Load(keys, events, 0, keys > MOST_IN_TURN ? Traffic.UNIFORM : Traffic.ROUND_ROBIN));
    }

    private static Cell blocked() {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        EXECUTORS.forEach((contender, maker) ->
                entrants.put(contender, scale -> new BlockedKey(maker.of(BlockedKey.KEYS, PROCESSORS), scale)));
        List<Figure> figures = List.of(BlockedKey.DELAY, BlockedKey.QUIET_DELAY);
        return new Cell("blocked", "one of 16 keys blocked for a second", figures, BLOCKED, entrants);
    }

    private static Map<Contender, Subject.Setup> entrants(Load load) {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        entrants.put(
                Contenders.LIMIT,
                scale -> new KeyedPasses(workload -> new PlainThreads(workload, PROCESSORS), load.scaled(scale)));
        EXECUTORS.forEach((contender, maker) -> {
            if (contender != Contenders.SINGLE_THREADS || load.keys() <= MOST_THREADS) {
                KeyedPasses.Maker feed = workload -> new Submitter(maker.of(workload.keys(), PROCESSORS));
                entrants.put(contender, scale -> new KeyedPasses(feed, load.scaled(scale)));
            }
        });
        return entrants;
    }

    /** Submits each event to the executor of its key. */
    @SuppressWarnings("ArrayRecordComponent") // one and the same array, compared by nobody
    private record Submitter(Executor[] keys, SerialExecutors ending) implements KeyedPasses.Feed {
        Submitter(SerialExecutors made) {
            this(made.executors().toArray(Executor[]::new), made);
        }

        @Override
        public void process(Workload workload) {
            int size = workload.size();
            for (int event = 0; event < size; event++) {
                keys[workload.key(event)].execute(workload.task(event));
            }
        }

        @Override
        public void close() {
            ending.close();
        }
    }

    private static Effort effort(int timedMillis, int passMillis) {
        return new Effort(Duration.ofMillis(900), Duration.ofMillis(timedMillis), Duration.ofMillis(passMillis), 25);
    }

    private static void judge(Judge judge) {
        Contender ours = Contenders.SPINDLE;
        Contender limit = Contenders.LIMIT;
        Contender threads = Contenders.SINGLE_THREADS;
        Contender stripes = Contenders.STRIPES;
        String who = "the best exact-key peer";

        judge.atMostOf("KEY1", "seed", ours, limit, KeyedPasses.TIME, 1.05);
        judge.atLeast("KEY1", "seed", ours, threads, KeyedPasses.TIME, 1.0);
        judge.atMost("KEY1", "seed", ours, KeyedPasses.SWITCHES, MOST_SWITCHES);

        judge.atLeast("KEY2", "k16-w0", ours, threads, KeyedPasses.TIME, 15);
        judge.atLeastBest("KEY2", "k16-w0", ours, EXACT, who, KeyedPasses.TIME, 1.5);
        judge.atMostOf("KEY2", "k16-w20", ours, limit, KeyedPasses.TIME, 1.25);
        for (String cell : List.of("k1000-uniform", "k1000-zipf")) {
            judge.atMostOf("KEY2", cell, ours, limit, KeyedPasses.TIME, 1.25);
            judge.atLeast("KEY2", cell, ours, threads, KeyedPasses.TIME, 50);
        }
        judge.atLeastBest("KEY2", "k100000-uniform", ours, EXACT, who, KeyedPasses.TIME, 2);
        for (String cell : List.of("k16-w0", "k16-w20", "k1000-uniform", "k1000-zipf")) {
            judge.atLeast("KEY2", cell, ours, stripes, KeyedPasses.TIME, 0.7);
        }
        for (String cell : List.of("k100000-uniform", "k100000-zipf")) {
            judge.atLeast("KEY2", cell, ours, stripes, KeyedPasses.TIME, 0.5);
        }
        judge.atMost("KEY2", "blocked", ours, BlockedKey.DELAY, MOST_DELAY_MILLIS);

        int most = PROCESSORS + SPARE_THREADS;
        judge.neverOfOurs("KEY1, KEY2: every cell where nothing blocks", List.of("blocked"), Figure.THREADS, most);
    }
}
