// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.flow.Bulkhead;
import dev.spindle.flow.Deadline;
import dev.spindle.flow.Permit;
import dev.spindle.gateway.admin.GatewayStatus;
import dev.spindle.gateway.backend.Backend;
import dev.spindle.gateway.backend.BackendContext;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.config.TrustConfig;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Connections;
import dev.spindle.gateway.loop.Memory;
import dev.spindle.gateway.loop.Transport;
import dev.spindle.gateway.metrics.AccessLog;
import dev.spindle.gateway.metrics.FailedRequests;
import dev.spindle.gateway.metrics.GatewayMetrics;
import dev.spindle.gateway.metrics.RouteMetrics;
import dev.spindle.gateway.protocol.Deadlines;
import dev.spindle.gateway.protocol.Refusal;
import dev.spindle.gateway.protocol.Target;
import dev.spindle.gateway.protocol.TrustedProxies;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.report.Figures;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The state that all connections of a gateway share.
 *
 * <p>{@link NettyGateway} creates this object before the first connection, and closes its parts at the end.
 */
final class GatewayState implements GatewayStatus, SpindlePart {
    /*
     * All fields are final except two. `routing` is replaced as a whole by a reload; a request reads `routing` once,
     * when its head has arrived, and uses that routing. `draining` goes from false to true, once. Any thread may write
     * these two fields; the event loops read them.
     */
    /** The spindle, which runs time limits, lanes and delayed work of flow. */
    final Spindle spindle;
    /** The initial configuration, whose limits and addresses never change. */
    final Settings config;
    /** Opens sockets. */
    final Transport transport;
    /** The event loops, each at its index. */
    final ConnectionLoop[] loops;
    /** The lanes in which the requests of an order key run one after another. */
    final Keyed<Object> lanes;
    /** The limit of requests under way. */
    final Bulkhead gate;
    /** Reads deadlines from heads and writes them. */
    final Deadlines deadlines;
    /** The count of the clients' connections. */
    final Connections connections;
    /** The numbers of requests under way by client. */
    final ClientCounts clients;
    /** The search for the client behind a proxy; null if no proxy is trusted. */
    final @Nullable TrustedProxies proxies;
    /** The count of the bytes that are held. */
    final Memory memory;
    /** The counts of requests. */
    final GatewayMetrics metrics = new GatewayMetrics();
    /** The access log, which may have no stream. */
    final AccessLog accessLog;

    /** The log of the requests that got 502, 503 or 504. */
    final FailedRequests failed;

    private final BackendContext backendContext;
    private volatile Routing routing;
    private volatile boolean draining;

    GatewayState(
            Spindle spindle, Settings config, Transport transport, ConnectionLoop[] loops, @Nullable OutputStream log) {
        this.spindle = spindle;
        this.config = config;
        this.transport = transport;
        this.loops = loops;
        lanes = spindle.keyed("gateway");
        gate = Bulkhead.create(
                spindle, "gateway", Backend.limiter(config.limits().requests()), 0);
        deadlines = new Deadlines(spindle, config.deadlineHeader());
        connections = new Connections(config.limits().connections());
        clients = new ClientCounts(config.limits().perClient());
        TrustConfig trust = config.trust();
        proxies = trust == null ? null : new TrustedProxies(trust);
        memory = new Memory(config.limits().memory());
        memory.loops(loops);
        failed = new FailedRequests(spindle);
        accessLog = new AccessLog(spindle, log, transport.failures());
        backendContext = new BackendContext(
                spindle, transport, List.of(loops), deadlines, config.limits().answer());
        routing = new Routing(config, metrics, backendContext, null);
    }

    /** Returns the routes and backends for new requests. */
    Routing routing() {
        return routing;
    }

    /** Replaces routes and backends. Requests under way keep the old routes and backends. */
    synchronized void reload(Settings next) {
        Routing before = routing;
        Routing after = new Routing(next, metrics, backendContext, before);
        routing = after;
        before.giveWayTo(after);
    }

    @Override
    public boolean isDraining() {
        return draining;
    }

    /**
     * Begins a drain: answers announce that their connections close, and health reports that the gateway is not ready.
     */
    void startDraining() {
        draining = true;
    }

    /**
     * Admits a request: determines its route and its deadline, and takes a permit.
     *
     * @param peer the other end of the connection
     * @throws Refusal if the request is refused; a refusal because of load is counted as shed
     */
    Admission admit(HttpRequest request, Peer peer) throws Refusal {
        Target target = Target.of(request);
        Route route = routing.find(request.headers().get(HttpHeaderNames.HOST), peer.secure(), target.path());
        if (HttpUtil.getContentLength(request, 0L) > route.mostBody) { // H4
            throw new Refusal(413, "a body of more than " + route.mostBody + " bytes");
        }
        Deadline deadline = deadlines.read(request.headers(), route.config.limit());
        if (!memory.hasRoom()) {
            metrics.shed.increment();
            throw new Refusal(503, "as many bytes of bodies and answers are held as may be");
        }
        Permit permit = gate.tryAcquire();
        if (permit == null) {
            metrics.shed.increment();
            throw new Refusal(503, "as many requests are under way as may be");
        }
        String client = peer.client(request);
        if (!clients.take(client)) {
            boolean unused = permit.ignore();
            throw new Refusal(429, "as many requests of this client are under way as may be");
        }
        return new Admission(route, target, deadline, permit, client);
    }

    /** Takes back an admission whose request has not begun. */
    void giveUp(Admission admission) {
        boolean unused = admission.permit().ignore();
        clients.give(admission.client());
    }

    // ---------------------------------------------------------------- status

    @Override
    public GatewayMetrics metrics() {
        return metrics;
    }

    @Override
    public Connections connections() {
        return connections;
    }

    @Override
    public Bulkhead gate() {
        return gate;
    }

    @Override
    public Memory memory() {
        return memory;
    }

    @Override
    public AccessLog accessLog() {
        return accessLog;
    }

    @Override
    public int eventLoops() {
        return loops.length;
    }

    @Override
    public int routes() {
        return routing.config.routes().size();
    }

    @Override
    public Collection<Backend> backends() {
        return routing.backends.values();
    }

    /** Returns the counts of requests. */
    Stats stats() {
        Stats admitted = gate.stats();
        long failed = 0;
        for (RouteMetrics route : metrics.routes().values()) {
            failed += route.answers(5);
        }
        return new Figures(
                "gateway",
                admitted.accepted(),
                admitted.completed(),
                failed,
                metrics.shed.sum() + metrics.refused.sum(),
                metrics.cutOff.sum(),
                0,
                0,
                0,
                admitted.running(),
                0,
                admitted.maxConcurrency());
    }

    @Override
    public void listFigures(FigureList list) {
        list.add(Kind.GATEWAY, null, stats());
        long[] bounds = RouteMetrics.bounds();
        metrics.routes().forEach((pattern, route) -> {
            long[] calls = route.counts();
            list.add(
                    Kind.ROUTE,
                    "gateway",
                    ofRoute(pattern, LongStream.of(calls).sum(), route.answers(5)),
                    bounds,
                    calls);
        });
    }

    private static Stats ofRoute(String pattern, long completed, long failed) {
        return new Figures(pattern, completed, completed, failed, 0, 0, 0, 0, 0, 0, 0, Integer.MAX_VALUE);
    }

    // ---------------------------------------------------------------- counts and log of requests

    /**
     * Counts and logs a request that was refused before it began.
     *
     * @param peer the address of the client
     * @param request the request, or null if no head was read
     */
    void refused(String peer, @Nullable HttpRequest request, Refusal refusal) {
        // H5
        if (refusal.status() != 503) { // admit() has counted a 503 as shed
            metrics.refused.increment();
        }
        if (FailedRequests.has(refusal.status()) && request != null) {
            failed.add(peer, request.method().name(), request.uri(), refusal.status(), refusal.reason());
        }
        if (accessLog.isOn()) {
            String method = request == null ? "-" : request.method().name();
            String uri = request == null ? "-" : request.uri();
            accessLog.add(peer, method, uri, refusal.status(), 0, 0, refusal.reason());
        }
    }

    /**
     * Logs a request that has ended.
     *
     * @param bytes the number of bytes in the body of its answer
     * @param nanos the nanoseconds from its head to the end of its answer
     * @param outcome its outcome, in words
     */
    void ended(String peer, HttpRequest request, String path, int status, long bytes, long nanos, String outcome) {
        if (FailedRequests.has(status)) {
            String reason = outcome.equals("ok") ? "a backend answered so" : outcome;
            failed.add(peer, request.method().name(), path, status, reason);
        }
        if (accessLog.isOn()) {
            accessLog.add(peer, request.method().name(), path, status, bytes, nanos, outcome);
        }
    }
}
