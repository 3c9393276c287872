// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Named figures on one line: how the options of an operation are written. */
final class Fields {
    private Fields() {}

    /** One line that {@link #decode} understands. */
    static String encode(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue())
                .collect(Collectors.joining(" "));
    }

    /** The names and values of a line; what is no pair is left out. */
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
