// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import dev.spindle.gateway.Gateway;
import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.BreakerConfig;
import dev.spindle.gateway.config.Concurrency;
import dev.spindle.gateway.config.GatewayConfig;
import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.config.RequestOrder;
import dev.spindle.gateway.config.RouteConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Spindle's gateway with one event loop, and every answer of a multicast needed. */
final class SpindleGateway implements Server {
    /**
     * The learned limit. It begins with half of the calls that the overloaded backend serves at once, and may grow far
     * beyond.
     */
    private static final Concurrency LEARNED = Concurrency.adaptive(10, 50, 2_000);

    private final Plan plan;

    SpindleGateway(Plan plan) {
        this.plan = plan;
    }

    @Override
    public List<Integer> start() throws IOException {
        GatewayConfig.Builder config = GatewayConfig.builder()
                .listen(new Address("127.0.0.1", 0))
                .threads(1)
                .limits(limits());
        for (int backend = 1; backend <= Route.BACKENDS; backend++) {
            config.backend(backend(backend));
        }
        for (Route route : Route.values()) {
            config.route(route(route));
        }
        return List.of(Gateway.start(config.build()).address().port());
    }

    private Limits limits() {
        Limits.Builder limits = Limits.builder();
        if (plan.guard() == Plan.Guard.REQUESTS) {
            limits.requests(LEARNED);
        }
        return limits.build();
    }

    private BackendConfig backend(int backend) {
        BackendConfig.Builder config = BackendConfig.builder(
                name(backend), "http://127.0.0.1:" + plan.backends().get(backend - 1));
        if (plan.guard() == Plan.Guard.CALLS) {
            config.limit(Duration.ofMillis(Plan.LIMIT_MILLIS))
                    .bulkhead(Concurrency.fixed(plan.callsAtOnce()), 0)
                    .breaker(BreakerConfig.DEFAULT);
        }
        return config.build();
    }

    private RouteConfig route(Route route) {
        RequestOrder order = plan.guard() == Plan.Guard.ORDER ? RequestOrder.byConnection() : RequestOrder.none();
        String[] backends = IntStream.rangeClosed(1, route.calls())
                .mapToObj(SpindleGateway::name)
                .toArray(String[]::new);
        return route.calls() == 1
                ? RouteConfig.proxy(route.path(), backends[0]).order(order).build()
                : RouteConfig.multicast(route.path(), backends)
                        .need(RouteConfig.ALL)
                        .order(order)
                        .build();
    }

    private static String name(int backend) {
        return "echo" + backend;
    }
}
