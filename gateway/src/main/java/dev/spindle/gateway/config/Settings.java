// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The options of a gateway: its addresses, its limits, its backends and its routes. Immutable. */
public final class Settings {
    private final Builder options;
    private final Map<String, BackendConfig> backends;
    private final List<RouteConfig> routes;

    private Settings(Builder options) {
        this.options = options;
        backends = Collections.unmodifiableMap(new LinkedHashMap<>(options.backends));
        routes = List.copyOf(options.routes);
    }

    /** Returns a builder with the default options, no backends and no routes. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Reads a route file.
     *
     * @throws IOException if the file cannot be read
     * @throws MistakesException if the file has mistakes
     */
    public static Settings read(Path file) throws IOException, MistakesException {
        return parse(file.toString(), Files.readString(file));
    }

    /**
     * Reads the text of a route file.
     *
     * @param name the name of the file in messages; paths in the text are relative to its folder
     * @throws MistakesException if the text has mistakes
     */
    public static Settings parse(String name, String text) throws MistakesException {
        return new YamlReader(name).read(text);
    }

    /**
     * Returns the time that {@code text} denotes in a route file, such as {@code 250ms}, {@code 2s}, {@code 1m} or
     * {@code 1h}.
     *
     * @throws IllegalArgumentException if {@code text} is not a time
     */
    public static Duration time(String text) {
        return ValueParser.time(text);
    }

    /** Returns the address for requests, by default port 8080 of all interfaces. */
    public Address listen() {
        return options.listen;
    }

    /** Returns the files of the certificate and the key; null for no TLS. */
    public @Nullable Tls tls() {
        return options.tls;
    }

    /** Returns the address of requests with TLS; null if {@link #listen} has TLS, or there is no TLS. */
    public @Nullable Address tlsListen() {
        return options.tlsListen;
    }

    /** Returns the further identities, which clients choose by the name of the server. */
    public List<Tls> moreTls() {
        return List.copyOf(options.moreTls);
    }

    /** Returns whether HTTP/2 is supported: over TLS by ALPN, otherwise with prior knowledge. True by default. */
    public boolean http2() {
        return options.http2;
    }

    /** Returns the number of event loops; 0 for one per processor. */
    public int threads() {
        return options.threads;
    }

    /** Returns the address of {@code /live}, {@code /ready} and {@code /metrics}; null for none. */
    public @Nullable Address admin() {
        return options.admin;
    }

    /** Returns the address at which the agent check of HAProxy is answered; null for none. */
    public @Nullable Address agent() {
        return options.agent;
    }

    /** Returns the limits. */
    public Limits limits() {
        return options.limits;
    }

    /** Returns the time from the start of a drain for which the gateway still accepts connections, by default 1 s. */
    public Duration drainNotice() {
        return options.drainNotice;
    }

    /** Returns the time after which a drain cuts off requests, by default 30 s. */
    public Duration drainLimit() {
        return options.drainLimit;
    }

    /** Returns the name of the header field with the remaining milliseconds, by default {@code X-Deadline-Ms}. */
    public String deadlineHeader() {
        return options.deadlineHeader;
    }

    /** Returns the access log: a file, {@code -} for the standard output, or null for none. */
    public @Nullable String accessLog() {
        return options.accessLog;
    }

    /** Returns the proxies whose word on the client's address counts; null for none. */
    public @Nullable TrustConfig trust() {
        return options.trust;
    }

    /** Returns the address of the name server; null for the name servers of the system. */
    public @Nullable Address resolver() {
        return options.resolver;
    }

    /** Returns the backends by their names, in the order in which they were added. */
    public Map<String, BackendConfig> backends() {
        return backends;
    }

    /**
     * Returns the routes, in the order in which they were added. A request uses the route with the most specific path:
     * a path without a star precedes a path with a star, and a longer path precedes a shorter path.
     */
    public List<RouteConfig> routes() {
        return routes;
    }

    /**
     * Returns the names of the options that differ in {@code next} and cannot change while a gateway runs, separated by
     * commas; empty if there are none. Backends and routes can change.
     */
    public String fixedDifference(Settings next) {
        List<String> differing = new ArrayList<>();
        note(differing, "listen", options.listen, next.options.listen);
        note(differing, "tls", ofTls(), next.ofTls());
        note(differing, "http2", options.http2, next.options.http2); // H7
        note(differing, "threads", options.threads, next.options.threads);
        note(differing, "admin", options.admin, next.options.admin);
        note(differing, "agent", options.agent, next.options.agent);
        note(differing, "limits", options.limits, next.options.limits);
        note(differing, "drain", drain(), next.drain());
        note(differing, "deadline-header", options.deadlineHeader, next.options.deadlineHeader);
        note(differing, "trust", options.trust, next.options.trust);
        note(differing, "resolver", options.resolver, next.options.resolver);
        note(differing, "access-log", options.accessLog, next.options.accessLog);
        return String.join(", ", differing);
    }

    /** Returns the options of TLS, which share one key in a route file. */
    private List<@Nullable Object> ofTls() {
        return Arrays.asList(options.tls, options.tlsListen, options.moreTls);
    }

    /** Returns the two times of a drain, which share one key in a route file. */
    private List<Duration> drain() {
        return List.of(options.drainNotice, options.drainLimit);
    }

    /** Adds {@code key} if its values differ. */
    private static void note(List<String> differing, String key, @Nullable Object now, @Nullable Object next) {
        if (!Objects.equals(now, next)) {
            differing.add(key);
        }
    }

    /**
     * The files of a server's TLS identity, in PEM.
     *
     * @param certificate the certificate chain, beginning with the certificate of the server
     * @param key the private key, PKCS#8, without a password
     */
    public record Tls(Path certificate, Path key) {
        /** Creates a pair. */
        public Tls {
            requireNonNull(certificate, "certificate");
            requireNonNull(key, "key");
        }
    }

    /** A builder of {@link Settings}. Not thread-safe. */
    public static final class Builder {
        private Address listen = new Address("0.0.0.0", 8080);
        private @Nullable Tls tls;
        private @Nullable Address tlsListen;
        private final List<Tls> moreTls = new ArrayList<>();
        private boolean http2 = true;
        private int threads;
        private @Nullable Address admin;
        private @Nullable Address agent;
        private Limits limits = Limits.builder().build();
        private Duration drainNotice = Duration.ofSeconds(1);
        private Duration drainLimit = Duration.ofSeconds(30);
        private String deadlineHeader = "X-Deadline-Ms";
        private @Nullable String accessLog;
        private @Nullable Address resolver;
        private @Nullable TrustConfig trust;
        private final Map<String, BackendConfig> backends = new LinkedHashMap<>();
        private final List<RouteConfig> routes = new ArrayList<>();

        private Builder() {}

        /** Copies a builder, so that later changes of that builder do not affect the settings that it has built. */
        private Builder(Builder from) {
            listen = from.listen;
            tls = from.tls;
            tlsListen = from.tlsListen;
            moreTls.addAll(from.moreTls);
            http2 = from.http2;
            threads = from.threads;
            admin = from.admin;
            agent = from.agent;
            limits = from.limits;
            drainNotice = from.drainNotice;
            drainLimit = from.drainLimit;
            deadlineHeader = from.deadlineHeader;
            accessLog = from.accessLog;
            resolver = from.resolver;
            trust = from.trust;
            backends.putAll(from.backends);
            routes.addAll(from.routes);
        }

        /** Sets the address for requests. */
        public Builder listen(Address address) {
            listen = requireNonNull(address, "listen");
            return this;
        }

        /** Sets the TLS identity, which enables TLS for requests. */
        public Builder tls(Tls files) {
            tls = requireNonNull(files, "tls");
            return this;
        }

        /** Sets the address of requests with TLS, so that {@link #listen} has none. */
        public Builder tlsListen(Address address) {
            tlsListen = requireNonNull(address, "listen");
            return this;
        }

        /** Adds an identity for clients that ask for one of the names in its certificate. */
        public Builder moreTls(Tls files) {
            moreTls.add(requireNonNull(files, "more"));
            return this;
        }

        /** Sets whether HTTP/2 is supported. */
        public Builder http2(boolean spoken) {
            http2 = spoken;
            return this;
        }

        /** Sets the number of event loops, from 1 to 1,024. */
        public Builder threads(int loops) {
            threads = (int) ArgumentChecks.within("threads", loops, 1, 1_024);
            return this;
        }

        /** Sets the address of health and metrics. */
        public Builder admin(Address address) {
            admin = requireNonNull(address, "admin");
            return this;
        }

        /** Sets the address of the agent check. */
        public Builder agent(Address address) {
            agent = requireNonNull(address, "agent");
            return this;
        }

        /** Sets the limits. */
        public Builder limits(Limits limits) {
            this.limits = requireNonNull(limits, "limits");
            return this;
        }

        /** Sets the time for which a draining gateway still accepts connections; zero for none. */
        public Builder drainNotice(Duration time) {
            if (requireNonNull(time, "notice").isNegative()) {
                throw new IllegalArgumentException("notice must not be negative, is " + time);
            }
            drainNotice = time;
            return this;
        }

        /** Sets the time after which a drain cuts off requests. */
        public Builder drainLimit(Duration time) {
            drainLimit = ArgumentChecks.positive("limit", time);
            return this;
        }

        /** Sets the name of the header field with the remaining milliseconds. */
        public Builder deadlineHeader(String name) {
            deadlineHeader = ArgumentChecks.fieldName("deadline-header", name);
            return this;
        }

        /** Sets the access log: a file, or {@code -} for the standard output. */
        public Builder accessLog(String file) {
            accessLog = requireNonNull(file, "access-log");
            return this;
        }

        /** Sets the proxies whose word on the client's address counts. */
        public Builder trust(TrustConfig proxies) {
            trust = requireNonNull(proxies, "trust");
            return this;
        }

        /** Sets the address of the name server. */
        public Builder resolver(Address address) {
            resolver = requireNonNull(address, "resolver");
            return this;
        }

        /**
         * Adds a backend.
         *
         * @throws IllegalArgumentException if there is already a backend with that name
         */
        public Builder backend(BackendConfig backend) {
            if (backends.putIfAbsent(backend.name(), backend) != null) {
                throw new IllegalArgumentException("there are two backends named '" + backend.name() + "'");
            }
            return this;
        }

        /**
         * Adds a route.
         *
         * @throws IllegalArgumentException if there is already a route with that path
         */
        public Builder route(RouteConfig route) {
            for (RouteConfig other : routes) {
                boolean same = route.hosts().isEmpty()
                        ? other.hosts().isEmpty()
                        : other.hosts().stream().anyMatch(route.hosts()::contains);
                if (same && other.pattern().equals(route.pattern())) {
                    throw new IllegalArgumentException("there are two routes for " + route.label());
                }
            }
            routes.add(route);
            return this;
        }

        /**
         * Builds the configuration.
         *
         * @throws IllegalArgumentException if there is no route, or a route names a backend that does not exist
         */
        public Settings build() {
            if (routes.isEmpty()) {
                throw new IllegalArgumentException("there is no route");
            }
            for (RouteConfig route : routes) {
                for (String backend : route.backends()) {
                    if (!backends.containsKey(backend)) {
                        throw new IllegalArgumentException(route + " names '" + backend + "', which is no backend"
                                + Suggestion.of(backend, backends.keySet()));
                    }
                }
            }
            return new Settings(new Builder(this));
        }
    }
}
