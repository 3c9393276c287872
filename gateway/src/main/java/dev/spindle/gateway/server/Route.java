// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.flow.Deadline;
import dev.spindle.flow.Gathered;
import dev.spindle.flow.Outcome;
import dev.spindle.flow.ScatterGather;
import dev.spindle.flow.ScatterGatherBuilder;
import dev.spindle.flow.Service;
import dev.spindle.gateway.backend.Backend;
import dev.spindle.gateway.backend.BackendAnswer;
import dev.spindle.gateway.backend.BackendRequest;
import dev.spindle.gateway.backend.ClientRequest;
import dev.spindle.gateway.config.RequestOrder;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Timeouts;
import dev.spindle.gateway.metrics.RouteMetrics;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A route while the gateway runs: its backends, combined according to the kind of the route. Immutable; calls may be
 * made by any thread.
 */
final class Route {
    /** The configuration of this route. */
    final RouteConfig config;
    /** The beginnings of the parts of a multipart answer, one for each backend. */
    final List<byte[]> partBeginnings;
    /** The counts of the requests of this route, which continue after a reload. */
    final RouteMetrics metrics;
    /** The maximum bytes of a request's body. */
    final long mostBody;
    /**
     * The shortest time limit of a request whose timeout counts against the backends. A shorter limit comes from the
     * client's deadline.
     */
    final Duration expected;

    /** Calls the only backend, or the backends one after another; null for a multicast. */
    private final @Nullable Service<BackendRequest, BackendAnswer> single;
    /** Calls all backends at once; null unless this is a multicast. */
    private final @Nullable ScatterGather<BackendRequest> several;

    /** The only backend, or those of the steps or parts. */
    final List<Backend> backends;
    /** The limits of calls whose endpoint sets no timer, one for each loop, which makes it; null if endpoints do. */
    private final @Nullable Timeouts @Nullable [] limits;

    /**
     * Creates a route.
     *
     * @param mostBody the maximum bytes of a body, if the configuration of the route has none
     * @param loops the number of event loops
     */
    Route(RouteConfig config, List<Backend> backends, RouteMetrics metrics, long mostBody, int loops) {
        this.backends = List.copyOf(backends);
        this.config = config;
        partBeginnings = backends.stream()
                .map(backend -> Multipart.beginning(backend.config.name()))
                .toList();
        this.metrics = metrics;
        this.mostBody = config.body() >= 0 ? config.body() : mostBody;
        expected = expected(config, backends);
        single = switch (config.kind()) {
            case PROXY -> backends.get(0).endpoint;
            case PIPELINE -> pipeline(backends);
            case MULTICAST -> null;
        };
        several = config.kind() == RouteConfig.Kind.MULTICAST ? multicast(config, backends) : null;
        limits = streams() && !backends.get(0).callsAgain() ? new Timeouts[loops] : null;
    }

    /**
     * Returns {@link #expected}: the sum of the expected durations of the backends of a pipeline, otherwise their
     * maximum, but at most the limit of the route.
     */
    private static Duration expected(RouteConfig config, List<Backend> backends) {
        long nanos = 0;
        for (Backend backend : backends) {
            nanos = config.kind() == RouteConfig.Kind.PIPELINE
                    ? nanos + backend.expectedNanos()
                    : Math.max(nanos, backend.expectedNanos());
        }
        return Duration.ofNanos(Math.min(nanos, config.limit().toNanos()));
    }

    /** Returns a service that calls all backends at once. */
    private static ScatterGather<BackendRequest> multicast(RouteConfig config, List<Backend> backends) {
        ScatterGatherBuilder<BackendRequest> builder = ScatterGather.builder();
        switch (config.need()) {
            case RouteConfig.ALL -> {}
            case RouteConfig.AVAILABLE -> builder.bestEffort();
            default -> builder.quorum(config.need());
        }
        backends.forEach(backend -> builder.add(backend.endpoint));
        return builder.build();
    }

    /** Returns a service that calls the backends one after another, each with the answer of the previous one. */
    private static Service<BackendRequest, BackendAnswer> pipeline(List<Backend> backends) {
        Service<BackendRequest, BackendAnswer> steps = backends.get(0).endpoint;
        for (Backend next : backends.subList(1, backends.size())) {
            steps = steps.andThen(new NextStep(next));
        }
        return steps;
    }

    /** Returns whether body and answer are forwarded in pieces as they arrive. */
    boolean streams() {
        return config.kind() == RouteConfig.Kind.PROXY;
    }

    /** Returns whether backends are called one after another. */
    boolean isPipeline() {
        return config.kind() == RouteConfig.Kind.PIPELINE;
    }

    /** Returns whether several answers are gathered. */
    boolean isMulticast() {
        return several != null;
    }

    /** Calls the only backend, or the steps of the pipeline. The answer belongs to the caller. */
    CompletableFuture<Outcome<BackendAnswer>> callSingle(BackendRequest request, Deadline deadline) {
        Service<BackendRequest, BackendAnswer> service = single;
        if (service == null) {
            throw new IllegalStateException(config + " has several backends");
        }
        return service.call(request, deadline);
    }

    /**
     * Returns the time limits of the calls of this route on a loop, for {@link #callWatched}; null if calls need the
     * timers of their endpoint. Called on the loop.
     */
    @Nullable
    Timeouts limits(ConnectionLoop loop) {
        if (limits == null) {
            return null;
        }
        Timeouts of = limits[loop.index];
        if (of == null) {
            of = new Timeouts(loop.executor, loop.clock(), config.limit());
            limits[loop.index] = of;
        }
        return of;
    }

    /** Calls the only backend. The caller cancels the call at the deadline. The answer belongs to the caller. */
    CompletableFuture<Outcome<BackendAnswer>> callWatched(BackendRequest request, Deadline deadline) {
        return backends.get(0).endpoint.callWatched(request, deadline);
    }

    /** Calls all backends of a multicast. The answers belong to the caller. */
    CompletableFuture<Outcome<Gathered>> callSeveral(BackendRequest request, Deadline deadline) {
        ScatterGather<BackendRequest> services = several;
        if (services == null) {
            throw new IllegalStateException(config + " has one backend");
        }
        return services.call(request, deadline);
    }

    /**
     * Returns the key by which a request is ordered, or null if the request has no order.
     *
     * @param stream the identity of the connection of an HTTP/2 stream; null for HTTP/1.1, whose requests always keep
     *     their order
     * @param client the address of the client
     */
    @Nullable
    Object orderKey(HttpRequest request, String path, @Nullable Object stream, String client) {
        RequestOrder order = config.order();
        Object value = switch (order.by()) {
            case NOTHING -> null;
            case CONNECTION -> stream;
            case CLIENT -> client;
            case HEADER -> request.headers().get(order.header());
            case SEGMENT -> segment(path, order.segment());
        };
        return value == null ? null : new Key(config.label(), value);
    }

    /** Returns a segment of a path; null if the path has fewer segments or the segment is empty. */
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

    /** An order key. The keys of different routes differ even if their values are equal. */
    private record Key(String route, Object value) {}

    /**
     * A later step of a pipeline, which sends its backend the answer of the previous step. An answer other than 2xx
     * ends the pipeline.
     */
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
            ClientRequest client = before.request().client();
            ByteBuf body = client.keep(before.body());
            String type = before.headers().get("content-type");
            return backend.endpoint.call(
                    new BackendRequest(
                            client,
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
