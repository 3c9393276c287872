// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.CompareFork;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.peers.Pools;
import dev.spindle.benchmarks.pool.stage.Burn;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Workload;
import dev.spindle.benchmarks.pool.work.Bursts;
import dev.spindle.benchmarks.pool.work.Chains;
import dev.spindle.benchmarks.pool.work.Crowded;
import dev.spindle.benchmarks.pool.work.FanOut;
import dev.spindle.benchmarks.pool.work.Flood;
import dev.spindle.benchmarks.pool.work.HandOff;
import dev.spindle.benchmarks.pool.work.Idle;
import dev.spindle.benchmarks.pool.work.OpenLoop;
import dev.spindle.benchmarks.pool.work.QuietBeside;
import dev.spindle.benchmarks.pool.work.SharedTotal;
import dev.spindle.benchmarks.pool.work.Waiters;
import dev.spindle.benchmarks.pool.work.Window;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Small tasks on one executor: the cells, and who takes part in them. */
public final class PoolComparison {
    private static final String METHOD =
            "A task is a loop of so many steps, the same for all forks of this run; an op is a task. The first pass of"
                    + " each fork has an object for each task, and finds what was lost or run twice.";

    private static final int MOST_OUTSTANDING = 4_096;
    private static final int MILLION = 1_000_000;
    private static final double QUOTA_PROCESSORS = 1.5;

    private final List<Cell> cells = new ArrayList<>();
    private final Map<String, Workload> workloads = new LinkedHashMap<>();

    private PoolComparison() {
        floods();
        windows();
        clients();
        insideThePool();
        add("sleeps", "block", "640 sleeps of 10 ms, 64 threads", new Waiters(64, 640, 10, false));
        add("reads", "block", "640 socket reads of 10 ms, 64 threads", new Waiters(64, 640, 10, true));
        add(
                "mix",
                "block",
                "20,000 tasks a second, 1 % sleep 5 ms, the others take 1 us, 64 threads",
                new OpenLoop(64, 20_000, 1, 100));
        neighbours();
        add("idle", "idle", "idle for 10 s, 64 threads started", new Idle(64, 10));
    }

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    public static Comparison comparison() {
        PoolComparison made = new PoolComparison();
        return new Comparison(
                "pool",
                PoolComparison.class,
                "Small tasks, beside the peers",
                METHOD,
                Burn::jvmArguments,
                made.cells,
                judge -> new PoolGoals(judge, made.cells, made.workloads).judgeAll());
    }

    private void floods() {
        for (int threads : new int[] {8, 64}) {
            for (double micros : new double[] {0.1, 1, 10, 100}) {
                flood("t" + threads, threads, 1, micros);
            }
        }
        flood("p8-t64", 64, 8, 1);
        for (int threads : new int[] {8, 64}) {
            Flood million = new Flood(threads, 1, 1, MILLION, MILLION, true);
            add("million-t" + threads, "million", "a million tasks of 1 us, " + threads + " threads", million);
        }
    }

    private void flood(String name, int threads, int producers, double micros) {
        int tasks = (int) Math.min(MILLION, Math.max(6_000, 400_000 / micros));
        add(
                "flood-" + name + "-" + number(micros) + "us",
                "flood",
                "flood of tasks of " + number(micros) + " us, " + threads + " threads"
                        + (producers == 1 ? "" : ", " + producers + " producers"),
                new Flood(threads, producers, micros, tasks, MOST_OUTSTANDING, false));
    }

    private void windows() {
        for (int threads : new int[] {8, 64, 256}) {
            for (double multiple : new double[] {0.5, 1, 4}) {
                for (int micros : new int[] {1, 10, 100}) {
                    for (Window.Sleeps sleeps : Window.Sleeps.values()) {
                        window(threads, multiple, micros, sleeps, false);
                    }
                }
            }
        }
        window(64, 4, 1, Window.Sleeps.NEVER, true);
    }

    private void window(int threads, double multiple, int micros, Window.Sleeps sleeps, boolean spinning) {
        int window = (int) (threads * multiple);
        String suffix = switch (sleeps) {
            case NEVER -> spinning ? "-spin" : "";
            case RARELY -> "-s1";
            case OFTEN -> "-s10";
        };
        add(
                "window-t" + threads + "-x" + number(multiple) + "-" + micros + "us" + suffix,
                "window",
                String.format(
                        Locale.ROOT,
                        "%,d tasks of %d us outstanding, %d threads, %s%s",
                        window,
                        micros,
                        threads,
                        sleeps.title(),
                        spinning ? ", the producer spins" : ""),
                new Window(threads, window, micros, sleeps, spinning));
    }

    private void clients() {
        for (int micros : new int[] {0, 10, 1_000}) {
            String title = "submit().get(), " + micros + " us of computing between, 8 threads";
            add("handoff-" + micros + "us", "handoff", title, new HandOff(8, micros));
        }
        for (int rate : new int[] {1_000, 10_000}) {
            String title = String.format(Locale.ROOT, "%,d tasks of 1 us a second, 8 threads", rate);
            add("open-" + rate, "open", title, new OpenLoop(8, rate, 1, 0));
        }
        for (int size : new int[] {10, 100, 1_000}) {
            String title = String.format(Locale.ROOT, "a burst of %,d tasks of 1 us every 5 ms, 16 threads", size);
            add("burst-" + size, "burst", title, new Bursts(16, size));
        }
    }

    private void insideThePool() {
        String chains = "64 chains inside the pool, 1 us, 16 threads";
        String fanOut = "1 task starts 100 inside the pool, 8 such at a time, 1 us, 16 threads";
        add("chains", "fork", chains, new Chains(16, 64, 1, false));
        add("fanout", "fork", fanOut, new FanOut(16, 8, 100, 1, false));
        add("chains-age", "age", "age of tasks: " + chains, new Chains(16, 64, 1, true));
        add("fanout-age", "age", "age of tasks: " + fanOut, new FanOut(16, 8, 100, 1, true));
    }

    private void neighbours() {
        add(
                "crowd-flood",
                "crowd",
                "flood of tasks of 1 us, 64 threads, beside 4 busy processes",
                new Crowded(new Flood(64, 1, 1, 200_000, MOST_OUTSTANDING, false), 4));
        add(
                "crowd-window",
                "crowd",
                "64 tasks of 1 us outstanding, 64 threads, beside 4 busy processes",
                new Crowded(new Window(64, 64, 1, Window.Sleeps.NEVER, false), 4));
        add(
                "quota",
                "quota",
                "10,000 tasks of 100 us a second, 64 threads, a quota of 1.5 processors",
                QUOTA_PROCESSORS,
                new OpenLoop(64, 10_000, 100, 0));
        add(
                "shared-total",
                "shared-total",
                "32 executors and 10,000 keys on one pool, tasks of 1 us, 8 threads",
                new SharedTotal(8, 32, 4, 10_000, 1));
        add(
                "shared-quiet",
                "shared-quiet",
                "31 executors with 100 tasks a second each, one flooded, 8 threads",
                new QuietBeside(8, 32, 4, 3_100));
    }

    private void add(String name, String group, String title, Workload workload) {
        add(name, group, title, 0, workload);
    }

    private void add(String name, String group, String title, double quota, Workload workload) {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        if (workload.hasLimit()) {
            entrants.put(Contenders.LIMIT, scale -> new Stage(Contenders.LIMIT, null, workload, scale));
        }
        Map<Contender, Pools.Maker> makers = workload.shared() ? Pools.shared() : Pools.all();
        makers.forEach(
                (contender, maker) -> entrants.put(contender, scale -> new Stage(contender, maker, workload, scale)));
        workloads.put(name, workload);
        cells.add(new Cell(name, group, title, workload.figures(), workload.effort(), quota, entrants));
    }

    /** A whole number without its fraction. */
    static String number(double value) {
        return value == Math.rint(value) ? Integer.toString((int) value) : Double.toString(value);
    }
}
