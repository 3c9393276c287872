// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Named figures on one line: how a fork hands its result to the process that started it. */
public final class Fields {
    private Fields() {}

    /** One line that {@link #decode} understands. */
    public static String encode(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue())
                .collect(Collectors.joining(" "));
    }

    /** The names and values of a line; what is no pair is left out. */
    public static Map<String, String> decode(String line) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : line.trim().split(" ", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(field.substring(0, equals), field.substring(equals + 1));
            }
        }
        return fields;
    }
}
