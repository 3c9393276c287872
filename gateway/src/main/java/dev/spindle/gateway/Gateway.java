// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static java.util.Objects.requireNonNull;

import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.server.NettyGateway;
import dev.spindle.internal.wait.Closing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server that answers each request by calling backends. A {@link GatewayConfig} has its options.
 *
 * <pre>{@code
 * try (Gateway gateway = Gateway.create(GatewayConfig.read(Path.of("gateway.yaml")))) {
 *     untilToldToEnd(gateway.address());
 * } // waits for the requests under way
 * }</pre>
 *
 * <p><b>Threads.</b> A gateway has the event loops of the option {@code threads}, and up to two workers for time limits
 * and lanes. A request and its calls are confined to the event loop of the client's connection.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread except the threads of the gateway.
 *
 * <p><b>Closing.</b> {@link #close} waits until all requests have ended. After the time limit of a drain, the gateway
 * cuts off the remaining requests. {@link #drain} does the same, but returns a future and does not wait.
 */
public final class Gateway implements AutoCloseable {
    private final NettyGateway gateway;

    private Gateway(NettyGateway gateway) {
        this.gateway = gateway;
    }

    /**
     * Starts a gateway. The gateway accepts connections when this method returns.
     *
     * @throws IOException if an address cannot be bound, or a file of the TLS identity or the access log cannot be
     *     opened
     * @throws IllegalArgumentException if the access log is the standard output
     */
    public static Gateway create(GatewayConfig config) throws IOException {
        return new Gateway(NettyGateway.start(requireNonNull(config, "config").settings));
    }

    /**
     * Returns the address for requests, with the port that the system chose.
     *
     * @throws IllegalStateException if the gateway is closed
     */
    public InetSocketAddress address() {
        return socket(gateway.address());
    }

    /**
     * Returns the address of {@code /live}, {@code /ready} and {@code /metrics}; empty if the configuration has none.
     *
     * @throws IllegalStateException if the gateway is closed
     */
    public Optional<InetSocketAddress> adminAddress() {
        return gateway.admin().map(Gateway::socket);
    }

    private static InetSocketAddress socket(Address address) {
        return new InetSocketAddress(address.host(), address.port());
    }

    /**
     * Replaces backends and routes. Requests under way keep the old backends and routes; later requests use the new
     * backends and routes. A backend that is equal to an old backend keeps its connections, breaker and limits.
     *
     * @throws IllegalArgumentException if {@code next} differs in an option that cannot change while the gateway runs;
     *     the gateway then keeps its configuration
     */
    public void reload(GatewayConfig next) {
        gateway.reload(requireNonNull(next, "next").settings);
    }

    /**
     * Returns the current counts of requests. {@link Stats#failed} is the number of answers with a status of 500 to
     * 599, {@link Stats#rejected} the number of requests that were refused, and {@link Stats#dropped} the number of
     * requests that a drain has cut off. No request is pending.
     */
    public Stats stats() {
        return gateway.stats();
    }

    /**
     * Returns the spindle of the time limits and lanes of this gateway, whose figures include those of the gateway and
     * of its backends. The gateway closes the spindle.
     */
    public Spindle spindle() {
        return gateway.spindle();
    }

    /** Returns the metrics in the text format of Prometheus. */
    public String metrics() {
        return gateway.metrics();
    }

    /**
     * Begins a drain, unless a drain has begun or the gateway is closed. The gateway reports that it is not ready, and
     * its answers announce that their connections will close. After the notice of the option {@code drain}, the gateway
     * accepts no more connections and closes connections without a request. The drain ends when the last connection is
     * closed. After the limit of the option, the gateway cuts off the requests under way and counts them in the
     * metrics.
     *
     * @return a future that completes when all event loops have ended
     */
    public CompletableFuture<@Nullable Void> drain() {
        return gateway.drain().thenAccept(cut -> {});
    }

    /**
     * {@linkplain #drain Drains}, and returns when all event loops have ended. If the calling thread is interrupted,
     * this method cuts off the requests under way, and the thread stays interrupted.
     *
     * @throws IOException if the file of the access log cannot be closed
     */
    @Override
    public void close() throws IOException {
        boolean interrupted = false;
        try {
            interrupted = Closing.of(gateway::drain, gateway::cutOff).close(null) && Thread.interrupted();
        } finally {
            gateway.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns a string with the configured address. */
    @Override
    public String toString() {
        return "gateway at " + gateway.config().listen();
    }
}
