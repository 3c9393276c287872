// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static java.util.Objects.requireNonNull;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.GatewayConfig;
import dev.spindle.gateway.loop.InTime;
import dev.spindle.gateway.server.NettyGateway;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server that answers each request with calls of backends, as a {@link GatewayConfig} says.
 *
 * <pre>{@code
 * try (Gateway gateway = Gateway.start(GatewayConfig.read(Path.of("gateway.yaml")))) {
 *     gateway.drain().join(); // when the program is told to end
 * }
 * }</pre>
 *
 * <p><b>Threads.</b> {@link GatewayConfig#threads} event loops, and up to two workers for time limits and lanes, for
 * any number of requests. A request and its calls stay on the event loop of its connection.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread except the threads of the gateway.
 *
 * <p><b>Closing.</b> {@link #drain} lets requests end; {@link #close} cuts them off.
 */
public final class Gateway implements AutoCloseable {
    private final NettyGateway gateway;
    private final @Nullable OutputStream log;

    private Gateway(NettyGateway gateway, @Nullable OutputStream log) {
        this.gateway = gateway;
        this.log = log;
    }

    /**
     * Starts a gateway, which accepts connections when this returns.
     *
     * @throws IOException if an address cannot be bound, or a file of the TLS identity or the access log cannot be
     *     opened
     */
    public static Gateway start(GatewayConfig config) throws IOException {
        String name = requireNonNull(config, "config").accessLog();
        if ("-".equals(name)) {
            throw new IllegalArgumentException(
                    "the standard output belongs to the program; see start(GatewayConfig, OutputStream)");
        }
        if (name == null) {
            return new Gateway(NettyGateway.start(config, null), null);
        }
        OutputStream log = new BufferedOutputStream(
                Files.newOutputStream(Path.of(name), StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        try {
            return new Gateway(NettyGateway.start(config, log), log);
        } catch (IOException | RuntimeException e) {
            log.close();
            throw e;
        }
    }

    /**
     * Starts a gateway whose access log goes to {@code log}. One thread at a time writes to it, and the gateway does
     * not close it.
     *
     * @throws IOException if an address cannot be bound, or a file of the TLS identity cannot be read
     */
    public static Gateway start(GatewayConfig config, OutputStream log) throws IOException {
        return new Gateway(NettyGateway.start(requireNonNull(config, "config"), requireNonNull(log, "log")), null);
    }

    /** Returns the address for requests, with the port that the system chose. */
    public Address address() {
        return gateway.address();
    }

    /**
     * Returns the transport of the sockets: {@code epoll}, or {@code NIO} if Netty's library for it cannot be loaded.
     */
    public String transport() {
        return gateway.transport();
    }

    /** Returns the address of {@code /live}, {@code /ready} and {@code /metrics}. */
    public Optional<Address> admin() {
        return Optional.ofNullable(gateway.admin());
    }

    /** Returns the address at which the agent check of HAProxy is answered. */
    public Optional<Address> agent() {
        return Optional.ofNullable(gateway.agent());
    }

    /** Returns the configuration for new requests. */
    public GatewayConfig config() {
        return gateway.config();
    }

    /**
     * Replaces backends and routes. Requests under way keep the old backends and routes; later requests use the new
     * ones. A backend that is equal to an old one keeps its connections, breaker and limits.
     *
     * @throws IllegalArgumentException if {@code next} differs in an option that cannot change while the gateway runs;
     *     nothing changes
     */
    public void reload(GatewayConfig next) {
        String fixed = gateway.config().fixedDifference(requireNonNull(next, "next"));
        if (!fixed.isEmpty()) {
            throw new IllegalArgumentException(
                    "only backends and routes can change while the gateway runs; start it again for: " + fixed);
        }
        gateway.reload(next);
    }

    /** Returns the metrics in the text format of Prometheus. */
    public String metrics() {
        return gateway.metrics();
    }

    /**
     * Begins a drain. The gateway is no longer ready, answers say that their connections close, and after the
     * {@linkplain GatewayConfig#drainNotice notice} it accepts no more connections and closes connections without a
     * request. The gateway ends when the last request is answered; after the
     * {@linkplain GatewayConfig#drainLimit limit} it cuts off the requests that are still under way.
     *
     * @return a future that completes with the number of requests that were cut off
     */
    public CompletableFuture<Integer> drain() {
        return gateway.drain();
    }

    /** Returns whether a drain has begun. */
    public boolean isDraining() {
        return gateway.isDraining();
    }

    /**
     * Cuts off requests under way, and returns when all threads have ended. Waits for at most two seconds if the access
     * log is a pipe that is not read.
     */
    @Override
    public void close() throws IOException {
        gateway.close();
        OutputStream file = log;
        if (file != null) {
            AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
            boolean unused = InTime.run("gateway-access-log", () -> {
                try {
                    file.close();
                } catch (IOException e) {
                    failure.set(e);
                }
            });
            IOException thrown = failure.get();
            if (thrown != null) {
                throw thrown;
            }
        }
    }

    @Override
    public String toString() {
        return "gateway at " + gateway.config().listen();
    }
}
