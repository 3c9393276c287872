// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The routes of every gateway. */
public enum Route {
    /** One call; the gateway returns its body unchanged. */
    ONE(1),
    /**
     * Seven concurrent calls. The response is a JSON array of the bodies in the backends' order. Spindle's gateway
     * returns a multipart body instead.
     */
    LARGE(7);

    public static final int BACKENDS = 7;

    static final String TYPE = "application/json";

    private final int calls;

    Route(int calls) {
        this.calls = calls;
    }

    /** Returns the number of backends that a request calls. */
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

    /** Returns true if the body contains each backend's response exactly once, in the backends' order. */
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
