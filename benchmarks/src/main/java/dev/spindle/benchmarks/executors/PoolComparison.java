// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import static dev.spindle.benchmarks.executors.Contenders.FJP;
import static dev.spindle.benchmarks.executors.Contenders.LIMIT;
import static dev.spindle.benchmarks.executors.Contenders.SPINDLE;
import static dev.spindle.benchmarks.executors.Contenders.TPE;

import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Programs;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.compare.Subject;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;

/**
 * The cells that measure small tasks on one executor. The goals, SCH1 to SCH10, SCH15 and LANG2, are in {@code
 * goals/pool.txt}.
 */
public final class PoolComparison {
    private static final String METHOD =
            "A task is a loop of so many steps, the same for all forks of this run; an op is a task. The first pass of"
                    + " each fork has an object for each task, and finds what was lost or run twice.";
    private static final int MOST_OUTSTANDING = 4_096;
    private static final String SPINNING = "window-t64-x4-1us-spin";
    private static final int MILLION = 1_000_000;
    private static final List<Floods.Sleeps> SLEEPS =
            List.of(Floods.Sleeps.NEVER, Floods.Sleeps.RARELY, Floods.Sleeps.OFTEN);

    private static final Figure FIRST = Figure.less("first_ms", "to the first result, ms");
    private static final Figure CLOSE = Figure.less("close_ms", "to close the idle pool, ms");
    private static final Effort START = Effort.millis(0, 3_000, 500).atMost(5);

    private final List<Cell> cells = new ArrayList<>();

    private PoolComparison() {
        for (int threads : new int[] {8, 64}) {
            for (double micros : new double[] {0.1, 1, 10, 100}) {
                flood("t" + threads, threads, 1, micros);
            }
        }
        flood("p8-t64", 64, 8, 1);
        for (int threads : new int[] {8, 64}) {
            String title = "a million tasks of 1 us, " + threads + " threads";
            add("million-t" + threads, "million", title, Floods.sampled(threads, 1, MILLION));
        }
        for (int threads : new int[] {8, 64, 256}) {
            for (double multiple : new double[] {0.5, 1, 4}) {
                for (int micros : new int[] {1, 10, 100}) {
                    SLEEPS.forEach(sleeps -> window(threads, multiple, micros, sleeps));
                }
            }
        }
        Load spinning = Floods.window(64, 256, 1, Floods.Sleeps.NEVER, true);
        add(SPINNING, "window", "256 tasks of 1 us outstanding, 64 threads, the producer spins", spinning);
        clients();
        String chains = "64 chains inside the pool, 1 us, 16 threads";
        String fanOut = "1 task starts 100 inside the pool, 8 such at a time, 1 us, 16 threads";
        add("chains", "fork", chains, Inside.chains(16, 64, 1, false));
        add("fanout", "fork", fanOut, Inside.fanOut(16, 8, 100, 1, false));
        add("chains-age", "age", "age of tasks: " + chains, Inside.chains(16, 64, 1, true));
        add("fanout-age", "age", "age of tasks: " + fanOut, Inside.fanOut(16, 8, 100, 1, true));
        add("sleeps", "block", "640 sleeps of 10 ms, 64 threads", Waiting.rounds(64, 640, 10, false));
        add("reads", "block", "640 socket reads of 10 ms, 64 threads", Waiting.rounds(64, 640, 10, true));
        String mix = "20,000 tasks a second, 1 % sleep 5 ms, the others take 1 us, 64 threads";
        add("mix", "mix", mix, Clients.openLoop(64, 20_000, 1, 100));
        neighbours();
        String outside = "a million empty tasks from one thread, 2 threads";
        Cell tasks = cell("tasks-outside", outside, Floods.flood(2, 1, 0, MILLION, MILLION), Pools.all());
        cells.add(NativeProgram.enter(tasks.group("tasks"), Contenders.GO_POOL, Contenders.CROSSBEAM));
        Map<Contender, Pools.Maker> makers = Pools.all();
        Contender newest = Contender.reference("fjp-newest", "ForkJoinPool, newest first, as it is by default");
        makers.put(newest, (threads, outstanding) -> new ForkJoinPool(threads));
        String inside = "a tree of a million empty tasks, each hands over two, 2 threads";
        cells.add(cell("tasks-inside", inside, Inside.tree(2, MILLION), makers).group("tasks"));
        cells.add(new Cell("start", "the first task of a new JVM", START, FIRST, CLOSE)
                .enter(SPINDLE, scale -> start("spindle"))
                .enter(TPE, scale -> start("tpe"))
                .enter(FJP, scale -> start("fjp")));
        add("idle", "idle", "idle for 10 s, 64 threads started", Clients.idle(64, 10));
    }

    public static Comparison comparison() {
        List<Cell> cells = new PoolComparison().cells;
        return new Comparison(
                "pool",
                PoolComparison.class,
                "Small tasks, compared with the peers",
                METHOD,
                Burn::jvmArguments,
                cells);
    }

    /** Returns the subject that measures an executor in a new JVM, whose class path holds Spindle's core only. */
    private static Subject start(String contender) {
        String path = Programs.placeOf(Spindle.class) + File.pathSeparator + Programs.placeOf(FirstTask.class);
        ProcessBuilder jvm = Programs.java(List.of(), path, FirstTask.class, List.of(), List.of(contender));
        return Subject.of(
                recorder -> {
                    try {
                        Programs.Output output = Programs.run(jvm, Duration.ofMinutes(1));
                        String[] nanos = output.line("@first ")
                                .orElseThrow(() -> new StalledException(output.problem()))
                                .split(" ", -1);
                        recorder.value(FIRST, Long.parseLong(nanos[0]) / 1e6);
                        recorder.value(CLOSE, Long.parseLong(nanos[1]) / 1e6);
                        recorder.hired(Long.parseLong(nanos[2]));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                () -> {});
    }

    private void flood(String name, int threads, int producers, double micros) {
        int tasks = (int) Math.min(MILLION, Math.max(6_000, 400_000 / micros));
        String title = "flood of tasks of " + number(micros) + " us, " + threads + " threads"
                + (producers == 1 ? "" : ", " + producers + " producers");
        Load load = Floods.flood(threads, producers, micros, tasks, MOST_OUTSTANDING);
        add("flood-" + name + "-" + number(micros) + "us", "flood", title, load);
    }

    private void window(int threads, double multiple, int micros, Floods.Sleeps sleeps) {
        int window = (int) (threads * multiple);
        String suffix = sleeps.every() == 0 ? "" : sleeps.every() == 100 ? "-s1" : "-s10";
        String title = String.format(
                Locale.ROOT, "%,d tasks of %d us outstanding, %d threads, %s", window, micros, threads, sleeps.title());
        String name = "window-t" + threads + "-x" + number(multiple) + "-" + micros + "us" + suffix;
        add(name, "window", title, Floods.window(threads, window, micros, sleeps, false));
    }

    private void clients() {
        for (int micros : new int[] {0, 10, 1_000}) {
            String title = "submit().get(), " + micros + " us of computing between, 8 threads";
            add("handoff-" + micros + "us", "handoff", title, Clients.handOff(8, micros));
        }
        for (int rate : new int[] {1_000, 10_000}) {
            String title = String.format(Locale.ROOT, "%,d tasks of 1 us a second, 8 threads", rate);
            add("open-" + rate, "open", title, Clients.openLoop(8, rate, 1, 0));
        }
        for (int size : new int[] {10, 100, 1_000}) {
            String title = String.format(Locale.ROOT, "a burst of %,d tasks of 1 us every 5 ms, 16 threads", size);
            add("burst-" + size, "burst", title, Clients.bursts(16, size));
        }
    }

    private void neighbours() {
        Load flood = Floods.flood(64, 1, 1, 200_000, MOST_OUTSTANDING);
        Load window = Floods.window(64, 64, 1, Floods.Sleeps.NEVER, false);
        String busy = ", 64 threads, and 4 busy processes";
        add("crowd-flood", "crowd", "flood of tasks of 1 us" + busy, Neighbours.crowded(flood, 4));
        add("crowd-window", "crowd", "64 tasks of 1 us outstanding" + busy, Neighbours.crowded(window, 4));
        String quota = "10,000 tasks of 100 us a second, 64 threads, a quota of 1.5 processors";
        Load paced = Clients.openLoop(64, 10_000, 100, 0);
        cells.add(cell("quota", quota, paced, Pools.all()).quota(1.5));
        String total = "32 executors and 10,000 keys on one pool, tasks of 1 us, 8 threads";
        add("shared-total", "shared-total", total, Neighbours.sharedTotal(8, 32, 4, 10_000, 1));
        String quiet = "31 executors with 100 tasks a second each, one flooded, 8 threads";
        add("shared-quiet", "shared-quiet", quiet, Neighbours.quiet(8, 32, 4));
    }

    private void add(String name, String group, String title, Load load) {
        cells.add(cell(name, title, load, load.shared() ? Pools.shared() : Pools.all())
                .group(group));
    }

    /** Returns a cell of a load and its contenders, with the limit if the load has one. */
    static Cell cell(String name, String title, Load load, Map<Contender, Pools.Maker> makers) {
        Cell cell = new Cell(name, title, load.effort(), load.figures());
        if (load.limitThreads() > 0) {
            cell.enter(LIMIT, scale -> new Stage(LIMIT, null, load, scale));
        }
        makers.forEach((one, maker) -> cell.enter(one, scale -> new Stage(one, maker, load, scale)));
        return cell;
    }

    /** Formats a value; a whole number has no fraction. */
    static String number(double value) {
        return value == Math.rint(value) ? Integer.toString((int) value) : Double.toString(value);
    }
}
