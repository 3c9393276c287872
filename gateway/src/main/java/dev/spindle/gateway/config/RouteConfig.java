// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A route: the backends that answer the requests of a path, and the way in which they are called. Immutable.
 *
 * <pre>{@code
 * RouteConfig page = RouteConfig.multicast("/page", "users", "orders").limit(Duration.ofSeconds(1)).build();
 * }</pre>
 */
public final class RouteConfig {
    /** The form of a route's path. The constructor also excludes percent signs, and segments that begin with a dot. */
    private static final Pattern PATH = Pattern.compile("/|(?:/[A-Za-z0-9._~!$&'()+,;=:@%-]+)+/?");

    private final Builder options;

    private RouteConfig(Builder options) {
        this.options = options;
    }

    /** The way in which the backends of a route are called. */
    public enum Kind {
        /** One backend, whose answer is forwarded as it arrives. */
        PROXY,
        /** Several backends at once, whose answers become the parts of one answer. */
        MULTICAST,
        /** Several backends one after another, each of which gets the answer of the previous one. */
        PIPELINE
    }

    /** Returns a builder for a route to one backend. */
    public static Builder proxy(String path, String backend) {
        return new Builder(Kind.PROXY, path, List.of(backend));
    }

    /** Returns a builder for a route to several backends at once. */
    public static Builder multicast(String path, String... backends) {
        return new Builder(Kind.MULTICAST, path, List.of(backends));
    }

    /** Returns a builder for a route to several backends one after another. */
    public static Builder pipeline(String path, String... backends) {
        return new Builder(Kind.PIPELINE, path, List.of(backends));
    }

    /** Returns a builder for a route that a file describes. */
    static Builder of(Kind kind, String path, List<String> backends) {
        return new Builder(kind, path, backends);
    }

    /** Returns the way in which the backends are called. */
    public Kind kind() {
        return options.kind;
    }

    /** Returns the path, without a star. */
    public String path() {
        return options.path;
    }

    /** Returns whether the route also serves all paths below its own. */
    public boolean below() {
        return options.below;
    }

    /** Returns the path as written, with its star if it has one. */
    public String pattern() {
        return options.below ? options.path + (options.path.endsWith("/") ? "*" : "/*") : options.path;
    }

    /** Returns the hosts whose requests this route serves; empty for all hosts that no other route names. */
    public List<HostName> hosts() {
        return options.hosts;
    }

    /** Returns hosts and path as written, by which metrics and messages name this route. */
    public String label() {
        return options.hosts.stream().map(HostName::toString).collect(Collectors.joining(",")) + pattern();
    }

    /** Returns the names of the backends, in their order. */
    public List<String> backends() {
        return options.backends;
    }

    /** Returns the time limit of a whole request, by default 30 s. */
    public Duration limit() {
        return options.limit;
    }

    /**
     * Returns the number of backends of a multicast that must answer: {@link #ALL}, {@link #AVAILABLE}, or a number. An
     * answer with status 500 or above counts as a failure.
     */
    public int need() {
        return options.need;
    }

    /** Returns the rule that determines which requests go to the backends one after another. */
    public RequestOrder order() {
        return options.order;
    }

    /** Returns the prefix that is removed from the path before it is sent to the backends; empty for none. */
    public String strip() {
        return options.strip;
    }

    /** Returns the maximum bytes of a request's body; -1 for the limit of {@link Limits#body}. */
    public long body() {
        return options.body;
    }

    /** All backends must answer: the first failure ends the request. */
    public static final int ALL = -1;

    /** The answers received by the time limit are enough, if there is at least one. */
    public static final int AVAILABLE = 0;

    @Override
    public String toString() {
        return "route " + label();
    }

    /** A builder of a {@link RouteConfig}. Not thread-safe. */
    public static final class Builder {
        private final Kind kind;
        private final String path;
        private final boolean below;
        private final List<String> backends;
        private Duration limit = Duration.ofSeconds(30);
        private int need = AVAILABLE;
        private RequestOrder order = RequestOrder.none();
        private String strip = "";
        private long body = -1;
        private List<HostName> hosts = List.of();

        private Builder(Kind kind, String path, List<String> backends) {
            this.kind = kind;
            below = requireNonNull(path, "path").endsWith("/*");
            String bare = below ? path.substring(0, Math.max(1, path.length() - 2)) : path;
            if (!PATH.matcher(bare).matches() || bare.contains("/.") || bare.contains("%")) {
                throw new IllegalArgumentException("'" + path + "' is no path of a route; write for example /orders, or"
                        + " /orders/* for all below it, without dots in front of a segment and without %");
            }
            this.path = bare;
            this.backends = List.copyOf(backends);
            if (this.backends.isEmpty()) {
                throw new IllegalArgumentException("route " + path + " names no backend");
            }
        }

        private Builder(Builder from) {
            kind = from.kind;
            path = from.path;
            below = from.below;
            backends = from.backends;
            limit = from.limit;
            need = from.need;
            order = from.order;
            strip = from.strip;
            body = from.body;
            hosts = from.hosts;
        }

        /** Sets the time limit of a whole request. */
        public Builder limit(Duration time) {
            limit = ArgumentChecks.positive("limit", time);
            return this;
        }

        /**
         * Sets the number of backends of a multicast that must answer.
         *
         * @throws IllegalArgumentException if this route is not a multicast, or has fewer backends than {@code answers}
         */
        public Builder need(int answers) {
            if (kind != Kind.MULTICAST) {
                throw new IllegalArgumentException("only a multicast has 'need'");
            }
            need = (int) ArgumentChecks.within("need", answers, ALL, backends.size());
            return this;
        }

        /** Sets the rule that determines which requests go to the backends one after another. */
        public Builder order(RequestOrder order) {
            this.order = requireNonNull(order, "order");
            return this;
        }

        /**
         * Sets the prefix that is removed from the path.
         *
         * @throws IllegalArgumentException unless {@code prefix} consists of whole segments at the beginning of the
         *     route's path
         */
        public Builder strip(String prefix) {
            if (!prefix.startsWith("/") || prefix.endsWith("/") || !(path + "/").startsWith(prefix + "/")) {
                throw new IllegalArgumentException(
                        "strip must be the front of the path " + path + " up to a slash, is '" + prefix + "'");
            }
            strip = prefix;
            return this;
        }

        /**
         * Sets the hosts whose requests this route serves, such as {@code shop.example} for any port,
         * {@code shop.example:8443}, or {@code *.shop.example} for all hosts below it.
         *
         * @throws IllegalArgumentException if one of them is no host, or is there twice
         */
        public Builder hosts(List<String> names) {
            List<HostName> all = new ArrayList<>();
            for (String name : names) {
                HostName host = HostName.pattern(name);
                if (all.contains(host)) {
                    throw new IllegalArgumentException("the host " + host + " is there twice");
                }
                all.add(host);
            }
            hosts = List.copyOf(all);
            return this;
        }

        /** Sets the maximum bytes of a request's body. */
        public Builder body(long bytes) {
            body = ArgumentChecks.within("body", bytes, 0, Long.MAX_VALUE);
            return this;
        }

        /** Builds the route. */
        public RouteConfig build() {
            return new RouteConfig(new Builder(this));
        }
    }
}
