// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Latency;

/** What the workloads find. */
public final class Figures {
    public static final Figure RATE = Figure.more("tasks_per_s", "tasks/s");
    public static final Latency SUBMIT = Latency.nanos("submit", "submit");
    public static final Latency ROUND_TRIP = Latency.micros("round_trip", "round trip");
    public static final Latency DELAY = Latency.micros("delay", "start delay");
    public static final Latency MAKESPAN = Latency.micros("makespan", "makespan");
    public static final Figure BURST_SUBMIT = Figure.less("burst_submit_p50_us", "handing a burst over p50, us");
    /** Counted by Spindle alone. */
    public static final Figure WAKE_UPS = Figure.less("wake_ups_per_burst", "wake-ups per burst");

    public static final Figure BURST_SWITCHES =
            Figure.less("voluntary_per_burst", "voluntary switches of its threads per burst");
    public static final Figure FIRST_ROUND = Figure.less("first_round_ms", "first round, ms");
    public static final Figure SECOND_ROUND = Figure.less("second_round_ms", "second round, ms");
    public static final Figure IDLE_CPU = Figure.less("idle_cpu_ms_per_min", "CPU ms of its threads per idle minute");
    public static final Figure IDLE_SWITCHES = Figure.less("idle_switches_per_s", "their switches per idle second");
    /** What a task's delay is in a queue: how many others started between its submit and its own start; the largest. */
    public static final Figure OLDEST = Figure.less("oldest_starts", "starts while the oldest task waited");

    public static final Figure OLDEST_P99 = Figure.less("oldest_starts_p99", "the same, p99 of the tasks");
    public static final Figure PER_CPU_SECOND = Figure.more("tasks_per_cpu_s", "tasks per own CPU second");
    public static final Figure QUIET_RATIO = Figure.less("quiet_ratio", "quiet ones' p99 beside a flood / alone");
    public static final Figure QUIET_ALONE = Figure.less("quiet_alone_p99_us", "quiet ones' start delay alone p99, us");
    public static final Figure QUIET_BESIDE = Figure.less("quiet_beside_p99_us", "beside a flood p99, us");
    public static final Figure CPU_PERCENT = Figure.less("cpu_percent", "CPU, % of a core");

    private Figures() {}
}
