// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import java.util.Arrays;
import java.util.Optional;

/** What a fork can find. A cell names those that it has; the first of them decides who is strongest there. */
public enum Figure {
    RATE("tasks_per_s", "tasks/s", true),
    SUBMIT_P50("submit_p50_ns", "submit p50, ns", false),
    SUBMIT_P99("submit_p99_ns", "submit p99, ns", false),
    ROUND_TRIP_P50("round_trip_p50_us", "round trip p50, us", false),
    ROUND_TRIP_P99("round_trip_p99_us", "round trip p99, us", false),
    DELAY_P50("delay_p50_us", "start delay p50, us", false),
    DELAY_P99("delay_p99_us", "start delay p99, us", false),
    MAKESPAN_P50("makespan_p50_us", "makespan p50, us", false),
    MAKESPAN_P99("makespan_p99_us", "makespan p99, us", false),
    BURST_SUBMIT_P50("burst_submit_p50_us", "handing a burst over p50, us", false),
    /** Counted by Spindle alone. */
    WAKE_UPS("wake_ups_per_burst", "wake-ups per burst", false),
    BURST_SWITCHES("voluntary_per_burst", "voluntary switches of its threads per burst", false),
    FIRST_ROUND("first_round_ms", "first round, ms", false),
    SECOND_ROUND("second_round_ms", "second round, ms", false),
    IDLE_CPU("idle_cpu_ms_per_min", "CPU ms of its threads per idle minute", false),
    IDLE_SWITCHES("idle_switches_per_s", "their switches per idle second", false),
    /** What a task's delay is in a queue: how many others started between its submit and its own start; the largest. */
    OLDEST("oldest_starts", "starts while the oldest task waited", false),
    OLDEST_P99("oldest_starts_p99", "the same, p99 of the tasks", false),
    PER_CPU_SECOND("tasks_per_cpu_s", "tasks per own CPU second", true),
    THROTTLED("throttled_ms_per_s", "throttled, ms of each second", false),
    QUIET_RATIO("quiet_ratio", "quiet ones' p99 beside a flood / alone", false),
    QUIET_ALONE("quiet_alone_p99_us", "quiet ones' start delay alone p99, us", false),
    QUIET_BESIDE("quiet_beside_p99_us", "beside a flood p99, us", false),
    SMALLEST_SHARE("smallest_share_percent", "smallest share of a producer, % of an even one", true),
    RECOVERY("recovery", "rate after blocking and idling / before", true),
    FUTEX("futex_per_task", "futex calls/task", false),
    FUTEX_WAIT("futex_wait_per_task", "futex WAIT/task", false),
    FUTEX_WAKE("futex_wake_per_task", "futex WAKE/task", false),
    CPU_PERCENT("cpu_percent", "CPU, % of a core", false),
    CPU_PER_TASK("cpu_us_per_task", "CPU us/task", false),
    VOLUNTARY("voluntary_per_task", "voluntary switches/task", false),
    INVOLUNTARY("involuntary_per_task", "involuntary switches/task", false),
    THREADS("threads", "threads", false),
    FOREIGN("foreign_percent", "foreign %", false),
    PASSES("passes", "passes", true),
    TASKS("tasks", "tasks", true),
    /** Tasks that did not run exactly once. */
    MISCOUNTED("miscounted", "miscounted", false);

    private final String field;
    private final String title;
    private final boolean moreIsBetter;

    Figure(String field, String title, boolean moreIsBetter) {
        this.field = field;
        this.title = title;
        this.moreIsBetter = moreIsBetter;
    }

    /** Its name in the raw files. */
    public String field() {
        return field;
    }

    /** Its name in the report, with its unit. */
    public String title() {
        return title;
    }

    public boolean moreIsBetter() {
        return moreIsBetter;
    }

    public static Optional<Figure> named(String field) {
        return Arrays.stream(values())
                .filter(figure -> figure.field.equals(field))
                .findFirst();
    }
}
