// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.backend.Backend;
import dev.spindle.gateway.backend.BackendContext;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.metrics.GatewayMetrics;
import dev.spindle.gateway.protocol.Refusal;
import java.util.ArrayList;
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
    private final HostTable hosts = new HostTable();

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
                    route, of, metrics.route(route.label()), config.limits().body());
            hosts.add(own);
        }
    }

    /**
     * Returns the route of a host and a normalised path.
     *
     * @param authority the field Host; null if the request has none
     * @param secure true if the scheme is https
     * @throws Refusal if no route matches
     */
    Route find(@Nullable String authority, boolean secure, String path) throws Refusal {
        Route found = hosts.find(authority, secure).find(path);
        if (found == null) {
            throw new Refusal(404, "no route for " + path);
        }
        return found;
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
