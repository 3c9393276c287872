// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One row of the comparison.
 *
 * @param name what {@code --cells} calls it
 * @param group what {@code --cells} calls it and its like
 * @param title what the report calls it
 * @param confinement what of the machine it may use
 */
record Cell(String name, String group, String title, Workload workload, Confinement confinement) {
    static final String FLOOD = "flood";
    static final String WINDOW = "window";
    static final String MILLION = "million";
    static final String HANDOFF = "handoff";
    static final String OPEN = "open";
    static final String BURST = "burst";
    static final String FORK = "fork";
    static final String AGE = "age";
    static final String BLOCK = "block";
    static final String CROWD = "crowd";
    static final String SHARE = "share";
    static final String UNEVEN = "uneven";
    static final String IDLE = "idle";

    static final List<Cell> ALL = Cells.all();

    /** Less than a JVM takes to start and to calibrate. */
    private static final Duration START = Duration.ofMillis(700);

    private static final double SHORT_SCALE = 0.05;

    Cell(String name, String group, String title, Workload workload) {
        this(name, group, title, workload, Confinement.NONE);
    }

    static List<Cell> quick() {
        return ALL.stream().filter(cell -> Cells.QUICK.contains(cell.name)).toList();
    }

    static Optional<Cell> named(String name) {
        return ALL.stream().filter(cell -> cell.name.equals(name)).findFirst();
    }

    static List<Cell> of(String group) {
        return ALL.stream().filter(cell -> cell.group.equals(group)).toList();
    }

    /** What its forks find; the first figure decides who is strongest. */
    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>(workload.figures());
        if (confinement == Confinement.QUOTA) {
            figures.add(Figure.THROTTLED);
        }
        return figures;
    }

    /** Whether system calls per task say something about it. */
    boolean countsFutex() {
        return confinement == Confinement.NONE && !group.equals(IDLE) && !group.equals(CROWD) && !group.equals(AGE);
    }

    /** About how long a fork takes on an undisturbed machine with few processors. */
    Duration expected(double scale) {
        Workload.Effort effort = workload.effort();
        if (scale < 1) {
            return START.plus(scaled(effort.pass(), Math.max(scale, SHORT_SCALE)));
        }
        return START.plus(effort.warmUp()).plus(effort.timed()).plus(effort.pass());
    }

    /** About how long it takes to count its system calls in a fork of their own. */
    Duration expectedCount() {
        return countsFutex() ? START.plus(workload.effort().pass().multipliedBy(2)) : Duration.ZERO;
    }

    private static Duration scaled(Duration time, double scale) {
        return Duration.ofNanos((long) (time.toNanos() * scale));
    }

    @Override
    public String toString() {
        return name;
    }
}
