// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.flow.Bulkhead;
import dev.spindle.flow.Permit;
import dev.spindle.gateway.config.GatewayConfig;
import io.netty.handler.codec.http.HttpRequest;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What all connections of a gateway share. */
final class Core {
    /*
     * All fields are final but two. `routing` is replaced as a whole by a reload; a request reads it once, with its
     * head, and goes by what it read. `draining` goes from false to true, once.
     */
    final Spindle spindle;
    final GatewayConfig config;
    final Transport transport;
    final Loop[] loops;
    final Keyed<Object> lanes;
    final Bulkhead gate;
    final Deadlines deadlines;
    final Connections connections;
    final Memory memory;
    final Metrics metrics = new Metrics();
    final AccessLog accessLog;
    private volatile Routing routing;
    private volatile boolean draining;

    Core(Spindle spindle, GatewayConfig config, Transport transport, Loop[] loops, @Nullable OutputStream log) {
        this.spindle = spindle;
        this.config = config;
        this.transport = transport;
        this.loops = loops;
        lanes = spindle.keyed("gateway");
        gate = Bulkhead.of(spindle, "gateway", Backend.limiter(config.limits().requests()), 0);
        deadlines = new Deadlines(spindle.clock(), config.deadlineHeader());
        connections = new Connections(config.limits().connections());
        memory = new Memory(config.limits().memory());
        memory.loops(loops);
        accessLog = new AccessLog(spindle, log, transport.failures());
        routing = new Routing(this, config, null);
    }

    Routing routing() {
        return routing;
    }

    /** Takes other routes and backends. Requests under way end under those they began with. */
    synchronized void reload(GatewayConfig next) {
        Routing before = routing;
        Routing after = new Routing(this, next, before);
        routing = after;
        before.retireFor(after);
    }

    boolean isDraining() {
        return draining;
    }

    void startDraining() {
        draining = true;
    }

    /** Returns the right to one more request, or null if too many are under way. */
    @Nullable
    Permit tryEnter() {
        Permit permit = gate.tryAcquire();
        if (permit == null) {
            metrics.shed.increment();
        }
        return permit;
    }

    // ---------------------------------------------------------------- what is said about requests

    void refused(String peer, @Nullable HttpRequest request, Refusal refusal) {
        if (refusal.status() != 503) { // that was counted as shed
            metrics.refused.increment();
        }
        if (accessLog.isOn()) {
            log(peer, request, request == null ? "-" : request.uri(), refusal.status(), 0, 0, refusal.reason());
        }
    }

    void ended(String peer, HttpRequest request, String path, int status, long bytes, long nanos, String outcome) {
        if (accessLog.isOn()) {
            log(peer, request, path, status, bytes, nanos, outcome);
        }
    }

    private void log(
            String peer,
            @Nullable HttpRequest request,
            String path,
            int status,
            long bytes,
            long nanos,
            String outcome) {
        StringBuilder line = new StringBuilder(160);
        line.append(Instant.now()).append(' ').append(peer).append(' ');
        line.append(request == null ? "-" : request.method().name()).append(' ');
        path.chars().limit(500).forEach(c -> line.append(c <= ' ' || c > '~' ? '?' : (char) c));
        line.append(' ').append(status).append(' ').append(bytes).append(' ');
        line.append(String.format(Locale.ROOT, "%.1fms", nanos / 1e6)).append(" \"");
        outcome.chars().limit(300).forEach(c -> line.append(c < ' ' || c > '~' || c == '"' ? ' ' : (char) c));
        accessLog.add(line.append("\"\n").toString());
    }
}
