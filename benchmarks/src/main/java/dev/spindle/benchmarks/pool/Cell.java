// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * One row of the comparison.
 *
 * @param name what {@code --cells} calls it
 * @param group what {@code --cells} calls it and its like
 * @param title what the report calls it
 */
record Cell(String name, String group, String title, Workload workload) {
    static final String FLOOD = "flood";
    static final String WINDOW = "window";
    static final String MILLION = "million";
    static final String HANDOFF = "handoff";
    static final String OPEN = "open";
    static final String BURST = "burst";
    static final String FORK = "fork";
    static final String BLOCK = "block";
    static final String IDLE = "idle";

    private static final int MOST_OUTSTANDING = 4_096;
    /** Less than a JVM takes to start and to calibrate. */
    private static final Duration START = Duration.ofMillis(700);

    private static final double SHORT_SCALE = 0.05;

    static final List<Cell> ALL = all();

    /** One of each kind, and what a short run can do in three minutes. */
    private static final Set<String> QUICK = Set.of(
            "flood-t8-0.1us",
            "flood-t64-1us",
            "flood-t8-100us",
            "window-t8-x4-1us",
            "window-t64-x1-10us-s10",
            "million-t8",
            "handoff-0us",
            "open-1000",
            "burst-100",
            "chains",
            "fanout",
            "sleeps",
            "mix",
            "idle");

    static List<Cell> quick() {
        return ALL.stream().filter(cell -> QUICK.contains(cell.name)).toList();
    }

    static Optional<Cell> named(String name) {
        return ALL.stream().filter(cell -> cell.name.equals(name)).findFirst();
    }

    static List<Cell> of(String group) {
        return ALL.stream().filter(cell -> cell.group.equals(group)).toList();
    }

    /** About how long a fork takes on an undisturbed machine with few processors. */
    Duration expected(double scale) {
        Workload.Effort effort = workload.effort();
        if (scale < 1) {
            return START.plus(scaled(effort.pass(), Math.max(scale, SHORT_SCALE)));
        }
        return START.plus(effort.warmUp()).plus(effort.timed()).plus(effort.pass());
    }

    private static Duration scaled(Duration time, double scale) {
        return Duration.ofNanos((long) (time.toNanos() * scale));
    }

    private static List<Cell> all() {
        List<Cell> cells = new ArrayList<>();
        for (int threads : new int[] {8, 64}) {
            for (double micros : new double[] {0.1, 1, 10, 100}) {
                cells.add(flood(threads, micros));
            }
        }
        for (int threads : new int[] {8, 64, 256}) {
            for (double multiple : new double[] {0.5, 1, 4}) {
                for (int micros : new int[] {1, 10, 100}) {
                    for (Window.Sleeps sleeps : Window.Sleeps.values()) {
                        cells.add(window(threads, multiple, micros, sleeps));
                    }
                }
            }
        }
        for (int threads : new int[] {8, 64}) {
            Workload workload = new Flood(threads, 1, 1_000_000, 1_000_000, true);
            cells.add(new Cell(
                    "million-t" + threads, MILLION, "a million tasks of 1 us, " + threads + " threads", workload));
        }
        for (int micros : new int[] {0, 10, 1_000}) {
            String title = "submit().get(), " + micros + " us of computing between, 8 threads";
            cells.add(new Cell("handoff-" + micros + "us", HANDOFF, title, new HandOff(8, micros)));
        }
        for (int rate : new int[] {1_000, 10_000}) {
            String title = String.format(Locale.ROOT, "%,d tasks of 1 us a second, 8 threads", rate);
            cells.add(new Cell("open-" + rate, OPEN, title, new OpenLoop(8, rate, 0)));
        }
        for (int size : new int[] {10, 100, 1_000}) {
            String title = String.format(Locale.ROOT, "a burst of %,d tasks of 1 us every 5 ms, 16 threads", size);
            cells.add(new Cell("burst-" + size, BURST, title, new Bursts(16, size)));
        }
        cells.add(new Cell("chains", FORK, "64 chains inside the pool, 1 us, 16 threads", new Chains(16, 64, 1)));
        cells.add(new Cell(
                "fanout",
                FORK,
                "1 task starts 100 inside the pool, 8 such at a time, 1 us, 16 threads",
                new FanOut(16, 8, 100, 1)));
        cells.add(new Cell("sleeps", BLOCK, "640 sleeps of 10 ms, 64 threads", new Sleepers(64, 640, 10)));
        cells.add(new Cell(
                "mix",
                BLOCK,
                "20,000 tasks a second, 1 % sleep 5 ms, the others take 1 us, 64 threads",
                new OpenLoop(64, 20_000, 100)));
        cells.add(new Cell(IDLE, IDLE, "idle for 10 s, 64 threads started", new Idle(64, 10)));
        return List.copyOf(cells);
    }

    private static Cell flood(int threads, double micros) {
        int tasks = (int) Math.min(1_000_000, Math.max(6_000, 400_000 / micros));
        String time = number(micros) + " us";
        return new Cell(
                "flood-t" + threads + "-" + number(micros) + "us",
                FLOOD,
                "flood of tasks of " + time + ", " + threads + " threads",
                new Flood(threads, micros, tasks, MOST_OUTSTANDING, false));
    }

    private static Cell window(int threads, double multiple, int micros, Window.Sleeps sleeps) {
        int window = (int) (threads * multiple);
        String suffix = switch (sleeps) {
            case NEVER -> "";
            case RARELY -> "-s1";
            case OFTEN -> "-s10";
        };
        return new Cell(
                "window-t" + threads + "-x" + number(multiple) + "-" + micros + "us" + suffix,
                WINDOW,
                String.format(
                        Locale.ROOT,
                        "%,d tasks of %d us outstanding, %d threads, %s",
                        window,
                        micros,
                        threads,
                        sleeps.title()),
                new Window(threads, window, micros, sleeps));
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Integer.toString((int) value) : Double.toString(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
