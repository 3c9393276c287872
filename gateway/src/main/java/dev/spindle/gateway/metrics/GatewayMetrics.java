// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.metrics;

import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts of a gateway and of its routes. Any thread may count and read; counting takes no lock. */
public final class GatewayMetrics {
    /** Requests that were refused because too many were under way, or too many bytes were held. */
    public final LongAdder shed = new LongAdder();
    /** Requests that were refused before they began, except for those that were shed. */
    public final LongAdder refused = new LongAdder();
    /** Requests that a drain cut off. */
    public final LongAdder cutOff = new LongAdder();

    private final ConcurrentMap<String, RouteMetrics> routes = new ConcurrentHashMap<>();

    /** Creates counts, all of them zero. */
    public GatewayMetrics() {}

    /** Returns the counts of a route, which continue when routes are replaced. */
    public RouteMetrics route(String pattern) {
        return routes.computeIfAbsent(pattern, key -> new RouteMetrics());
    }

    /** Returns the counts of all present and former routes, by their patterns. */
    public Map<String, RouteMetrics> routes() {
        return Collections.unmodifiableMap(routes);
    }
}
