// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A server that the gateway calls, with its guards. Immutable. When the configuration is replaced, a backend that is
 * equal to a previous backend keeps its connections, breaker and limits.
 *
 * <pre>{@code
 * BackendConfig orders = BackendConfig.builder("orders", "http://127.0.0.1:9002")
 *         .limit(Duration.ofSeconds(2))
 *         .bulkhead(Concurrency.fixed(200), 100)
 *         .breaker(BreakerConfig.DEFAULT)
 *         .retry(2)
 *         .build();
 * }</pre>
 */
public final class BackendConfig {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Pattern BASE = Pattern.compile("(?:/[A-Za-z0-9._~-]+)*/?");

    private final Builder options;

    private BackendConfig(Builder options) {
        this.options = options;
    }

    /**
     * Returns a builder.
     *
     * @param name the name, of at most 64 letters, digits and {@code _.-}
     * @param url the url, such as {@code http://127.0.0.1:9001} or {@code https://users.example/api}
     * @throws IllegalArgumentException if the name or the url is not valid
     */
    public static Builder builder(String name, String url) {
        return new Builder(name, url);
    }

    /** Returns the name, for routes, messages and metrics. */
    public String name() {
        return options.name;
    }

    /** Returns the host and the port. */
    public Address address() {
        return options.address;
    }

    /** Returns whether TLS is used. */
    public boolean secure() {
        return options.secure;
    }

    /**
     * Returns the path that precedes the path of each call. The path is empty, or begins with a slash and does not end
     * with a slash.
     */
    public String base() {
        return options.base;
    }

    /**
     * Returns the time limit of one attempt, including the wait for a connection; null if only the limit of the request
     * applies.
     */
    public @Nullable Duration limit() {
        return options.limit;
    }

    /** Returns the time that opening a connection may take, by default 1 s. */
    public Duration connectTime() {
        return options.connectTime;
    }

    /**
     * Returns the maximum number of open connections, by default 4,096, shared evenly among the event loops. If there
     * are more event loops than connections, connections pass from one loop to another.
     */
    public int connections() {
        return options.connections;
    }

    /**
     * Returns the maximum number of calls that wait for a connection, by default 1,024, also shared among the event
     * loops.
     */
    public int waiting() {
        return options.waiting;
    }

    /** Returns the time for which an idle connection is kept, by default 30 s. */
    public Duration idle() {
        return options.idle;
    }

    /** Returns the maximum number of calls under way; null for no limit. */
    public @Nullable Concurrency concurrent() {
        return options.concurrent;
    }

    /** Returns the maximum number of calls that wait for a permit of the bulkhead, by default 0. */
    public int queue() {
        return options.queue;
    }

    /** Returns the breaker; null for none. */
    public @Nullable BreakerConfig breaker() {
        return options.breaker;
    }

    /** Returns the maximum number of times that a failed call is repeated; 0 for never. */
    public int retries() {
        return options.retries;
    }

    /** Returns the percentile of durations after which a slow call is made a second time, such as 0.95; 0 for never. */
    public double hedgePercentile() {
        return options.hedgePercentile;
    }

    /** Returns the time after which a slow call is made a second time; null for never. */
    public @Nullable Duration hedgeAfter() {
        return options.hedgeAfter;
    }

    /** Returns which calls may be made a second time. */
    public Repeat repeat() {
        return options.repeat;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BackendConfig that && options.key().equals(that.options.key());
    }

    @Override
    public int hashCode() {
        return options.key().hashCode();
    }

    @Override
    public String toString() {
        return "backend " + options.name + " at " + options.address;
    }

    /** The calls that may be made a second time. */
    public enum Repeat {
        /** Calls whose method is GET, HEAD, OPTIONS, PUT or DELETE and whose body is empty or held. */
        IDEMPOTENT,
        /** Calls with any method whose body is empty or held. */
        ALWAYS,
        /** No calls. */
        NEVER
    }

    /** A builder of a {@link BackendConfig}. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private final Address address;
        private final boolean secure;
        private final String base;
        private @Nullable Duration limit;
        private Duration connectTime = Duration.ofSeconds(1);
        private int connections = 4_096;
        private int waiting = 1_024;
        private Duration idle = Duration.ofSeconds(30);
        private @Nullable Concurrency concurrent;
        private int queue;
        private @Nullable BreakerConfig breaker;
        private int retries;
        private double hedgePercentile;
        private @Nullable Duration hedgeAfter;
        private Repeat repeat = Repeat.IDEMPOTENT;

        private Builder(String name, String url) {
            if (!NAME.matcher(requireNonNull(name, "name")).matches()) {
                throw new IllegalArgumentException(
                        "'" + name + "' is no name of a backend; use letters, digits and _.- up to 64 of them");
            }
            this.name = name;
            URI uri = uri(requireNonNull(url, "url"));
            secure = "https".equals(uri.getScheme());
            int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
            String host = requireNonNull(uri.getHost());
            address = new Address(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
            String path = uri.getRawPath() == null ? "" : uri.getRawPath();
            base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        }

        private Builder(Builder from) {
            name = from.name;
            address = from.address;
            secure = from.secure;
            base = from.base;
            limit = from.limit;
            connectTime = from.connectTime;
            connections = from.connections;
            waiting = from.waiting;
            idle = from.idle;
            concurrent = from.concurrent;
            queue = from.queue;
            breaker = from.breaker;
            retries = from.retries;
            hedgePercentile = from.hedgePercentile;
            hedgeAfter = from.hedgeAfter;
            repeat = from.repeat;
        }

        /**
         * Parses a url. A user, a query and a fragment are not permitted, nor segments that begin with a dot or have
         * other characters than letters, digits and {@code ._~-}.
         */
        private static URI uri(String url) {
            try {
                URI uri = new URI(url);
                boolean known = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
                String path = uri.getRawPath() == null ? "" : uri.getRawPath();
                if (known
                        && uri.getHost() != null
                        && uri.getPort() != 0
                        && uri.getPort() <= 65_535
                        && uri.getRawUserInfo() == null
                        && uri.getRawQuery() == null
                        && uri.getRawFragment() == null
                        && BASE.matcher(path).matches()
                        && !path.contains("/.")) {
                    return uri;
                }
            } catch (URISyntaxException e) {
                // refused below
            }
            throw new IllegalArgumentException(
                    "'" + url + "' is no url of a backend; write for example http://127.0.0.1:9001"
                            + " or https://users.example/api");
        }

        /** Sets the time that one attempt may take. */
        public Builder limit(Duration time) {
            limit = ArgumentChecks.positive("limit", time);
            return this;
        }

        /** Sets the time that opening a connection may take. */
        public Builder connectTime(Duration time) {
            connectTime = ArgumentChecks.positive("connect-time", time);
            return this;
        }

        /** Sets the maximum number of open connections. */
        public Builder connections(int most) {
            connections = (int) ArgumentChecks.within("connections", most, 1, 1_000_000);
            return this;
        }

        /** Sets the maximum number of calls that wait for a connection. */
        public Builder waiting(int most) {
            waiting = (int) ArgumentChecks.within("waiting", most, 0, 1_000_000);
            return this;
        }

        /** Sets the time for which an idle connection is kept. */
        public Builder idle(Duration time) {
            idle = ArgumentChecks.positive("idle", time);
            return this;
        }

        /**
         * Sets the maximum number of calls under way, and the maximum number of calls that wait for one of these to
         * end.
         */
        public Builder bulkhead(Concurrency most, int waiting) {
            concurrent = requireNonNull(most, "concurrent");
            queue = (int) ArgumentChecks.within("waiting", waiting, 0, 1_000_000);
            return this;
        }

        /** Sets the breaker. */
        public Builder breaker(BreakerConfig config) {
            breaker = requireNonNull(config, "breaker");
            return this;
        }

        /** Sets the maximum number of times that a failed call is repeated, from 0 to 10. */
        public Builder retry(int most) {
            retries = (int) ArgumentChecks.within("retry", most, 0, 10);
            return this;
        }

        /**
         * Sets the percentile of durations, above 0 and below 1, after which a slow call is made a second time.
         */
        public Builder hedgeAtPercentile(double percentile) {
            if (!(percentile > 0 && percentile < 1)) {
                throw new IllegalArgumentException(
                        "hedge must be above 0% and below 100%, is " + percentile * 100 + "%");
            }
            hedgePercentile = percentile;
            hedgeAfter = null;
            return this;
        }

        /** Sets the time after which a call is made a second time. */
        public Builder hedgeAfter(Duration time) {
            hedgeAfter = ArgumentChecks.positive("hedge", time);
            hedgePercentile = 0;
            return this;
        }

        /** Sets which calls may be made a second time. */
        public Builder repeat(Repeat which) {
            repeat = requireNonNull(which, "repeat");
            return this;
        }

        /** Builds the backend. */
        public BackendConfig build() {
            return new BackendConfig(new Builder(this));
        }

        /** Returns all options, by which backends are compared. */
        private List<@Nullable Object> key() {
            return Arrays.<@Nullable Object>asList(
                    name,
                    address,
                    secure,
                    base,
                    limit,
                    connectTime,
                    connections,
                    waiting,
                    idle,
                    concurrent,
                    queue,
                    breaker,
                    retries,
                    hedgePercentile,
                    hedgeAfter,
                    repeat);
        }
    }
}
