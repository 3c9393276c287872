// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.flow.Deadline;
import dev.spindle.flow.Gathered;
import dev.spindle.flow.Outcome;
import dev.spindle.flow.ScatterGather;
import dev.spindle.flow.Service;
import dev.spindle.gateway.config.Order;
import dev.spindle.gateway.config.RouteConfig;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A route while the gateway runs. Immutable. */
final class Route {
    final RouteConfig config;
    final List<Backend> backends;
    final RouteMetrics metrics;
    final long mostBody;
    /** How long a request has to last at least before the end of its time is held against the backends. */
    final Duration expected;

    private final @Nullable Service<BackendRequest, BackendAnswer> single;
    private final @Nullable ScatterGather<BackendRequest> several;

    Route(RouteConfig config, List<Backend> backends, RouteMetrics metrics, long mostBody) {
        this.config = config;
        this.backends = backends;
        this.metrics = metrics;
        this.mostBody = config.body() >= 0 ? config.body() : mostBody;
        expected = expected(config, backends);
        single = switch (config.kind()) {
            case PROXY -> backends.get(0).endpoint;
            case PIPELINE -> pipeline(backends);
            case MULTICAST -> null;
        };
        several = config.kind() == RouteConfig.Kind.MULTICAST ? multicast(config, backends) : null;
    }

    private static Duration expected(RouteConfig config, List<Backend> backends) {
        long nanos = 0;
        for (Backend backend : backends) {
            nanos = config.kind() == RouteConfig.Kind.PIPELINE
                    ? nanos + backend.expectedNanos()
                    : Math.max(nanos, backend.expectedNanos());
        }
        return Duration.ofNanos(Math.min(nanos, config.limit().toNanos()));
    }

    private static ScatterGather<BackendRequest> multicast(RouteConfig config, List<Backend> backends) {
        ScatterGather.Builder<BackendRequest> builder = switch (config.need()) {
            case RouteConfig.ALL -> ScatterGather.all();
            case RouteConfig.AVAILABLE -> ScatterGather.bestEffort();
            default -> ScatterGather.quorum(config.need());
        };
        backends.forEach(backend -> builder.add(backend.endpoint));
        return builder.build();
    }

    private static Service<BackendRequest, BackendAnswer> pipeline(List<Backend> backends) {
        Service<BackendRequest, BackendAnswer> steps = backends.get(0).endpoint;
        for (Backend next : backends.subList(1, backends.size())) {
            steps = steps.then(new NextStep(next));
        }
        return steps;
    }

    /** Returns whether the answer is handed on in pieces as it comes, and the request's body as well. */
    boolean streams() {
        return config.kind() == RouteConfig.Kind.PROXY;
    }

    boolean isPipeline() {
        return config.kind() == RouteConfig.Kind.PIPELINE;
    }

    boolean isMulticast() {
        return several != null;
    }

    CompletableFuture<Outcome<BackendAnswer>> callSingle(BackendRequest request, Deadline deadline) {
        Service<BackendRequest, BackendAnswer> service = single;
        if (service == null) {
            throw new IllegalStateException(config + " has several backends");
        }
        return service.call(request, deadline);
    }

    CompletableFuture<Outcome<Gathered>> callSeveral(BackendRequest request, Deadline deadline) {
        ScatterGather<BackendRequest> services = several;
        if (services == null) {
            throw new IllegalStateException(config + " has one backend");
        }
        return services.call(request, deadline);
    }

    /** Returns the key by which this request is ordered, or null if it is not. */
    @Nullable
    Object orderKey(Exchange exchange) {
        Order order = config.order();
        Object value = switch (order.by()) {
            case NOTHING -> null;
            case CONNECTION -> exchange.isStream() ? exchange.connectionId() : null;
            case HEADER -> exchange.request().headers().get(order.header());
            case SEGMENT -> segment(exchange.path(), order.segment());
        };
        return value == null ? null : new Key(config.pattern(), value);
    }

    private static @Nullable String segment(String path, int number) {
        int start = 0;
        for (int i = 0; i < number; i++) {
            start = path.indexOf('/', start) + 1;
            if (start == 0) {
                return null;
            }
        }
        int end = path.indexOf('/', start);
        String segment = end < 0 ? path.substring(start) : path.substring(start, end);
        return segment.isEmpty() ? null : segment;
    }

    /** A key of one route's order, whose values mean nothing to other routes. */
    private record Key(String route, Object value) {}

    /** A later step of a pipeline: asks its backend with what the one before answered, unless that was no success. */
    private static final class NextStep implements Service<BackendAnswer, BackendAnswer> {
        private final Backend backend;

        NextStep(Backend backend) {
            this.backend = backend;
        }

        @Override
        public CompletableFuture<Outcome<BackendAnswer>> call(BackendAnswer before, Deadline deadline) {
            if (!before.isSuccess()) {
                return CompletableFuture.completedFuture(new Outcome.Value<>(before));
            }
            Exchange exchange = before.request().exchange();
            ByteBuf body = exchange.keep(before.body());
            String type = before.headers().get("content-type");
            return backend.endpoint.call(
                    new BackendRequest(
                            exchange,
                            HttpMethod.POST,
                            body,
                            type == null ? "application/octet-stream" : type,
                            before.headers().get("content-encoding")),
                    deadline);
        }

        @Override
        public void discard(BackendAnswer answer) {
            answer.release();
        }

        @Override
        public String toString() {
            return backend.endpoint.toString();
        }
    }
}
