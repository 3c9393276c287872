// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.List;

/**
 * What a fork can find.
 *
 * @param field its name in the raw file
 * @param title its name in the report, with its unit
 * @param moreIsBetter whether a large value is a good one
 * @param summary what the figure of a fork is, of those of its passes
 */
public record Figure(String field, String title, boolean moreIsBetter, Summary summary) {
    /** Processor time of the whole process. */
    public static final Figure CPU = less("cpu_ns_per_op", "CPU ns/op");

    /** Context switches of the contender's threads and those of the harness that feed it. */
    public static final Figure VOLUNTARY = less("voluntary_per_op", "voluntary switches/op");

    public static final Figure INVOLUNTARY = less("involuntary_per_op", "involuntary switches/op");

    /** Most live threads above those before the contender was made; virtual threads do not count. */
    public static final Figure THREADS = less("threads", "threads");

    /** What was lost, doubled or out of order. */
    public static final Figure VIOLATIONS = new Figure("violations", "violations", false, Summary.SUM);

    /** Share of the machine that other processes took, in percent. */
    public static final Figure FOREIGN = less("foreign_percent", "foreign %");

    /** Time of a pass by its operations, which each fork finds; it counts where a cell asks for it. */
    public static final Figure NANOS = less("ns_per_op", "ns/op");

    /** The same of the first passes of a process, where a fork warms up. */
    public static final Figure COLD = less("cold_ns_per_op", "ns/op cold");

    public static final Figure PASSES = new Figure("passes", "passes", true, Summary.SUM);

    public static final Figure OPS = new Figure("ops", "ops", true, Summary.SUM);

    /** System calls, where they are counted. */
    public static final Figure FUTEX = less("futex_per_op", "futex calls/op");

    public static final Figure FUTEX_WAIT = less("futex_wait_per_op", "futex WAIT/op");

    public static final Figure FUTEX_WAKE = less("futex_wake_per_op", "futex WAKE/op");

    /** How long the kernel held the process up, in a cell with a quota. */
    public static final Figure THROTTLED = less("throttled_ms_per_s", "throttled, ms of each second");

    /** What a cache line takes from one processor to another and back, while a fork ran. */
    public static final Figure DISTANCE = less("distance_ns", "processors apart, ns");

    /** Those that any cell may have. */
    static final List<Figure> COMMON = List.of(
            CPU,
            VOLUNTARY,
            INVOLUNTARY,
            THREADS,
            VIOLATIONS,
            FOREIGN,
            PASSES,
            OPS,
            COLD,
            FUTEX,
            FUTEX_WAIT,
            FUTEX_WAKE,
            THROTTLED,
            DISTANCE);

    /** How the values of the passes make one of the fork. */
    public enum Summary {
        MEDIAN,
        LARGEST,
        SUM
    }

    /** A time, or another cost. */
    public static Figure less(String field, String title) {
        return new Figure(field, title, false, Summary.MEDIAN);
    }

    /** A rate, or another gain. */
    public static Figure more(String field, String title) {
        return new Figure(field, title, true, Summary.MEDIAN);
    }

    /** A cost of which the worst counts, and not the usual one. */
    public static Figure worst(String field, String title) {
        return new Figure(field, title, false, Summary.LARGEST);
    }
}
