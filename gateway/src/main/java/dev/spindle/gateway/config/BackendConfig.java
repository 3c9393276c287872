// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
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
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.:-]+");
    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|.*:.*");
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

    /** Returns the files of TLS; null for the authorities of Java and no certificate of the gateway. */
    public @Nullable BackendTls tls() {
        return options.tls;
    }

    /** Returns the Host field of calls; empty for the Host of the client, null for the host of the url. */
    public @Nullable String host() {
        return options.host;
    }

    /** Returns the addresses of the instances; empty if the host of the url is the only instance, or is resolved. */
    public List<Address> instances() {
        return options.instances;
    }

    /**
     * Returns the time after which the host of the url is resolved again, whose addresses are the instances; null if it
     * is resolved for each connection.
     */
    public @Nullable Duration resolve() {
        return options.resolve;
    }

    /** Returns whether there may be several instances, among which calls are balanced. */
    public boolean isBalanced() {
        return !options.instances.isEmpty() || options.resolve != null;
    }

    /** Returns the active check of the instances; null for none. */
    public @Nullable CheckConfig check() {
        return options.check;
    }

    /** Returns the ejection of instances that fail calls; null for none. */
    public @Nullable EjectConfig eject() {
        return options.eject;
    }

    /**
     * Returns the address of an instance.
     *
     * @throws IllegalArgumentException if {@code text} is no host with a port, or is one of {@code others}
     */
    static Address instance(String text, List<Address> others) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no instance; write a host and a port, for example 10.0.0.1:9001");
        }
        Address address = Address.parse(text);
        if (address.port() == 0 || !HOST.matcher(address.host()).matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no instance; write a host and a port, for example 10.0.0.1:9001");
        }
        if (others.contains(address)) {
            throw new IllegalArgumentException("the instance " + address + " is there twice");
        }
        return address;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BackendConfig that && options.key().equals(that.options.key());
    }

    /** Returns whether {@code other} differs only in the addresses of its instances, of which both have some. */
    public boolean differsInInstancesAlone(BackendConfig other) {
        return !instances().isEmpty()
                && !other.instances().isEmpty()
                && !instances().equals(other.instances())
                && options.keyWith(List.of()).equals(other.options.keyWith(List.of()));
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
        private @Nullable BackendTls tls;
        private @Nullable String host;
        private List<Address> instances = List.of();
        private @Nullable Duration resolve;
        private @Nullable CheckConfig check;
        private @Nullable EjectConfig eject = EjectConfig.DEFAULT;

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
            tls = from.tls;
            host = from.host;
            instances = from.instances;
            resolve = from.resolve;
            check = from.check;
            eject = from.eject;
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

        /**
         * Sets the files of TLS.
         *
         * @throws IllegalArgumentException if the url is not https
         */
        public Builder tls(BackendTls files) {
            if (!secure) {
                throw new IllegalArgumentException("tls needs a url that begins with https://");
            }
            tls = requireNonNull(files, "tls");
            return this;
        }

        /**
         * Sets the Host field of calls.
         *
         * @param name a host, perhaps with a port; {@code keep} for the Host of the client
         * @throws IllegalArgumentException if {@code name} is no host
         */
        public Builder host(String name) {
            if (!"keep".equals(name) && HostName.parse(name) == null) {
                throw new IllegalArgumentException(
                        "'" + name + "' is no host; write keep for that of the client, or for example shop.example");
            }
            host = "keep".equals(name) ? "" : name;
            return this;
        }

        /**
         * Sets the addresses of the instances, among which calls are balanced. The url still determines the scheme, the
         * Host field and the path.
         *
         * @throws IllegalArgumentException if there is none, or an address is there twice
         */
        public Builder instances(List<Address> addresses) {
            if (addresses.isEmpty()) {
                throw new IllegalArgumentException("instances is empty");
            }
            List<Address> all = new ArrayList<>();
            addresses.forEach(one -> all.add(instance(one.toString(), all)));
            instances = List.copyOf(all);
            return this;
        }

        /**
         * Makes all addresses of the url's host instances, and sets the time after which the host is resolved again.
         *
         * @throws IllegalArgumentException if the host is an address
         */
        public Builder resolve(Duration every) {
            if (LITERAL.matcher(address.host()).matches()) {
                throw new IllegalArgumentException(
                        "resolve needs a name in the url, not the address " + address.host() + "; remove resolve");
            }
            resolve = ArgumentChecks.positive("resolve", every);
            return this;
        }

        /** Sets the active check of the instances. */
        public Builder check(CheckConfig config) {
            check = requireNonNull(config, "check");
            return this;
        }

        /** Sets the ejection of instances that fail calls; null for none. */
        public Builder eject(@Nullable EjectConfig config) {
            eject = config;
            return this;
        }

        /**
         * Builds the backend.
         *
         * @throws IllegalArgumentException if there are addresses of instances and the host is resolved as well, or
         *     there is a check without several instances
         */
        public BackendConfig build() {
            if (resolve != null && !instances.isEmpty()) {
                throw new IllegalArgumentException(
                        "backend " + name + " has instances and resolve; keep one of the two");
            }
            if (check != null && resolve == null && instances.isEmpty()) {
                throw new IllegalArgumentException("check needs instances or resolve");
            }
            return new BackendConfig(new Builder(this));
        }

        /** Returns all options, by which backends are compared. */
        private List<@Nullable Object> key() {
            return keyWith(instances);
        }

        /** Returns all options, with other instances. */
        private List<@Nullable Object> keyWith(List<Address> instances) {
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
                    repeat,
                    tls,
                    host,
                    instances,
                    resolve,
                    check,
                    eject);
        }
    }
}
