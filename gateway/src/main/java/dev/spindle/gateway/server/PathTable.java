// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The routes of one host, by their paths. Not changed after the first search. */
final class PathTable {
    /** The routes without a star, by their paths. */
    private final Map<String, Route> whole = new HashMap<>();
    /** The routes with a star, by their paths without the star. */
    private final Map<String, Route> below = new HashMap<>();

    void add(Route route) {
        (route.config.below() ? below : whole).put(route.config.path(), route);
    }

    /**
     * Returns the route of a normalised path: the route without a star that has this path, otherwise the route with a
     * star that has the longest matching path; null if no route matches.
     */
    @Nullable
    Route find(String path) {
        Route found = whole.get(path);
        if (found != null || below.isEmpty()) {
            return found;
        }
        for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
            found = below.get(path.substring(0, end));
            if (found != null) {
                return found;
            }
        }
        return below.get("/");
    }
}
