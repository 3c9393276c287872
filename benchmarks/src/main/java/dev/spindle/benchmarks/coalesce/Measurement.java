// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.benchmarks.forks.Fields;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one fork found.
 *
 * @param updates how many were sent
 * @param nanos wall time for each, until all was shown
 * @param cpuNanos processor time of the whole process for each
 * @param ratio updates for each one that was shown
 * @param threads most live threads above those before, the producers not counted
 * @param backwards shown although a later one of the producer and the key had been, or that one once more
 * @param stale keys whose last update was not shown
 * @param foreignPercent share of the machine that other processes took
 */
record Measurement(
        long updates,
        double nanos,
        double cpuNanos,
        double ratio,
        int threads,
        long backwards,
        long stale,
        double foreignPercent) {
    long violations() {
        return backwards + stale;
    }

    Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("updates", Long.toString(updates));
        fields.put("ns", Fields.number(nanos));
        fields.put("cpu_ns", Fields.number(cpuNanos));
        fields.put("ratio", Fields.number(ratio));
        fields.put("threads", Integer.toString(threads));
        fields.put("backwards", Long.toString(backwards));
        fields.put("stale", Long.toString(stale));
        fields.put("foreign_percent", Fields.number(foreignPercent));
        return fields;
    }

    String encode() {
        return Fields.encode(fields());
    }

    /** @throws IllegalArgumentException if the line is not what {@link #encode} writes */
    static Measurement decode(String line) {
        Map<String, String> fields = Fields.decode(line);
        return new Measurement(
                (long) value(fields, "updates", line),
                value(fields, "ns", line),
                value(fields, "cpu_ns", line),
                value(fields, "ratio", line),
                (int) value(fields, "threads", line),
                (long) value(fields, "backwards", line),
                (long) value(fields, "stale", line),
                value(fields, "foreign_percent", line));
    }

    private static double value(Map<String, String> fields, String name, String line) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no field '" + name + "' in the line '" + line + "'");
        }
        return Double.parseDouble(value);
    }
}
