// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.pool.stage.Workload;
import dev.spindle.benchmarks.pool.work.Bursts;
import dev.spindle.benchmarks.pool.work.Chains;
import dev.spindle.benchmarks.pool.work.Crowded;
import dev.spindle.benchmarks.pool.work.FanOut;
import dev.spindle.benchmarks.pool.work.Flood;
import dev.spindle.benchmarks.pool.work.FullQueue;
import dev.spindle.benchmarks.pool.work.HandOff;
import dev.spindle.benchmarks.pool.work.Idle;
import dev.spindle.benchmarks.pool.work.Lengths;
import dev.spindle.benchmarks.pool.work.OpenLoop;
import dev.spindle.benchmarks.pool.work.Phases;
import dev.spindle.benchmarks.pool.work.QuietBeside;
import dev.spindle.benchmarks.pool.work.SharedTotal;
import dev.spindle.benchmarks.pool.work.SlowProducer;
import dev.spindle.benchmarks.pool.work.Tree;
import dev.spindle.benchmarks.pool.work.Waiters;
import dev.spindle.benchmarks.pool.work.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** All rows of the comparison. */
final class Cells {
    /** One of each kind, and what a short run can do in three minutes. */
    static final Set<String> QUICK = Set.of(
            "flood-t8-0.1us",
            "window-t64-x1-10us-s10",
            "window-t64-x4-1us-spin",
            "million-t8",
            "handoff-0us",
            "open-1000",
            "burst-100",
            "chains",
            "fanout-age",
            "sleeps",
            "reads",
            "mix",
            "crowd-flood",
            "quota",
            "shared-total",
            "shared-quiet",
            "pareto",
            "full-queue",
            "idle");

    private static final int MOST_OUTSTANDING = 4_096;
    private static final int MILLION = 1_000_000;

    private final List<Cell> cells = new ArrayList<>();

    private Cells() {}

    /** In the order of the report. */
    static List<Cell> all() {
        Cells made = new Cells();
        made.floods();
        made.windows();
        made.clients();
        made.insideThePool();
        made.blocking();
        made.neighbours();
        made.uneven();
        made.add("idle", Cell.IDLE, "idle for 10 s, 64 threads started", new Idle(64, 1, 10));
        made.add("idle-20", Cell.IDLE, "idle for 10 s, 20 pools with 8 threads each started", new Idle(8, 20, 10));
        return List.copyOf(made.cells);
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
            add("million-t" + threads, Cell.MILLION, "a million tasks of 1 us, " + threads + " threads", million);
        }
    }

    private void flood(String name, int threads, int producers, double micros) {
        int tasks = (int) Math.min(MILLION, Math.max(6_000, 400_000 / micros));
        add(
                "flood-" + name + "-" + number(micros) + "us",
                Cell.FLOOD,
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
                Cell.WINDOW,
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
            add("handoff-" + micros + "us", Cell.HANDOFF, title, new HandOff(8, micros));
        }
        for (int rate : new int[] {100, 1_000, 10_000, 100_000}) {
            String title = String.format(Locale.ROOT, "%,d tasks of 1 us a second, 8 threads", rate);
            add("open-" + rate, Cell.OPEN, title, new OpenLoop(8, rate, new Lengths.Equal(1), 0));
        }
        for (int size : new int[] {10, 100, 1_000}) {
            String title = String.format(Locale.ROOT, "a burst of %,d tasks of 1 us every 5 ms, 16 threads", size);
            add("burst-" + size, Cell.BURST, title, new Bursts(16, size));
        }
    }

    private void insideThePool() {
        String fanOut = "1 task starts 100 inside the pool, 8 such at a time, 1 us, 16 threads";
        add("chain-1", Cell.FORK, "a single chain inside the pool, 1 us, 16 threads", new Chains(16, 1, 1, false));
        add("chains", Cell.FORK, "64 chains inside the pool, 1 us, 16 threads", new Chains(16, 64, 1, false));
        add("fanout", Cell.FORK, fanOut, new FanOut(16, 8, 100, 1, false));
        add("tree", Cell.FORK, "a binary tree of 65,535 tasks inside the pool, 1 us, 16 threads", new Tree(16, 16, 1));
        add("chains-age", Cell.AGE, "age of tasks: 64 chains, 16 threads", new Chains(16, 64, 1, true));
        add("fanout-age", Cell.AGE, "age of tasks: " + fanOut, new FanOut(16, 8, 100, 1, true));
    }

    private void blocking() {
        add("sleeps", Cell.BLOCK, "640 sleeps of 10 ms, 64 threads", new Waiters(64, 640, 10, false));
        add("reads", Cell.BLOCK, "640 socket reads of 10 ms, 64 threads", new Waiters(64, 640, 10, true));
        add(
                "mix",
                Cell.BLOCK,
                "20,000 tasks a second, 1 % sleep 5 ms, the others take 1 us, 64 threads",
                new OpenLoop(64, 20_000, new Lengths.Equal(1), 100));
    }

    private void neighbours() {
        add(
                "crowd-flood",
                Cell.CROWD,
                "flood of tasks of 1 us, 64 threads, beside 4 busy processes",
                new Crowded(new Flood(64, 1, 1, 200_000, MOST_OUTSTANDING, false), 4));
        add(
                "crowd-window",
                Cell.CROWD,
                "64 tasks of 1 us outstanding, 64 threads, beside 4 busy processes",
                new Crowded(new Window(64, 64, 1, Window.Sleeps.NEVER, false), 4));
        cells.add(new Cell(
                "quota",
                Cell.CROWD,
                "10,000 tasks of 100 us a second, 64 threads, a quota of 1.5 processors",
                new OpenLoop(64, 10_000, new Lengths.Equal(100), 0),
                Confinement.QUOTA));
        cells.add(new Cell(
                "one-core",
                Cell.CROWD,
                "5,000 tasks of 100 us a second, 64 threads, one core",
                new OpenLoop(64, 5_000, new Lengths.Equal(100), 0),
                Confinement.ONE_CORE));
        add(
                "shared-total",
                Cell.SHARE,
                "32 executors and 10,000 keys on one pool, tasks of 1 us, 8 threads",
                new SharedTotal(8, 32, 4, 10_000, 1));
        add(
                "shared-quiet",
                Cell.SHARE,
                "31 executors with 100 tasks a second each, one flooded, 8 threads",
                new QuietBeside(8, 32, 4, 3_100));
    }

    private void uneven() {
        add(
                "pareto",
                Cell.UNEVEN,
                "5,000 tasks of 1 us to 10 ms a second, most of them short, 8 threads",
                new OpenLoop(8, 5_000, new Lengths.Pareto(1, 10_000, 0.6), 0));
        add("slow-producer", Cell.UNEVEN, "a task of 1 us every 5 to 50 us, 8 threads", new SlowProducer(8));
        add(
                "full-queue",
                Cell.UNEVEN,
                "4 producers at a full queue of 64, tasks of 1 us, 8 threads",
                new FullQueue(8, 4, 64, 1));
        add("phases", Cell.UNEVEN, "computing, blocking, idling, computing again, 64 threads", new Phases(64));
    }

    private void add(String name, String group, String title, Workload workload) {
        cells.add(new Cell(name, group, title, workload));
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Integer.toString((int) value) : Double.toString(value);
    }
}
