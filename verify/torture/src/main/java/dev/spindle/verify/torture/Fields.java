// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Encodes names and values on one line. */
final class Fields {
    private Fields() {}

    /** Returns a line that {@link #decode} accepts. */
    static String encode(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue())
                .collect(Collectors.joining(" "));
    }

    /** Returns the names and values of a line; words without {@code =} are skipped. */
    static Map<String, String> decode(String line) {
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
