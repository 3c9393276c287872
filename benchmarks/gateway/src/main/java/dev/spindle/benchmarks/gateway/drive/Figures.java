// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.compare.Figure;

/** What the forks of gateways find. All but the load's own figures are those of the gateway's process alone. */
public final class Figures {
    /** Processor time. */
    public static final Figure CPU = Figure.less("cpu_s_per_1000", "CPU s/1,000 requests");

    public static final Figure RATE = Figure.more("requests_per_s", "requests/s");
    public static final Figure MEAN = Figure.less("mean_ms", "latency, ms");
    /** What a request takes beyond the delay of its backends. */
    public static final Figure P50 = Figure.less("p50_excess_ms", "p50 above the delay, ms");

    public static final Figure P99 = Figure.less("p99_excess_ms", "p99 above the delay, ms");

    /** Of one processor. */
    public static final Figure CPU_PERCENT = Figure.less("cpu_percent", "cpu, % of a processor");

    public static final Figure USER_PERCENT = Figure.less("user_percent", "user, %");
    public static final Figure SYSTEM_PERCENT = Figure.less("system_percent", "sys, %");
    /** The most at a time, the JVM's own included. */
    public static final Figure ALL_THREADS = Figure.worst("all_threads", "threads in all");

    public static final Figure SWITCHES = Figure.less("switches_per_request", "context switches/request");
    public static final Figure SYSTEM_CALLS = Figure.less("system_calls_per_request", "system calls/request");
    public static final Figure MEMORY = Figure.worst("peak_mib", "peak memory, MiB");
    public static final Figure BAD = Figure.worst("bad", "errors and other statuses than 200");

    // ---------------------------------------------------------------- how many at once
    public static final Figure HIGHEST =
            Figure.more("highest_connections", "most connections within the service level");
    public static final Figure BROKEN_BAD = Figure.less("broken_bad_percent", "errors at the next step, %");
    public static final Figure BROKEN_RATE = Figure.more("broken_rate_percent", "answered at the next step, %");
    public static final Figure BROKEN_P99 =
            Figure.less("broken_p99_excess_ms", "p99 above the delay at the next step, ms");

    // ---------------------------------------------------------------- more than there is capacity for
    public static final Figure GOODPUT = Figure.more("goodput_percent", "good answers, % of the capacity");
    public static final Figure ACCEPTED = Figure.less("accepted_p99", "p99 of good answers, x that without overload");
    public static final Figure REFUSED = Figure.less("refused_p99_ms", "p99 of refusals, ms");
    public static final Figure REFUSED_SHARE = Figure.less("refused_percent", "refused, %");

    private Figures() {}
}
