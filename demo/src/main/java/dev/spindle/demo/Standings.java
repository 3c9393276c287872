// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/** Compares Spindle's run with the best other run in each measure. In all measures, less is better. */
final class Standings {

    /** The ratio up to which two times are called level, because single runs vary by about as much. */
    private static final double LEVEL = 1.05;

    private record Measure(String name, ToLongFunction<Figures> value, LongFunction<String> text, boolean exact) {

        long of(RunResult run) {
            return value.applyAsLong(run.figures());
        }

        String textOf(RunResult run) {
            return text.apply(of(run));
        }
    }

    private static final List<Measure> MEASURES = List.of(
            new Measure("total time", Figures::wallNanos, nanos -> ResultTable.seconds(nanos) + " s", false),
            new Measure("threads", Figures::threads, ResultTable::grouped, true),
            new Measure("switches", Figures::switches, ResultTable::switches, true),
            new Measure("longest wait", Figures::longestWaitNanos, nanos -> ResultTable.millis(nanos) + " ms", false),
            new Measure("waits > 1 ms", Figures::late, ResultTable::grouped, true));

    private Standings() {}

    /**
     * Returns a line for each measure.
     *
     * @param ours the run of Spindle
     * @param others the other runs that handled all events
     */
    static List<String> of(RunResult ours, List<RunResult> others) {
        List<String> lines = new ArrayList<>();
        for (Measure measure : MEASURES) {
            others.stream()
                    .min(Comparator.comparingLong(measure::of))
                    .ifPresent(best -> lines.add("  %-13s %s".formatted(measure.name(), line(measure, ours, best))));
        }
        return lines;
    }

    private static String line(Measure measure, RunResult ours, RunResult best) {
        String spindle = "Spindle " + measure.textOf(ours);
        String order = best.inOrder() ? " " : " (out of order) ";
        String other = best.name() + order + measure.textOf(best);
        double level = measure.exact() ? 1 : LEVEL;
        if (measure.of(ours) > measure.of(best) * level) {
            return other + "; " + spindle;
        }
        if (measure.of(best) > measure.of(ours) * level) {
            return spindle + "; next: " + other;
        }
        return spindle + ", level with " + other;
    }
}
