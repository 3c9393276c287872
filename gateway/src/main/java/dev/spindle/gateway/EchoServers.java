// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import dev.spindle.gateway.netty.NettyEcho;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Servers for trials and measurements: each answers every request after a delay, with the request's body or, if it has
 * none, with a body of fixed size. All of them share one event loop.
 */
public final class EchoServers implements AutoCloseable {
    private final NettyEcho servers;

    private EchoServers(NettyEcho servers) {
        this.servers = servers;
    }

    /**
     * Starts a server at each port of the loopback address.
     *
     * @param ports where to listen; 0 lets the system choose
     * @param delay how long an answer takes
     * @param jitterPercent the delay is drawn evenly from so many per cent around it, from 0 to 100
     * @param size bytes in a body
     * @throws IOException if a port cannot be bound
     */
    public static EchoServers start(List<Integer> ports, Duration delay, int jitterPercent, int size)
            throws IOException {
        return new EchoServers(NettyEcho.start(ports, delay, jitterPercent, size));
    }

    /**
     * Opens the administration at a port of the loopback address: {@code GET /echo} says how many calls were answered
     * and what the delay is, {@code PUT /echo?delay=20ms&jitter=0&calls=0} changes it.
     *
     * @return the port
     * @throws IOException if it cannot be bound
     */
    public int openAdmin(int port) throws IOException {
        return servers.openAdmin(port);
    }

    /** Returns the ports, in the order in which they were asked for. */
    public List<Integer> ports() {
        return servers.ports();
    }

    /** Returns how many requests were answered. */
    public long calls() {
        return servers.calls();
    }

    /** Changes how long answers take. */
    public void delay(Duration delay, int jitterPercent) {
        servers.delay(delay, jitterPercent);
    }

    /** Ends the servers. */
    @Override
    public void close() {
        servers.close();
    }
}
