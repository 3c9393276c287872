// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

/** Times of which the median and the 99th percentile are wanted. */
public record Latency(Figure median, Figure tail, double nanosPerUnit) {
    /** In nanoseconds. */
    public static Latency nanos(String field, String title) {
        return new Latency(
                Figure.less(field + "_p50_ns", title + " p50, ns"),
                Figure.less(field + "_p99_ns", title + " p99, ns"),
                1);
    }

    /** In microseconds. */
    public static Latency micros(String field, String title) {
        return new Latency(
                Figure.less(field + "_p50_us", title + " p50, us"),
                Figure.less(field + "_p99_us", title + " p99, us"),
                1_000);
    }
}
