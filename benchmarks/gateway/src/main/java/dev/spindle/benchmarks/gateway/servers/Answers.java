// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What the gateways answer: the body of a single call as it is, those of several as a JSON array in the backends'
 * order; Spindle's as the parts of one body.
 */
public final class Answers {
    static final String TYPE = "application/json";

    private Answers() {}

    /** Whether a body holds what the backends answered, each once, in their order, whatever stands between. */
    public static boolean complete(Route route, String body) {
        if (route.inTurn()) {
            return body.contains(Echo.body(route.calls()));
        }
        int from = 0;
        for (int backend = 1; backend <= route.calls(); backend++) {
            int found = body.indexOf(Echo.body(backend), from);
            if (found < 0 || body.indexOf(Echo.body(backend), found + 1) >= 0) {
                return false;
            }
            from = found;
        }
        return true;
    }

    static String together(List<String> bodies) {
        return bodies.size() == 1 ? bodies.get(0) : bodies.stream().collect(Collectors.joining(",", "[", "]"));
    }
}
