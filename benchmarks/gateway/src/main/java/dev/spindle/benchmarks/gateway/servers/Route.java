// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A kind of request to a gateway, which every gateway has. */
public enum Route {
    /** One call; its answer is passed on as it is. */
    ONE(1),
    /** Seven calls at once; a JSON array of their answers in the backends' order, from Spindle a multipart body. */
    LARGE(7);

    public static final int BACKENDS = 7;

    static final String TYPE = "application/json";

    private final int calls;

    Route(int calls) {
        this.calls = calls;
    }

    /** Returns the number of backends that a request calls, beginning with the first. */
    public int calls() {
        return calls;
    }

    public String path() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }

    static Optional<Route> at(String path) {
        return Arrays.stream(values())
                .filter(route -> route.path().equals(path))
                .findFirst();
    }

    /** Returns true if a body holds the answer of each backend, each once, in their order. */
    public boolean complete(String body) {
        int from = 0;
        for (int backend = 1; backend <= calls; backend++) {
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
