// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Compares a pool without a configured size with fixed pools of several sizes, by their rate half a second after the
 * start of the load. The goals are in {@code goals/elastic.txt}.
 */
public final class ElasticComparison {
    private static final Contender LOGICAL = Contender.ours("logical", "a logical executor of 32 of a Spindle");
    private static final Contender PLAIN = Contender.ours("plain", "a Spindle");
    private static final Contender KEYS = Contender.ours("keys", "a Spindle, under 1,000 keys");
    private static final Contender PLAIN_VIRTUAL = Contender.ours("plain-virtual", "a Spindle with virtual auxiliaries")
            .since(21);
    private static final Contender KEYS_VIRTUAL = Contender.ours(
                    "keys-virtual", "a Spindle with virtual auxiliaries, under 1,000 keys")
            .since(21);
    private static final int MOST_AT_ONCE = 32;
    private static final int KEY_COUNT = 1_000;

    /** All contenders; the largest fixed pool exceeds the capacity of the logical executor. */
    private static final Map<Contender, Pools.Maker> MAKERS = new LinkedHashMap<>();

    static {
        for (Contender ours : List.of(LOGICAL, PLAIN, KEYS)) {
            MAKERS.put(ours, (threads, outstanding) -> Spindle.create());
        }
        for (Contender ours : List.of(PLAIN_VIRTUAL, KEYS_VIRTUAL)) {
            MAKERS.put(ours, (threads, outstanding) -> virtual());
        }
        for (int size : new int[] {1, 2, 3, 4, 8, 16, 32, 64}) {
            Contender fixed = Contender.peer("fixed-" + size, "ThreadPoolExecutor of " + size);
            MAKERS.put(fixed, (threads, outstanding) -> Executors.newFixedThreadPool(size));
        }
        MAKERS.put(Contenders.VIRTUAL, (threads, outstanding) -> Pools.virtualThreads());
    }

    private final List<Cell> cells = new ArrayList<>();

    private ElasticComparison() {
        for (double millis : new double[] {0.2, 1, 5, 50}) {
            String name = PoolComparison.number(millis);
            add("sleep-" + name + "ms", "wait", "sleep " + name + " ms", sleep(millis), 0);
        }
        add("socket", "wait", "a socket's answer after 1 ms", Waiting.sockets(1), 0);
        add("both", "wait", "compute 100 us, then sleep 0.2 ms", Waiting.steady(ElasticComparison::both), 0);
        for (int micros : new int[] {1, 10, 100}) {
            add("compute-" + micros + "us", "compute", "compute " + micros + " us", compute(micros), 0);
        }
        for (double quota : new double[] {0.5, 1, 1.5}) {
            String name = "quota-" + PoolComparison.number(quota);
            String suffix = ", a quota of " + PoolComparison.number(quota) + " processors";
            add(name + "-wait", "quota", "sleep 1 ms" + suffix, sleep(1), quota);
            add(name + "-compute", "quota", "compute 100 us" + suffix, compute(100), quota);
        }
        Map<Contender, Pools.Maker> makers = new LinkedHashMap<>(MAKERS);
        makers.keySet().removeAll(List.of(LOGICAL, KEYS, KEYS_VIRTUAL, Contenders.VIRTUAL));
        String title = "every 5 s another load: compute 10 us, sleep 1 ms, one of ten of that";
        cells.add(PoolComparison.cell("changing", title, Waiting.changing(), makers));
        for (int keys : new int[] {2_000, 20_000, 100_000}) {
            cells.add(BlockedKeys.cold(keys));
            cells.add(BlockedKeys.warm(keys));
        }
    }

    private static Spindle virtual() {
        return Spindle.builder().virtualThreads(true).build();
    }

    private static Load sleep(double millis) {
        return Waiting.steady(() -> () -> Waiting.sleep(millis * 1_000));
    }

    private static Load compute(int micros) {
        return Waiting.steady(() -> Burn.task(micros));
    }

    private static Runnable both() {
        Runnable burn = Burn.task(100);
        return () -> {
            burn.run();
            Waiting.sleep(200);
        };
    }

    private void add(String name, String group, String title, Load load, double quota) {
        cells.add(PoolComparison.cell(name, title, load, MAKERS).group(group).quota(quota));
    }

    public static Comparison comparison() {
        List<Cell> cells = new ElasticComparison().cells;
        return new Comparison(
                "elastic",
                ElasticComparison.class,
                "A pool that finds its own size, compared with the best fixed one",
                "64 tasks are outstanding at a new pool; those that end in a second are counted, from half a second"
                        + " after its start. The JVM has run the same once before. An op is a task.",
                Burn::jvmArguments,
                cells);
    }

    /** Returns the executor of one of these contenders on its pool; one thread uses it. */
    static Executor face(Contender contender, Spindle spindle) {
        if (contender == LOGICAL) {
            return spindle.executor("logical", MOST_AT_ONCE);
        } else if (contender == PLAIN || contender == PLAIN_VIRTUAL) {
            return spindle;
        }
        Keyed<Integer> keyed = spindle.keyed("keys");
        Integer[] keys = IntStream.range(0, KEY_COUNT).boxed().toArray(Integer[]::new);
        int[] next = new int[1];
        return task -> {
            next[0] = next[0] + 1 == KEY_COUNT ? 0 : next[0] + 1;
            keyed.execute(keys[next[0]], task);
        };
    }
}
