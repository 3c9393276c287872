// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.flow.Breaker;
import dev.spindle.flow.Bulkhead;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * All counts, and their text in the format of Prometheus. Counting takes no lock; tags are routes and backends only.
 */
final class Metrics {
    private final ConcurrentMap<String, RouteMetrics> routes = new ConcurrentHashMap<>();
    final LongAdder shed = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder cutOff = new LongAdder();

    /** Returns the counts of a route, which go on when routes change. */
    RouteMetrics route(String pattern) {
        return routes.computeIfAbsent(pattern, key -> new RouteMetrics());
    }

    String text(Core core) {
        StringBuilder out = new StringBuilder(4 << 10);
        type(out, "spindle_gateway_requests_total", "counter", "Requests that ended, by route and class of status.");
        routes.forEach((pattern, counts) -> {
            for (int i = 0; i < 6; i++) {
                if (counts.answers(i) > 0) {
                    line(
                            out,
                            "spindle_gateway_requests_total",
                            counts.answers(i),
                            "route",
                            pattern,
                            "status",
                            i == 0 ? "none" : i + "xx");
                }
            }
        });
        type(
                out,
                "spindle_gateway_request_seconds",
                "histogram",
                "From the head of a request to the end of its answer.");
        routes.forEach((pattern, counts) -> histogram(out, pattern, counts));
        gateway(core, out);
        Routing routing = core.routing();
        type(out, "spindle_gateway_backend_calls_total", "counter", "Attempts that got a connection.");
        for (Map.Entry<String, Backend> backend : routing.backends.entrySet()) {
            line(
                    out,
                    "spindle_gateway_backend_calls_total",
                    backend.getValue().metrics.calls.sum(),
                    "backend",
                    backend.getKey());
        }
        type(out, "spindle_gateway_backend_failures_total", "counter", "Attempts that ended without an answer.");
        for (Map.Entry<String, Backend> backend : routing.backends.entrySet()) {
            line(
                    out,
                    "spindle_gateway_backend_failures_total",
                    backend.getValue().metrics.failures.sum(),
                    "backend",
                    backend.getKey());
        }
        type(out, "spindle_gateway_backend_connections_opened_total", "counter", "Connections that were opened.");
        for (Map.Entry<String, Backend> backend : routing.backends.entrySet()) {
            line(
                    out,
                    "spindle_gateway_backend_connections_opened_total",
                    backend.getValue().metrics.connections.sum(),
                    "backend",
                    backend.getKey());
        }
        guards(routing, out);
        return out.toString();
    }

    private void gateway(Core core, StringBuilder out) {
        single(out, "spindle_gateway_connections", "gauge", "Connections of clients.", core.connections.open());
        single(
                out,
                "spindle_gateway_connections_accepted_total",
                "counter",
                "Connections that were accepted.",
                core.connections.accepted());
        single(
                out,
                "spindle_gateway_connections_refused_total",
                "counter",
                "Connections beyond the limit.",
                core.connections.refused());
        single(out, "spindle_gateway_requests_in_flight", "gauge", "Requests under way.", core.gate.inFlight());
        single(out, "spindle_gateway_requests_limit", "gauge", "Requests that may be under way.", core.gate.limit());
        single(
                out,
                "spindle_gateway_shed_total",
                "counter",
                "Requests refused because too many were under way.",
                shed.sum());
        single(
                out,
                "spindle_gateway_held_bytes",
                "gauge",
                "Bytes of bodies and answers that are held.",
                core.memory.used());
        single(
                out,
                "spindle_gateway_held_bytes_limit",
                "gauge",
                "Bytes of bodies and answers that may be held.",
                core.memory.most());
        single(out, "spindle_gateway_refused_total", "counter", "Requests refused for what they were.", refused.sum());
        single(out, "spindle_gateway_cut_off_total", "counter", "Requests cut off by a drain.", cutOff.sum());
        single(
                out,
                "spindle_gateway_access_log_dropped_total",
                "counter",
                "Lines of the access log that were dropped.",
                core.accessLog.dropped());
        single(out, "spindle_gateway_event_loops", "gauge", "Event loops.", core.loops.length);
        single(out, "spindle_gateway_draining", "gauge", "1 while the gateway drains.", core.isDraining() ? 1 : 0);
        single(
                out,
                "spindle_gateway_routes",
                "gauge",
                "Routes.",
                core.routing().config.routes().size());
    }

    private static void guards(Routing routing, StringBuilder out) {
        type(out, "spindle_gateway_backend_in_flight", "gauge", "Calls that hold a permit of the bulkhead.");
        for (Map.Entry<String, Backend> backend : routing.backends.entrySet()) {
            Bulkhead bulkhead = backend.getValue().bulkhead;
            if (bulkhead != null) {
                line(out, "spindle_gateway_backend_in_flight", bulkhead.inFlight(), "backend", backend.getKey());
            }
        }
        type(out, "spindle_gateway_backend_limit", "gauge", "Calls that may hold a permit of the bulkhead.");
        for (Map.Entry<String, Backend> backend : routing.backends.entrySet()) {
            Bulkhead bulkhead = backend.getValue().bulkhead;
            if (bulkhead != null) {
                line(out, "spindle_gateway_backend_limit", bulkhead.limit(), "backend", backend.getKey());
            }
        }
        type(out, "spindle_gateway_backend_breaker_open", "gauge", "1 if the breaker is open, 0.5 if it is half-open.");
        for (Map.Entry<String, Backend> backend : routing.backends.entrySet()) {
            Breaker breaker = backend.getValue().breaker;
            if (breaker != null) {
                line(
                        out,
                        "spindle_gateway_backend_breaker_open",
                        switch (breaker.state()) {
                            case CLOSED -> 0.0;
                            case HALF_OPEN -> 0.5;
                            case OPEN -> 1.0;
                        },
                        "backend",
                        backend.getKey());
            }
        }
    }

    private static void histogram(StringBuilder out, String pattern, RouteMetrics counts) {
        String name = "spindle_gateway_request_seconds";
        long sum = 0;
        for (int i = 0; i < RouteMetrics.BOUNDS.length; i++) {
            sum += counts.bucket(i);
            line(
                    out,
                    name + "_bucket",
                    sum,
                    "route",
                    pattern,
                    "le",
                    String.format(Locale.ROOT, "%s", RouteMetrics.BOUNDS[i] / 1000.0));
        }
        sum += counts.bucket(RouteMetrics.BOUNDS.length);
        line(out, name + "_bucket", sum, "route", pattern, "le", "+Inf");
        line(out, name + "_sum", counts.seconds(), "route", pattern);
        line(out, name + "_count", sum, "route", pattern);
    }

    private static void single(StringBuilder out, String name, String type, String help, long value) {
        type(out, name, type, help);
        line(out, name, value);
    }

    private static void type(StringBuilder out, String name, String type, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void line(StringBuilder out, String name, long value, String... tags) {
        name(out, name, tags).append(value).append('\n');
    }

    private static void line(StringBuilder out, String name, double value, String... tags) {
        name(out, name, tags).append(value).append('\n');
    }

    private static StringBuilder name(StringBuilder out, String name, String... tags) {
        out.append(name);
        for (int i = 0; i < tags.length; i += 2) {
            out.append(i == 0 ? '{' : ',').append(tags[i]).append("=\"");
            out.append(tags[i + 1].replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
                    .append('"');
        }
        if (tags.length > 0) {
            out.append('}');
        }
        return out.append(' ');
    }
}
