// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.GatewayConfig;
import dev.spindle.gateway.config.RouteConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The routes and backends of one configuration. Immutable; a request goes by that which it found when its head was
 * read.
 */
final class Routing {
    final GatewayConfig config;
    final Map<String, Backend> backends;
    private final Map<String, Route> whole = new HashMap<>();
    private final Map<String, Route> below = new HashMap<>();

    /** Makes the routes of {@code config}, with the backends of {@code before} as far as they are the same. */
    Routing(Core core, GatewayConfig config, @Nullable Routing before) {
        this.config = config;
        Map<String, Backend> made = new LinkedHashMap<>();
        for (BackendConfig backend : config.backends().values()) {
            Backend old = before == null ? null : before.backends.get(backend.name());
            made.put(backend.name(), old != null && old.config.equals(backend) ? old : new Backend(core, backend));
        }
        backends = made;
        for (RouteConfig route : config.routes()) {
            List<Backend> of = new ArrayList<>();
            for (String name : route.backends()) {
                of.add(Objects.requireNonNull(made.get(name)));
            }
            Route own = new Route(
                    route,
                    of,
                    core.metrics.route(route.pattern()),
                    config.limits().body());
            (route.below() ? below : whole).put(route.path(), own);
        }
    }

    /** Returns the route of a normalised path: that of the whole path, or else the longest that has it below. */
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

    /** Closes the backends that {@code next} does not use. */
    void retireFor(Routing next) {
        for (Backend backend : backends.values()) {
            if (next.backends.get(backend.config.name()) != backend) {
                backend.retire();
            }
        }
    }
}
