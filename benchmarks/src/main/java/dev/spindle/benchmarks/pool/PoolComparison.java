// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import static dev.spindle.benchmarks.peers.Contenders.FJP;
import static dev.spindle.benchmarks.peers.Contenders.LIMIT;
import static dev.spindle.benchmarks.peers.Contenders.PLAIN;
import static dev.spindle.benchmarks.peers.Contenders.SPINDLE;
import static dev.spindle.benchmarks.peers.Contenders.TPE;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Judge;
import dev.spindle.benchmarks.peers.Pools;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Small tasks on one executor: the cells, and the goals SCH1 to SCH10. */
public final class PoolComparison {
    private static final String METHOD =
            "A task is a loop of so many steps, the same for all forks of this run; an op is a task. The first pass of"
                    + " each fork has an object for each task, and finds what was lost or run twice.";
    private static final int MOST_OUTSTANDING = 4_096;
    private static final String SPINNING = "window-t64-x4-1us-spin";
    private static final int MILLION = 1_000_000;
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final boolean MANY_PROCESSORS = PROCESSORS >= 16;
    private static final List<Floods.Sleeps> SLEEPS =
            List.of(Floods.Sleeps.NEVER, Floods.Sleeps.RARELY, Floods.Sleeps.OFTEN);

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
                cells,
                judge -> judge(judge, cells));
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
        add("quota", "quota", quota, Clients.openLoop(64, 10_000, 100, 0)).quota(1.5);
        String total = "32 executors and 10,000 keys on one pool, tasks of 1 us, 8 threads";
        add("shared-total", "shared-total", total, Neighbours.sharedTotal(8, 32, 4, 10_000, 1));
        String quiet = "31 executors with 100 tasks a second each, one flooded, 8 threads";
        add("shared-quiet", "shared-quiet", quiet, Neighbours.quiet(8, 32, 4));
    }

    private Cell add(String name, String group, String title, Load load) {
        Map<Contender, Pools.Maker> makers = load.shared() ? Pools.shared() : Pools.all();
        Cell cell = cell(name, title, load, makers).group(group);
        cells.add(cell);
        return cell;
    }

    /** Returns a cell of some contenders under a load, with the limit if the load has one. */
    public static Cell cell(String name, String title, Load load, Map<Contender, Pools.Maker> makers) {
        Cell cell = new Cell(name, title, load.effort(), load.figures());
        if (load.limitThreads() > 0) {
            cell.enter(LIMIT, scale -> new Stage(LIMIT, null, load, scale));
        }
        makers.forEach((one, maker) -> cell.enter(one, scale -> new Stage(one, maker, load, scale)));
        return cell;
    }

    /** Writes a whole number without its fraction. */
    static String number(double value) {
        return value == Math.rint(value) ? Integer.toString((int) value) : Double.toString(value);
    }

    private static void judge(Judge judge, List<Cell> cells) {
        cells.forEach(cell -> judge(judge, cell));
        List<Cell> counted = cells.stream()
                .filter(cell -> !List.of("idle", "crowd", "age", "quota").contains(cell.group()))
                .toList();
        String asked = "futex calls/op: at most 1.05 x the best peer";
        judge.each(
                "SCH2: in each row",
                asked,
                counted,
                SPINDLE,
                Figure.FUTEX,
                1.05,
                cell -> judge.best(cell, Figure.FUTEX));
        grid(judge, cells, 1, 1.5);
        grid(judge, cells, 10, 1.25);
        grid(judge, cells, 100, 0.98);
    }

    private static void judge(Judge judge, Cell cell) {
        String name = cell.name();
        switch (cell.group()) {
            case "flood" -> {
                boolean small = !isOf(cell, 10) && !isOf(cell, 100);
                judge.againstBest("SCH1", cell, SPINDLE, Load.RATE, small ? MANY_PROCESSORS ? 1.5 : 1.15 : 0.98);
                if (small) {
                    judge.againstBest("SCH2", cell, SPINDLE, Figure.FUTEX, 0.5);
                }
            }
            case "million" -> {
                judge.atLeast("SCH4", name, SPINDLE, LIMIT, Load.RATE, 0.91); // 0.91 of its rate is 1.1 times its time
                judge.against("SCH4", cell, SPINDLE, LIMIT, Figure.CPU, 1.15);
                judge.atMost("SCH4", name, SPINDLE, Floods.SUBMIT.median(), 30);
                judge.atMost("SCH4", name, SPINDLE, Floods.SUBMIT.tail(), 100);
            }
            case "handoff" -> {
                judge.againstBest("SCH4", cell, SPINDLE, Clients.ROUND_TRIP.median(), 0.85);
                judge.againstBest("SCH4", cell, SPINDLE, Clients.ROUND_TRIP.tail(), 1);
                if (!name.equals("handoff-1000us")) {
                    judge.against("SCH4", cell, SPINDLE, TPE, Clients.ROUND_TRIP.median(), 0.25);
                }
            }
            case "open" -> {
                boolean slow = name.equals("open-1000");
                judge.against("SCH5", cell, SPINDLE, TPE, Clients.CPU_PERCENT, 1.05);
                judge.against("SCH5", cell, SPINDLE, TPE, Clients.DELAY.median(), slow ? 0.8 : 1);
                if (slow) {
                    judge.against("SCH2", cell, SPINDLE, TPE, Figure.FUTEX, 1);
                }
            }
            case "idle" -> {
                judge.atMost("SCH5", name, SPINDLE, Clients.IDLE_CPU, 10);
                judge.atMost("SCH5", name, SPINDLE, Clients.IDLE_SWITCHES, 0.2);
            }
            case "burst" -> {
                boolean small = name.equals("burst-10");
                judge.atMost("SCH6", name, SPINDLE, Clients.WAKE_UPS, small ? 1 : PROCESSORS);
                if (!small) {
                    judge.againstBest("SCH6", cell, SPINDLE, Clients.MAKESPAN.median(), 0.9);
                    judge.againstBest("SCH6", cell, SPINDLE, Clients.MAKESPAN.tail(), 1);
                }
            }
            case "block" -> {
                judge.against("SCH7", cell, SPINDLE, TPE, Waiting.FIRST_ROUND, 1.1);
                judge.against("SCH7", cell, SPINDLE, TPE, Waiting.SECOND_ROUND, 1.02);
            }
            case "mix" -> {
                judge.against("SCH7", cell, SPINDLE, TPE, Clients.DELAY.tail(), 1.2);
                judge.atMost("SCH7", name, SPINDLE, Clients.DELAY.tail(), 2_000);
            }
            case "fork" -> judge.against("SCH8", cell, SPINDLE, FJP, Load.RATE, MANY_PROCESSORS ? 0.95 : 1);
            // A linked queue is first-in-first-out, and suffers as much from threads that lose their processor.
            case "age" -> judge.against("SCH8", cell, SPINDLE, TPE, Inside.OLDEST, 2);
            case "crowd" -> judge.againstBest("SCH9", cell, SPINDLE, Load.PER_CPU_SECOND, 1.1);
            case "quota" -> {
                judge.noMoreThan("SCH9", cell, SPINDLE, TPE, Figure.THROTTLED);
                judge.against("SCH9", cell, SPINDLE, TPE, Clients.DELAY.tail(), 1);
            }
            case "shared-total" -> {
                judge.against("SCH10", cell, SPINDLE, PLAIN, Load.RATE, 0.95);
                judge.againstBest("SCH10", cell, SPINDLE, Load.RATE, 2);
            }
            case "shared-quiet" -> judge.atMost("SCH10", name, SPINDLE, Neighbours.QUIET_RATIO, 2);
            default -> {
                if (name.equals(SPINNING)) {
                    judge.againstBest("SCH2", cell, SPINDLE, Figure.FUTEX, 0.5);
                }
            }
        }
    }

    /** Returns true if the name of a cell contains this number of microseconds as the time of its tasks. */
    private static boolean isOf(Cell cell, int micros) {
        return cell.name().contains("-" + micros + "us");
    }

    private static void grid(Judge judge, List<Cell> cells, int micros, double factor) {
        List<Cell> grid = cells.stream()
                .filter(cell -> cell.group().equals("window") && isOf(cell, micros))
                .filter(cell -> !cell.name().equals(SPINNING))
                .toList();
        String goal = "SCH3: tasks of " + micros + " us";
        String mean = "tasks/s at least " + factor + " x ThreadPoolExecutor, geometric mean of the cells";
        judge.meanAtLeast(goal, mean, grid, SPINDLE, TPE, Load.RATE, factor);
        String each = "tasks/s at least 0.9 x ThreadPoolExecutor in each cell";
        judge.each(goal, each, grid, SPINDLE, Load.RATE, 0.9, cell -> Optional.of(TPE));
        String cpu = "CPU per task at most that of ThreadPoolExecutor in each cell";
        judge.each(goal, cpu, grid, SPINDLE, Figure.CPU, 1, cell -> Optional.of(TPE));
    }
}
