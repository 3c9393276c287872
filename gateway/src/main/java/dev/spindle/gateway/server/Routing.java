// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.backend.Backend;
import dev.spindle.gateway.backend.BackendContext;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.metrics.GatewayMetrics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The routes and backends of one configuration. Immutable. A request uses the routing that was current when its head
 * was read.
 */
final class Routing {
    final Settings config;
    final Map<String, Backend> backends;
    /** The routes without a star, by their paths. */
    private final Map<String, Route> whole = new HashMap<>();
    /** The routes with a star, by their paths without the star. */
    private final Map<String, Route> below = new HashMap<>();

    /**
     * Creates the routes of {@code config}, with the backends of {@code before} that are unchanged.
     *
     * @param metrics the counts of each route
     * @param context the context of new backends
     */
    Routing(Settings config, GatewayMetrics metrics, BackendContext context, @Nullable Routing before) {
        this.config = config;
        Map<String, Backend> made = new LinkedHashMap<>();
        for (BackendConfig backend : config.backends().values()) {
            Backend old = before == null ? null : before.backends.get(backend.name());
            made.put(backend.name(), old != null && old.config.equals(backend) ? old : new Backend(context, backend));
        }
        backends = made;
        for (RouteConfig route : config.routes()) {
            List<Backend> of = new ArrayList<>();
            for (String name : route.backends()) {
                of.add(Objects.requireNonNull(made.get(name)));
            }
            Route own = new Route(
                    route, of, metrics.route(route.pattern()), config.limits().body());
            (route.below() ? below : whole).put(route.path(), own);
        }
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

    /** Retires the backends that {@code next} does not use. May be called by any thread. */
    void retireFor(Routing next) {
        for (Backend backend : backends.values()) {
            if (next.backends.get(backend.config.name()) != backend) {
                backend.retire();
            }
        }
    }
}
