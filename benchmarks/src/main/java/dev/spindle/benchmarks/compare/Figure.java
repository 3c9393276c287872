// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A quantity that a fork measures.
 *
 * @param field the name in {@code forks.csv}
 * @param title the name in the report, with the unit
 * @param moreIsBetter true if larger values are better
 * @param summary the function that combines the values of a fork's passes
 */
public record Figure(String field, String title, boolean moreIsBetter, Summary summary) {
    /** The processor time of the whole process. */
    public static final Figure CPU = less("cpu_ns_per_op", "CPU ns/op");
    /** The voluntary context switches of the contender's threads and the harness's threads that feed them. */
    public static final Figure VOLUNTARY = less("voluntary_per_op", "voluntary switches/op");

    public static final Figure INVOLUNTARY = less("involuntary_per_op", "involuntary switches/op");
    /** The peak number of live platform threads, minus the number before the contender was created. */
    public static final Figure THREADS = less("threads", "threads");
    /** The number of operations that were lost, duplicated or out of order. */
    public static final Figure VIOLATIONS = new Figure("violations", "violations", false, Summary.SUM);
    /** The percentage of the machine's processor time that other processes used. */
    public static final Figure FOREIGN = less("foreign_percent", "foreign %");
    /** The elapsed time per operation of a pass. */
    public static final Figure NANOS = less("ns_per_op", "ns/op");
    /** The time per operation of the first passes of a fork that warms up. */
    public static final Figure COLD = less("cold_ns_per_op", "ns/op cold");

    public static final Figure PASSES = new Figure("passes", "passes", true, Summary.SUM);
    public static final Figure OPS = new Figure("ops", "ops", true, Summary.SUM);
    /** The number of {@code futex} system calls, in forks that count them. */
    public static final Figure FUTEX = less("futex_per_op", "futex calls/op");
    /** The time for which the kernel throttled the fork, in a cell with a quota. */
    public static final Figure THROTTLED = less("throttled_ms_per_s", "throttled, ms of each second");

    /** The figures that a table shows in addition to the costs, if at least one fork has them. */
    static final List<Figure> OPTIONAL = List.of(COLD, FUTEX, THROTTLED);

    /** The figures that forks of all cells may have. */
    static final List<Figure> COMMON =
            List.of(CPU, VOLUNTARY, INVOLUNTARY, THREADS, VIOLATIONS, FOREIGN, PASSES, OPS, COLD, FUTEX, THROTTLED);

    public enum Summary {
        MEDIAN,
        LARGEST,
        SUM
    }

    /** The median and the 99th percentile of a latency. */
    public record Times(Figure median, Figure tail, double nanosPerUnit) {
        public static Times nanos(String field, String title) {
            return of(field, title, "ns", 1);
        }

        public static Times micros(String field, String title) {
            return of(field, title, "us", 1_000);
        }

        private static Times of(String field, String title, String unit, double nanosPerUnit) {
            return new Times(
                    less(field + "_p50_" + unit, title + " p50, " + unit),
                    less(field + "_p99_" + unit, title + " p99, " + unit),
                    nanosPerUnit);
        }
    }

    /** Returns a figure of which less is better; a fork reports the median of its passes. */
    public static Figure less(String field, String title) {
        return new Figure(field, title, false, Summary.MEDIAN);
    }

    /** Returns a figure of which more is better; a fork reports the median of its passes. */
    public static Figure more(String field, String title) {
        return new Figure(field, title, true, Summary.MEDIAN);
    }

    /** Returns a figure of which less is better; a fork reports the largest value of its passes. */
    public static Figure worst(String field, String title) {
        return new Figure(field, title, false, Summary.LARGEST);
    }

    private static final double LARGE = 1_000;

    static String encode(Map<String, Double> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + number(field.getValue()))
                .collect(Collectors.joining(" "));
    }

    /**
     * Returns the figures of a line; words without {@code =} are skipped.
     *
     * @throws NumberFormatException if a figure is not a number
     */
    public static Map<String, Double> decode(String line) {
        Map<String, Double> fields = new LinkedHashMap<>();
        for (String field : line.strip().split(" ", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(field.substring(0, equals), Double.valueOf(field.substring(equals + 1)));
            }
        }
        return fields;
    }

    static String number(double value) {
        return Double.isNaN(value)
                ? "NaN"
                : String.format(Locale.ROOT, Math.abs(value) >= LARGE ? "%.1f" : "%.6f", value);
    }
}
