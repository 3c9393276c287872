// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import dev.spindle.Spindle;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builder for a {@link Dashboard}. Not thread-safe. */
public final class DashboardBuilder {
    private final Spindle spindle;
    private InetAddress address = InetAddress.getLoopbackAddress();
    private int port;
    private @Nullable String token;
    private boolean hideKeys;
    long tickMillis = Settings.TICK_MILLIS;
    int duty = Settings.DUTY;
    long stalledMillis = Settings.STALLED_MILLIS;

    DashboardBuilder(Spindle spindle) {
        this.spindle = Objects.requireNonNull(spindle, "spindle");
    }

    /** Sets the port. The default is 0: a free port. */
    public DashboardBuilder port(int port) {
        this.port = port;
        return this;
    }

    /**
     * Sets the address to listen on. The default is the loopback address. Any other address needs a {@link #token}. The
     * page has no TLS, so an address of an untrusted network needs a proxy.
     */
    public DashboardBuilder address(InetAddress address) {
        this.address = Objects.requireNonNull(address, "address");
        return this;
    }

    /**
     * Sets a token of at least 32 letters, digits and {@code - . _ ~ + / =} that each request must carry: as
     * {@code ?token=} of the first request of a browser, which gets a cookie, or as {@code Authorization: Bearer}. The
     * default is no token.
     */
    public DashboardBuilder token(String token) {
        this.token = Objects.requireNonNull(token, "token");
        return this;
    }

    /**
     * Shows hashes in place of the names of keys, strands, actors and threads, and switches the search off. The hashes
     * differ between two dashboards. Names of spaces and executors, and stack traces, stay. The default is false.
     */
    public DashboardBuilder hideKeys(boolean hidden) {
        hideKeys = hidden;
        return this;
    }

    /**
     * Opens the page.
     *
     * @throws IllegalArgumentException if the port is not from 0 to 65535, if the token is too short or has other
     *     characters, or if an address other than loopback has no token
     * @throws UncheckedIOException if the address cannot be bound
     */
    public Dashboard build() {
        Settings settings = new Settings(address, port, token, hideKeys, tickMillis, duty, stalledMillis);
        return new Dashboard(PageServer.open(spindle, settings));
    }
}
