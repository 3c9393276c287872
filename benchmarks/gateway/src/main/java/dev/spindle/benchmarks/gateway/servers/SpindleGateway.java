// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import dev.spindle.gateway.ConfigException;
import dev.spindle.gateway.Gateway;
import dev.spindle.gateway.GatewayConfig;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Spindle's gateway with one event loop; a multicast waits for all its answers. */
final class SpindleGateway implements Server {
    private final Plan plan;

    SpindleGateway(Plan plan) {
        this.plan = plan;
    }

    @Override
    public List<Integer> start() throws IOException {
        try {
            GatewayConfig config = GatewayConfig.parse("benchmark", text());
            return List.of(Gateway.create(config).address().getPort());
        } catch (ConfigException e) {
            throw new IllegalStateException(e);
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder("listen: 127.0.0.1:0\nthreads: 1\n");
        if (plan.guard() == Plan.Guard.REQUESTS) {
            // The initial limit is half of the backend's capacity, and the maximum is far above the capacity.
            text.append("limits: {requests: {min: 10, initial: 50, max: 2000}}\n");
        }
        text.append("backends:\n");
        for (int backend = 1; backend <= Route.BACKENDS; backend++) {
            text.append("  echo%d: {url: \"http://127.0.0.1:%d\"%s}\n"
                    .formatted(backend, plan.backends().get(backend - 1), guards()));
        }
        text.append("routes:\n");
        for (Route route : Route.values()) {
            text.append("  - {path: \"%s\", %s, order: %s}\n"
                    .formatted(route.path(), calls(route), plan.guard() == Plan.Guard.ORDER ? "connection" : "none"));
        }
        return text.toString();
    }

    private String guards() {
        return plan.guard() == Plan.Guard.CALLS
                ? ", limit: %dms, bulkhead: {concurrent: %d, waiting: 0}, breaker: on"
                        .formatted(Plan.LIMIT_MILLIS, plan.callsAtOnce())
                : "";
    }

    private static String calls(Route route) {
        return route.calls() == 1
                ? "proxy: echo1"
                : IntStream.rangeClosed(1, route.calls())
                        .mapToObj(backend -> "echo" + backend)
                        .collect(Collectors.joining(", ", "multicast: [", "], need: all"));
    }
}
