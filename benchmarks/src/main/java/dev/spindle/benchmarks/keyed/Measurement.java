// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.Fields;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one fork found. Figures that a cell does not have are NaN.
 *
 * @param passes timed passes in this fork
 * @param millis from the first submit to the end of the last event; the median of the passes
 * @param cpuMillis processor time of the whole process in a pass, the mean of the passes
 * @param threads most live threads above those before the contender was made; the producer is not counted
 * @param voluntary context switches in a pass by waiting, of the contender's threads and the producer, the mean
 * @param involuntary the same, forced by the kernel
 * @param misplaced events out of their key's order
 * @param overlaps events that ran beside another of their key
 * @param miscounted events lost or run twice
 * @param foreignPercent share of the machine that other processes took while the passes ran
 * @param delayMillis longest wait of any other key's task while one key was blocked
 * @param quietDelayMillis the same while none was
 */
record Measurement(
        int passes,
        double millis,
        double cpuMillis,
        int threads,
        double voluntary,
        double involuntary,
        long misplaced,
        long overlaps,
        long miscounted,
        double foreignPercent,
        double delayMillis,
        double quietDelayMillis) {

    /** Events for which a promise was broken: order, exclusion, or exactly one run. */
    long violations() {
        return misplaced + overlaps + miscounted;
    }

    /** Names and values in the order of the columns of the raw file. */
    Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("passes", Integer.toString(passes));
        fields.put("ms", Fields.number(millis));
        fields.put("cpu_ms", Fields.number(cpuMillis));
        fields.put("threads", Integer.toString(threads));
        fields.put("voluntary_switches", Fields.number(voluntary));
        fields.put("involuntary_switches", Fields.number(involuntary));
        fields.put("misplaced", Long.toString(misplaced));
        fields.put("overlaps", Long.toString(overlaps));
        fields.put("miscounted", Long.toString(miscounted));
        fields.put("foreign_percent", Fields.number(foreignPercent));
        fields.put("delay_ms", Fields.number(delayMillis));
        fields.put("quiet_delay_ms", Fields.number(quietDelayMillis));
        return fields;
    }

    /** One line that {@link #decode} understands. */
    String encode() {
        return Fields.encode(fields());
    }

    /** @throws IllegalArgumentException if the line is not what {@link #encode} writes */
    static Measurement decode(String line) {
        Map<String, String> fields = Fields.decode(line);
        return new Measurement(
                (int) value(fields, "passes", line),
                value(fields, "ms", line),
                value(fields, "cpu_ms", line),
                (int) value(fields, "threads", line),
                value(fields, "voluntary_switches", line),
                value(fields, "involuntary_switches", line),
                (long) value(fields, "misplaced", line),
                (long) value(fields, "overlaps", line),
                (long) value(fields, "miscounted", line),
                value(fields, "foreign_percent", line),
                value(fields, "delay_ms", line),
                value(fields, "quiet_delay_ms", line));
    }

    private static double value(Map<String, String> fields, String name, String line) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no field '" + name + "' in the line '" + line + "'");
        }
        return Double.parseDouble(value);
    }
}
