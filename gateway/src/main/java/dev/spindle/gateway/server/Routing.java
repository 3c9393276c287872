// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.backend.Backend;
import dev.spindle.gateway.backend.BackendContext;
import dev.spindle.gateway.config.Address;
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
     * Creates the routes of {@code config}, with the backends of {@code before} that are unchanged or have other
     * instances. If a backend cannot be created, the others that are new are retired.
     *
     * @param metrics the counts of each route
     * @param context the context of new backends
     */
    Routing(Settings config, GatewayMetrics metrics, BackendContext context, @Nullable Routing before) {
        this.config = config;
        Map<String, Backend> made = new LinkedHashMap<>();
        try {
            for (BackendConfig backend : config.backends().values()) {
                Backend kept = before == null ? null : before.unchanged(backend);
                made.put(backend.name(), kept == null ? new Backend(context, backend) : kept);
            }
        } catch (RuntimeException | Error e) {
            made.values().stream() // H7
                    .filter(backend -> before == null || !before.backends.containsValue(backend))
                    .forEach(Backend::retire);
            throw e;
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
                    metrics.route(route.label()),
                    config.limits().body(),
                    context.loops().size());
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

    /** Returns the backend with this configuration, or with the same except for its instances; null for none. */
    private @Nullable Backend unchanged(BackendConfig next) {
        BackendConfig now = config.backends().get(next.name());
        return now != null && (now.equals(next) || now.differsInInstancesAlone(next))
                ? backends.get(next.name())
                : null;
    }

    /**
     * Retires the backends that {@code next} does not use, and replaces changed instances of those that it uses. May be
     * called by any thread.
     */
    void giveWayTo(Routing next) {
        for (Backend backend : backends.values()) {
            String name = backend.config.name();
            if (next.backends.get(name) != backend) {
                backend.retire();
            } else if (backend.several != null && !next.instances(name).isEmpty()) {
                backend.several.replace(next.instances(name));
            }
        }
    }

    private List<Address> instances(String backend) {
        return Objects.requireNonNull(config.backends().get(backend)).instances();
    }
}
