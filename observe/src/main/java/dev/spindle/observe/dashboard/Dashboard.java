// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import dev.spindle.Spindle;
import java.io.UncheckedIOException;
import java.net.URI;

/**
 * A web page that shows how a spindle is: what its workers run, which keys are stuck and on what, and its figures over
 * time. The page is read-only.
 *
 * <pre>{@code
 * Dashboard page = Dashboard.open(spindle); // page.uri() is also logged
 * }</pre>
 *
 * <p><b>Access.</b> The page listens on the loopback address. At any other address, each request needs a
 * {@linkplain DashboardBuilder#token token}. Only GET requests are answered. The page loads nothing from another host.
 *
 * <p><b>Cost.</b> While no browser shows the page, the dashboard runs nothing but the JDK's idle HTTP server. While one
 * does, a thread makes a frame four times a second, and each browser has a thread that sends frames. All keys are read
 * as often as half a percent of a processor allows: each time with 10,000 keys, and after some seconds with a million.
 *
 * <p><b>User code.</b> The page calls {@code toString} of keys, on its own threads. A {@code toString} that throws is
 * named on the page. A {@code toString} that blocks stops the page, and nothing else.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread.
 *
 * <p><b>Closing.</b> {@link #close} ends the threads of the page. The termination of the spindle closes the dashboard.
 * The threads are daemons.
 */
public final class Dashboard implements AutoCloseable {
    private final PageServer server;

    Dashboard(PageServer server) {
        this.server = server;
    }

    /**
     * Opens the page of {@code spindle} on the loopback address, at a free port.
     *
     * @throws UncheckedIOException if the address cannot be bound
     */
    public static Dashboard open(Spindle spindle) {
        return builder(spindle).build();
    }

    /** Returns a builder for a page of {@code spindle}. */
    public static DashboardBuilder builder(Spindle spindle) {
        return new DashboardBuilder(spindle);
    }

    /** Returns the address of the page, without the token. */
    public URI uri() {
        return server.uri();
    }

    /** Closes the page, and ends its threads. Has no effect if the page is closed. Does not wait for a browser. */
    @Override
    public void close() {
        server.close();
    }

    PageServer server() {
        return server;
    }

    @Override
    public String toString() {
        return "dashboard at " + uri();
    }
}
