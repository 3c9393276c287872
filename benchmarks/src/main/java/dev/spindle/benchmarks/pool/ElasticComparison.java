// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.CompareFork;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Judge;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.peers.Pools;
import dev.spindle.benchmarks.pool.stage.Burn;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Workload;
import dev.spindle.benchmarks.pool.work.Changing;
import dev.spindle.benchmarks.pool.work.Steady;
import dev.spindle.benchmarks.pool.work.Steady.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A pool that is told no size, beside pools of every size: how near does it come to the best of them, half a second
 * after its start, and with how many threads?
 */
public final class ElasticComparison {
    private static final Contender LOGICAL = Contender.ours("logical", "a logical executor of 32 of a Spindle");
    private static final Contender PLAIN = Contender.ours("plain", "a Spindle");
    private static final Contender KEYS = Contender.ours("keys", "a Spindle, under 1,000 keys");
    private static final List<Contender> OURS = List.of(LOGICAL, PLAIN, KEYS);
    private static final int MOST_AT_ONCE = 32;
    private static final int KEY_COUNT = 1_000;

    /** The last of them is larger than the logical executor. */
    private static final List<Integer> SIZES = List.of(1, 2, 3, 4, 8, 16, 32, 64);

    private static final List<Contender> FIXED =
            SIZES.stream().map(ElasticComparison::fixed).toList();

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** Of the best fixed pool's rate. */
    private static final double WAITING = 0.67;

    private static final double COMPUTING = 0.98;
    private static final double SWINGS_ALLOWED = 1;

    /** An environment variable: the file for how many workers are awake, each 20 ms, in the cell that changes. */
    private static final String CURVE = "SPINDLE_BENCH_CURVE";

    /** Besides the processors: one that is perhaps added, and one that watches. */
    private static final int THREADS_BESIDE = 2;

    private final List<Cell> cells = new ArrayList<>();

    private ElasticComparison() {
        for (double millis : new double[] {0.2, 1, 5, 50}) {
            add(
                    "sleep-" + PoolComparison.number(millis) + "ms",
                    "wait",
                    "sleep " + PoolComparison.number(millis) + " ms",
                    Kind.SLEEP,
                    millis * 1_000);
        }
        add("socket", "wait", "a socket's answer after 1 ms", Kind.SOCKET, 1_000);
        for (double micros : new double[] {1, 10}) {
            String title = "one of ten sleeps 1 ms, the others compute " + PoolComparison.number(micros) + " us";
            add("mix-" + PoolComparison.number(micros) + "us", "wait", title, Kind.MIX, micros);
        }
        add("both", "wait", "compute 100 us, then sleep 0.2 ms", Kind.BOTH, 100);
        add("lock", "wait", "one lock, 10 us inside", Kind.LOCK, 10);
        for (double micros : new double[] {1, 10, 100}) {
            String title = "compute " + PoolComparison.number(micros) + " us";
            add("compute-" + PoolComparison.number(micros) + "us", "compute", title, Kind.COMPUTE, micros);
        }
        for (double quota : new double[] {0.5, 1, 1.5}) {
            String suffix = ", a quota of " + PoolComparison.number(quota) + " processors";
            add(
                    "quota-" + PoolComparison.number(quota) + "-wait",
                    "quota",
                    "sleep 1 ms" + suffix,
                    quota,
                    Kind.SLEEP,
                    1_000);
            add(
                    "quota-" + PoolComparison.number(quota) + "-compute",
                    "quota",
                    "compute 100 us" + suffix,
                    quota,
                    Kind.COMPUTE,
                    100);
        }
        changing();
    }

    /** A minute in which the load changes. */
    private void changing() {
        Changing load = new Changing(System.getenv().getOrDefault(CURVE, ""));
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        enter(entrants, load, PLAIN, (threads, outstanding) -> Spindle.create());
        enterFixed(entrants, load);
        String title = "every 5 s another load: compute 10 us, sleep 1 ms, one of ten of that";
        cells.add(new Cell("changing", title, load.figures(), load.effort(), entrants));
    }

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    public static Comparison comparison() {
        List<Cell> cells = new ElasticComparison().cells;
        return new Comparison(
                "elastic",
                ElasticComparison.class,
                "A pool that finds its own size, beside the best fixed one",
                "64 tasks are outstanding at a new pool; those that end in a second are counted, from half a second"
                        + " after its start. The JVM has run the same once before. An op is a task.",
                Burn::jvmArguments,
                cells,
                judge -> judge(judge, cells));
    }

    private static void judge(Judge judge, List<Cell> cells) {
        for (Cell cell : cells) {
            if (cell.name().equals("changing")) {
                judge.atMost("T3", cell.name(), PLAIN, Changing.SWINGS, SWINGS_ALLOWED);
                judge.atLeastBest("T3", cell.name(), PLAIN, FIXED, "the best fixed pool", Changing.MEAN_RATE, WAITING);
                continue;
            }
            boolean computes = cell.name().contains("compute");
            for (Contender ours : OURS) {
                List<Contender> rivals = ours == LOGICAL ? FIXED.subList(0, FIXED.size() - 1) : FIXED;
                double factor = computes ? COMPUTING : WAITING;
                judge.atLeastBest("T3", cell.name(), ours, rivals, "the best fixed pool", Figures.RATE, factor);
                if (computes) {
                    judge.never("T3", cell.name(), ours, Figure.THREADS, PROCESSORS + THREADS_BESIDE);
                }
            }
        }
    }

    private void add(String name, String group, String title, Kind kind, double micros) {
        add(name, group, title, 0, kind, micros);
    }

    private void add(String name, String group, String title, double quota, Kind kind, double micros) {
        Steady load = new Steady(kind, micros);
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        enter(entrants, load, LOGICAL, (threads, outstanding) -> new Logical(Spindle.create()));
        enter(entrants, load, PLAIN, (threads, outstanding) -> Spindle.create());
        enter(entrants, load, KEYS, (threads, outstanding) -> new UnderKeys(Spindle.create()));
        enterFixed(entrants, load);
        enter(entrants, load, Contenders.VIRTUAL, (threads, outstanding) -> Pools.virtualThreads());
        cells.add(new Cell(name, group, title, load.figures(), load.effort(), quota, entrants));
    }

    private static Contender fixed(int size) {
        return Contender.peer("fixed-" + size, "ThreadPoolExecutor of " + size);
    }

    private static void enterFixed(Map<Contender, Subject.Setup> entrants, Workload load) {
        for (int size : SIZES) {
            enter(entrants, load, fixed(size), (threads, outstanding) -> Executors.newFixedThreadPool(size));
        }
    }

    private static void enter(
            Map<Contender, Subject.Setup> entrants, Workload load, Contender contender, Pools.Maker maker) {
        entrants.put(contender, scale -> new Stage(contender, maker, load, scale));
    }

    /** A spindle, of which another face takes the tasks. */
    private abstract static class Face extends AbstractExecutorService {
        final Spindle spindle;

        Face(Spindle spindle) {
            this.spindle = spindle;
        }

        @Override
        public void shutdown() {
            spindle.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
            return spindle.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
            return spindle.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return spindle.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return spindle.awaitTermination(timeout, unit);
        }
    }

    private static final class Logical extends Face {
        private final ExecutorService executor;

        Logical(Spindle spindle) {
            super(spindle);
            executor = spindle.executor("logical").maxConcurrency(MOST_AT_ONCE).build();
        }

        @Override
        public void execute(Runnable task) {
            executor.execute(task);
        }
    }

    /** Takes each key in turn; one thread submits. */
    private static final class UnderKeys extends Face {
        private final Keyed<Integer> keyed;
        private final Integer[] keys = new Integer[KEY_COUNT];
        private int next;

        UnderKeys(Spindle spindle) {
            super(spindle);
            keyed = spindle.keyed();
            for (int key = 0; key < KEY_COUNT; key++) {
                keys[key] = key;
            }
        }

        @Override
        public void execute(Runnable task) {
            next = next + 1 == KEY_COUNT ? 0 : next + 1;
            keyed.execute(keys[next], task);
        }
    }
}
