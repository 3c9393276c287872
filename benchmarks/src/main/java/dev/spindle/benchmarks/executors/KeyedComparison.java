// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.executors.Events.Traffic;
import dev.spindle.benchmarks.executors.Events.Traffic.Order;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The cells that measure order by key. The goals, KEY1 to KEY4 and LANG1, are in {@code goals/gatling.txt}. */
public final class KeyedComparison {
    private static final int EVENTS = 300_000;
    private static final Effort HEAVY = Effort.millis(900, 700, 3_500).atMost(25);
    private static final Effort SMALL = Effort.millis(900, 1_500, 200).atMost(25);
    private static final Effort BLOCKED = Effort.once(Duration.ofMillis(1), Duration.ofSeconds(2));

    private static final Effort ONE_TASK = Effort.millis(2_000, 2_000, 100);
    private static final Effort MEMORY = Effort.once(Duration.ZERO, Duration.ofSeconds(20));

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
        List<Figure> delays = List.of(BlockedKey.DELAY, BlockedKey.QUIET_DELAY);
        List<Figure> seed = List.of(KeyedPasses.TIME, KeyedPasses.SWITCHES);
        return new Comparison(
                "gatling",
                KeyedComparison.class,
                "Order per key, compared with the peers",
                "One thread submits; an op is an event.",
                List::of,
                List.of(
                        enter(
                                new Cell("seed", "16 sources x 50,000 events, 1,000 increments", HEAVY, seed),
                                new Traffic(16, 800_000, 1_000, Order.ROUND_ROBIN)),
                        small("k16-w0", "16 keys, 0 increments", 16, 0, Order.ROUND_ROBIN),
                        small("k16-w20", "16 keys, 20 increments", 16, 20, Order.ROUND_ROBIN),
                        small("k1000-uniform", "1,000 keys uniform, 20 increments", 1_000, 20, Order.UNIFORM),
                        small("k1000-zipf", "1,000 keys Zipf, 20 increments", 1_000, 20, Order.ZIPF),
                        small("k100000-uniform", "100,000 keys uniform, 20 increments", 100_000, 20, Order.UNIFORM),
                        small("k100000-zipf", "100,000 keys Zipf, 20 increments", 100_000, 20, Order.ZIPF),
                        empty(16, 800_000, Order.ROUND_ROBIN),
                        empty(1_000, 800_000, Order.UNIFORM),
                        empty(100_000, 1_000_000, Order.UNIFORM),
                        new Cell("blocked", "one of 16 keys blocked for a second", BLOCKED, delays)
                                .enterAll(EXECUTORS, KeyedComparison::blocked),
                        new Cell("one-task", "one task at a time, on one thread", ONE_TASK, Figure.NANOS, OneTask.BYTES)
                                .jvm("-XX:+AlwaysPreTouch") // the first access to a page costs more than a task
                                .enterAll(OneTask.WAYS, (way, scale) -> new OneTask(way.get(), scale)),
                        new Cell("idle-keys", "a million idle keys", MEMORY, KeyMemory.BYTES)
                                .jvm("-Xmx3g")
                                .enter(Contenders.SPINDLE, KeyMemory::idle),
                        new Cell("keys-in-turn", "ten million keys, -Xmx64m", MEMORY, KeyMemory.GROWTH, KeyMemory.HEAP)
                                .jvm("-Xms64m", "-Xmx64m")
                                .enter(Contenders.SPINDLE, KeyMemory::inTurn)));
    }

    private static Subject blocked(SerialExecutors.Maker maker, Subject.Scale scale) {
        return BlockedKey.of(maker.of(BlockedKey.KEYS, PROCESSORS), scale);
    }

    private static Cell small(String name, String title, int keys, int increments, Order order) {
        return enter(new Cell(name, title, SMALL, KeyedPasses.TIME), new Traffic(keys, EVENTS, increments, order));
    }

    /** Adds the limit, and all contenders that support this number of keys. */
    private static Cell enter(Cell cell, Traffic traffic) {
        Function<Events, KeyedPasses.Feed> limit = events -> KeyedPasses.limit(events, PROCESSORS);
        cell.enter(Contenders.LIMIT, scale -> new KeyedPasses(limit, traffic.scaled(scale)));
        EXECUTORS.forEach((contender, maker) -> {
            if (contender != Contenders.SINGLE_THREADS || traffic.keys() <= MOST_SINGLE_THREADS) {
                Function<Events, KeyedPasses.Feed> feed =
                        events -> KeyedPasses.submitting(events, maker.of(events.keys(), PROCESSORS));
                cell.enter(contender, scale -> new KeyedPasses(feed, traffic.scaled(scale)));
            }
        });
        return cell;
    }

    /** Returns a cell whose events perform no work, with contenders in Go and Rust. */
    private static Cell empty(int keys, int events, Order order) {
        String title = String.format(Locale.ROOT, "%,d empty events of %,d keys", events, keys);
        Cell cell = new Cell("keys-" + keys, title, SMALL, Figure.NANOS).group("keys");
        enter(cell, new Traffic(keys, events, 0, order));
        return NativeProgram.enter(cell, Contenders.GO, Contenders.RAYON_SERIAL);
    }
}
