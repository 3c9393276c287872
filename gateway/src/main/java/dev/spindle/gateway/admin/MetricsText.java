// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.admin;

import dev.spindle.flow.Breaker;
import dev.spindle.flow.Bulkhead;
import dev.spindle.gateway.backend.Backend;
import dev.spindle.gateway.metrics.RouteMetrics;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/**
 * The metrics of a gateway in the text format of Prometheus. The values of tags come from the configuration or from
 * fixed sets, so that a client cannot add a time series.
 */
public final class MetricsText {
    private MetricsText() {}

    /**
     * Returns the metrics of a gateway. A request that ends at the same time may be in some counts and not in others.
     */
    public static String of(GatewayStatus status) {
        StringBuilder out = new StringBuilder(4 << 10);
        type(out, "spindle_gateway_requests_total", "counter", "Requests that ended, by route and class of status.");
        Map<String, RouteMetrics> routes = status.metrics().routes();
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
        gateway(status, out);
        Collection<Backend> backends = status.backends();
        type(out, "spindle_gateway_backend_calls_total", "counter", "Attempts that got a connection.");
        for (Backend backend : backends) {
            line(
                    out,
                    "spindle_gateway_backend_calls_total",
                    backend.metrics.calls.sum(),
                    "backend",
                    backend.config.name());
        }
        type(out, "spindle_gateway_backend_failures_total", "counter", "Attempts that ended without an answer.");
        for (Backend backend : backends) {
            line(
                    out,
                    "spindle_gateway_backend_failures_total",
                    backend.metrics.failures.sum(),
                    "backend",
                    backend.config.name());
        }
        type(out, "spindle_gateway_backend_connections_opened_total", "counter", "Connections that were opened.");
        for (Backend backend : backends) {
            line(
                    out,
                    "spindle_gateway_backend_connections_opened_total",
                    backend.metrics.connections.sum(),
                    "backend",
                    backend.config.name());
        }
        guards(backends, out);
        InstancesText.of(backends, out);
        return out.toString();
    }

    /** Appends the metrics that do not belong to a route or a backend. */
    private static void gateway(GatewayStatus status, StringBuilder out) {
        single(
                out,
                "spindle_gateway_connections",
                "gauge",
                "Connections of clients.",
                status.connections().open());
        single(
                out,
                "spindle_gateway_connections_accepted_total",
                "counter",
                "Connections that were accepted.",
                status.connections().accepted());
        single(
                out,
                "spindle_gateway_connections_refused_total",
                "counter",
                "Connections beyond the limit.",
                status.connections().refused());
        single(
                out,
                "spindle_gateway_requests_in_flight",
                "gauge",
                "Requests under way.",
                status.gate().stats().running());
        single(
                out,
                "spindle_gateway_requests_limit",
                "gauge",
                "Requests that may be under way.",
                status.gate().stats().maxConcurrency());
        single(
                out,
                "spindle_gateway_shed_total",
                "counter",
                "Requests refused because too many were under way.",
                status.metrics().shed.sum());
        single(
                out,
                "spindle_gateway_held_bytes",
                "gauge",
                "Bytes of bodies and answers that are held.",
                status.memory().used());
        single(
                out,
                "spindle_gateway_held_bytes_limit",
                "gauge",
                "Bytes of bodies and answers that may be held.",
                status.memory().most());
        single(
                out,
                "spindle_gateway_refused_total",
                "counter",
                "Requests refused for what they were.",
                status.metrics().refused.sum());
        single(
                out,
                "spindle_gateway_cut_off_total",
                "counter",
                "Requests cut off by a drain.",
                status.metrics().cutOff.sum());
        single(
                out,
                "spindle_gateway_access_log_dropped_total",
                "counter",
                "Lines of the access log that were dropped.",
                status.accessLog().dropped());
        single(out, "spindle_gateway_event_loops", "gauge", "Event loops.", status.eventLoops());
        single(out, "spindle_gateway_draining", "gauge", "1 while the gateway drains.", status.isDraining() ? 1 : 0);
        single(out, "spindle_gateway_routes", "gauge", "Routes.", status.routes());
    }

    /** Appends the state of bulkheads and breakers. */
    private static void guards(Collection<Backend> backends, StringBuilder out) {
        type(out, "spindle_gateway_backend_in_flight", "gauge", "Calls that hold a permit of the bulkhead.");
        for (Backend backend : backends) {
            Bulkhead bulkhead = backend.bulkhead;
            if (bulkhead != null) {
                line(
                        out,
                        "spindle_gateway_backend_in_flight",
                        bulkhead.stats().running(),
                        "backend",
                        backend.config.name());
            }
        }
        type(out, "spindle_gateway_backend_limit", "gauge", "Calls that may hold a permit of the bulkhead.");
        for (Backend backend : backends) {
            Bulkhead bulkhead = backend.bulkhead;
            if (bulkhead != null) {
                line(
                        out,
                        "spindle_gateway_backend_limit",
                        bulkhead.stats().maxConcurrency(),
                        "backend",
                        backend.config.name());
            }
        }
        type(out, "spindle_gateway_backend_breaker_open", "gauge", "1 if the breaker is open, 0.5 if it is half-open.");
        for (Backend backend : backends) {
            Breaker breaker = backend.breaker;
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
                        backend.config.name());
            }
        }
    }

    /** Appends the durations of a route, as cumulative buckets. */
    private static void histogram(StringBuilder out, String pattern, RouteMetrics counts) {
        String name = "spindle_gateway_request_seconds";
        long sum = 0;
        for (int i = 0; i < RouteMetrics.buckets() - 1; i++) {
            sum += counts.bucket(i);
            line(
                    out,
                    name + "_bucket",
                    sum,
                    "route",
                    pattern,
                    "le",
                    String.format(Locale.ROOT, "%s", RouteMetrics.bound(i) / 1000.0));
        }
        sum += counts.bucket(RouteMetrics.buckets() - 1);
        line(out, name + "_bucket", sum, "route", pattern, "le", "+Inf");
        line(out, name + "_sum", counts.seconds(), "route", pattern);
        line(out, name + "_count", sum, "route", pattern);
    }

    /** Appends a metric that has one value. */
    private static void single(StringBuilder out, String name, String type, String help, long value) {
        type(out, name, type, help);
        line(out, name, value);
    }

    static void type(StringBuilder out, String name, String type, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    static void line(StringBuilder out, String name, long value, String... tags) {
        name(out, name, tags).append(value).append('\n');
    }

    private static void line(StringBuilder out, String name, double value, String... tags) {
        name(out, name, tags).append(value).append('\n');
    }

    /** Appends a name with its tags, given as alternating keys and values. */
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
