// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.keyed.Traffic.Order;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.peers.PekkoActors;
import dev.spindle.benchmarks.peers.SerialExecutors;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** The cells that measure order by key. The goals, KEY1 and KEY2, are in {@code goals/gatling.txt}. */
public final class KeyedComparison {
    private static final int EVENTS = 300_000;
    private static final Effort HEAVY = Effort.millis(900, 700, 3_500).atMost(25);
    private static final Effort SMALL = Effort.millis(900, 1_500, 200).atMost(25);
    private static final Effort BLOCKED = Effort.once(Duration.ofMillis(1), Duration.ofSeconds(2));

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final int MOST_SINGLE_THREADS = 1_000;

    /** All contenders except the limit, in the order of the report. */
    private static final Map<Contender, SerialExecutors.Maker> EXECUTORS = new LinkedHashMap<>();

    static {
        EXECUTORS.put(Contenders.SPINDLE, SerialExecutors::keys);
        EXECUTORS.put(Contenders.SPINDLE_HANDLE, SerialExecutors::handles);
        EXECUTORS.put(Contenders.SINGLE_THREADS, SerialExecutors::jdk);
        EXECUTORS.put(Contenders.GUAVA, SerialExecutors::guava);
        EXECUTORS.put(Contenders.VERTX, SerialExecutors::vertx);
        EXECUTORS.put(Contenders.NON_STICKY, SerialExecutors::nonSticky);
        EXECUTORS.put(Contenders.PEKKO, SerialExecutors.pekko(PekkoActors.USUAL_THROUGHPUT));
        EXECUTORS.put(Contenders.STRIPES, SerialExecutors::stripes);
    }

    private KeyedComparison() {}

    public static Comparison comparison() {
        Cell blocked = new Cell(
                        "blocked",
                        "one of 16 keys blocked for a second",
                        BLOCKED,
                        BlockedKey.DELAY,
                        BlockedKey.QUIET_DELAY)
                .enterAll(EXECUTORS, (maker, scale) -> new BlockedKey(maker.of(BlockedKey.KEYS, PROCESSORS), scale));
        return new Comparison(
                "gatling",
                KeyedComparison.class,
                "Order per key, compared with the peers",
                "One thread submits; an op is an event.",
                List::of,
                List.of(
                        enter(
                                new Cell(
                                        "seed",
                                        "16 sources x 50,000 events, 1,000 increments",
                                        HEAVY,
                                        KeyedPasses.TIME,
                                        KeyedPasses.SWITCHES),
                                new Traffic(16, 800_000, 1_000, Order.ROUND_ROBIN)),
                        small("k16-w0", "16 keys, 0 increments", 16, 0, Order.ROUND_ROBIN),
                        small("k16-w20", "16 keys, 20 increments", 16, 20, Order.ROUND_ROBIN),
                        small("k1000-uniform", "1,000 keys uniform, 20 increments", 1_000, 20, Order.UNIFORM),
                        small("k1000-zipf", "1,000 keys Zipf, 20 increments", 1_000, 20, Order.ZIPF),
                        small("k100000-uniform", "100,000 keys uniform, 20 increments", 100_000, 20, Order.UNIFORM),
                        small("k100000-zipf", "100,000 keys Zipf, 20 increments", 100_000, 20, Order.ZIPF),
                        blocked));
    }

    private static Cell small(String name, String title, int keys, int increments, Order order) {
        return enter(new Cell(name, title, SMALL, KeyedPasses.TIME), new Traffic(keys, EVENTS, increments, order));
    }

    /** Adds the limit, and all contenders that support this number of keys. */
    private static Cell enter(Cell cell, Traffic traffic) {
        cell.enter(
                Contenders.LIMIT,
                scale -> new KeyedPasses(events -> new LimitThreads(events, PROCESSORS), traffic.scaled(scale)));
        EXECUTORS.forEach((contender, maker) -> {
            if (contender != Contenders.SINGLE_THREADS || traffic.keys() <= MOST_SINGLE_THREADS) {
                KeyedPasses.Maker feed = events -> new Submitter(maker.of(events.keys(), PROCESSORS));
                cell.enter(contender, scale -> new KeyedPasses(feed, traffic.scaled(scale)));
            }
        });
        return cell;
    }

    /**
     * Returns a cell whose events perform no work. Up to 16 keys are used round-robin, and more keys are drawn at
     * random.
     */
    public static Cell empty(int keys, int events) {
        return enter(
                new Cell("empty", "empty events", SMALL, KeyedPasses.TIME),
                new Traffic(keys, events, 0, keys > 16 ? Order.UNIFORM : Order.ROUND_ROBIN));
    }

    @SuppressWarnings("ArrayRecordComponent") // the arrays are never compared
    private record Submitter(Executor[] keys, SerialExecutors ending) implements KeyedPasses.Feed {
        Submitter(SerialExecutors made) {
            this(made.executors().toArray(Executor[]::new), made);
        }

        @Override
        public void process(Events events) {
            int size = events.size();
            for (int event = 0; event < size; event++) {
                keys[events.key(event)].execute(events.task(event));
            }
        }

        @Override
        public void close() {
            ending.close();
        }
    }
}
