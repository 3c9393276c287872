// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.config.HostName;
import dev.spindle.gateway.protocol.Refusal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The routes by host. A host that a route names exactly precedes a host with a star, a longer host with a star precedes
 * a shorter one, and a host with a port precedes the same host without a port. Other hosts have the routes without a
 * host. Not changed after the first search.
 */
final class HostTable {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /** The routes of hosts as they are named, with a port if the port is named. */
    private final Map<String, PathTable> named = new HashMap<>();
    /** The routes of all other hosts; null if there are none. */
    private @Nullable PathTable others;

    void add(Route route) {
        if (route.config.hosts().isEmpty()) {
            if (others == null) {
                others = new PathTable();
            }
            others.add(route);
        }
        for (HostName host : route.config.hosts()) {
            named.computeIfAbsent(host.toString(), key -> new PathTable()).add(route);
        }
    }

    /**
     * Returns the routes of a host.
     *
     * @param authority the field Host; null if the request has none
     * @param secure true if the scheme is https, which determines the port of a host without one
     * @throws Refusal if the field is malformed, or no route serves the host
     */
    PathTable find(@Nullable String authority, boolean secure) throws Refusal {
        PathTable found = named.isEmpty() || authority == null ? others : named(authority, secure);
        if (found == null) {
            throw new Refusal(421, "no route for the host " + authority);
        }
        return found;
    }

    private @Nullable PathTable named(String authority, boolean secure) throws Refusal {
        HostName host = HostName.parse(authority);
        if (host == null) {
            throw new Refusal(400, "a Host that is none");
        }
        String port = ":" + (host.port() < 0 ? (secure ? HTTPS : HTTP) : host.port());
        String name = host.name();
        PathTable found = withOrWithout(name, port);
        for (int dot = name.indexOf('.'); found == null && dot >= 0; dot = name.indexOf('.', dot + 1)) {
            found = withOrWithout("*" + name.substring(dot), port);
        }
        return found == null ? others : found;
    }

    private @Nullable PathTable withOrWithout(String name, String port) {
        PathTable found = named.get(name + port);
        return found == null ? named.get(name) : found;
    }
}
