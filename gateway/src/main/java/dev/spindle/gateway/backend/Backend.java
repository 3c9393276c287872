// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.Spindle;
import dev.spindle.flow.Breaker;
import dev.spindle.flow.Bulkhead;
import dev.spindle.flow.Endpoint;
import dev.spindle.flow.EndpointBuilder;
import dev.spindle.flow.Outcome;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.BackendConfig.Repeat;
import dev.spindle.gateway.config.BreakerConfig;
import dev.spindle.gateway.config.Concurrency;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.metrics.BackendMetrics;
import dev.spindle.gateway.protocol.Deadlines;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A backend while the gateway runs: its guards, and a pool of connections for each event loop.
 *
 * <p>All fields are final. Guards may be used by any thread; a pool is confined to its loop. A reload retires a backend
 * that the new configuration does not have: idle connections are closed at once, and busy connections are closed when
 * no call needs them.
 */
public final class Backend {
    /*
     * The path of a call: `endpoint` creates a BackendCall for each attempt, on any thread, under time limit, bulkhead
     * and breaker. The call goes to the event loop of its request and waits there for a connection of that loop's pool.
     * The outcome of the call goes back to the endpoint, which counts the outcome and may retry or hedge.
     */
    /** The time limit that is assumed for a backend without a limit; the same as in flow's Endpoint. */
    private static final Duration UNLIMITED = Duration.ofSeconds(1);

    /** The configuration of this backend. */
    public final BackendConfig config;
    /** The clock of the spindle. */
    final LongSupplier clock;
    /** Makes the calls, under the guards. */
    public final Endpoint<BackendRequest, BackendAnswer> endpoint;
    /** The counts of calls and connections. */
    public final BackendMetrics metrics;
    /** Writes the remaining time into the heads of calls. */
    final Deadlines deadlines;
    /** The maximum bytes of an answer that is held. */
    final long mostAnswer;
    /** The value of the Host field. */
    final String host;

    /** The TLS context; null if connections have no TLS. */
    final @Nullable SslContext tls;
    /** The limit of calls under way; null for none. */
    public final @Nullable Bulkhead bulkhead;
    /** The breaker; null for none. */
    public final @Nullable Breaker breaker;

    private final ConnectionPool[] pools;

    /** Creates a backend; its pools open no connection before the first call. */
    public Backend(BackendContext context, BackendConfig config) {
        this.config = config;
        clock = context.spindle()::nanoTime;
        deadlines = context.deadlines();
        metrics = new BackendMetrics();
        mostAnswer = context.mostAnswer();
        host = host(config);
        tls = config.secure() ? tls() : null;
        Concurrency most = config.concurrent();
        bulkhead =
                most == null ? null : Bulkhead.create(context.spindle(), config.name(), limiter(most), config.queue());
        breaker = breaker(context.spindle(), config);
        endpoint = endpoint(context.spindle());
        List<ConnectionLoop> loops = context.loops();
        pools = new ConnectionPool[loops.size()];
        int connections = config.connections();
        Places places = connections < pools.length ? new Places(connections, pools) : null;
        for (int i = 0; i < pools.length; i++) {
            pools[i] = new ConnectionPool(this, loops.get(i), context.transport(), pools.length, places);
        }
    }

    /**
     * Returns the value of the Host field. The default port of the scheme is omitted, and an IPv6 address has brackets.
     */
    private static String host(BackendConfig config) {
        boolean usual = config.address().port() == (config.secure() ? 443 : 80);
        String host = config.address().host();
        String name = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return usual ? name : name + ":" + config.address().port();
    }

    private static SslContext tls() {
        try {
            return SslContextBuilder.forClient()
                    .endpointIdentificationAlgorithm("HTTPS")
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("this Java has no TLS", e);
        }
    }

    /** Returns a fixed limit, or a limit that learns from the durations of calls. */
    public static Limiter limiter(Concurrency most) {
        return most.isFixed() ? Limiter.fixed(most.max()) : Limiter.gradient(most.min(), most.initial(), most.max());
    }

    private static @Nullable Breaker breaker(Spindle spindle, BackendConfig config) {
        BreakerConfig of = config.breaker();
        if (of == null) {
            return null;
        }
        return of.engine() == BreakerConfig.Engine.RESILIENCE4J
                ? Resilience4jBreakers.create(config.name(), of, spindle::nanoTime)
                : Breaker.builder(spindle, config.name())
                        .window(of.window())
                        .minimumCalls(of.minimum())
                        .failureShare(of.failures())
                        .openFor(of.open())
                        .trials(of.trials())
                        .build();
    }

    /** Returns the guards around a call: time limit, bulkhead, breaker, retries and hedges. */
    private Endpoint<BackendRequest, BackendAnswer> endpoint(Spindle spindle) {
        EndpointBuilder<BackendRequest, BackendAnswer> builder = Endpoint.builder(
                        spindle,
                        config.name(),
                        (BackendRequest request, dev.spindle.flow.Attempt attempt) ->
                                new BackendCall(this, request, attempt).start())
                .onDiscard(BackendAnswer::release)
                .failureWhen(Backend::isFailure);
        if (config.limit() != null) {
            builder.attemptTimeout(config.limit());
        }
        if (bulkhead != null) {
            builder.bulkhead(bulkhead);
        }
        if (breaker != null) {
            builder.breaker(breaker);
        }
        if (config.repeat() != Repeat.NEVER) {
            builder.idempotent(request -> request.isRepeatable(config.repeat())).retries(config.retries());
            if (config.hedgePercentile() > 0) {
                builder.hedgeAtPercentile(config.hedgePercentile());
            } else if (config.hedgeAfter() != null) {
                builder.hedgeAfter(config.hedgeAfter());
            }
        }
        return builder.build();
    }

    /**
     * Returns whether an outcome counts against the backend. A rejected call does not count, since the gateway rejected
     * it.
     */
    private static boolean isFailure(Outcome<BackendAnswer> outcome) {
        return outcome instanceof Outcome.Value<BackendAnswer> value
                ? value.value().isFailure()
                : !(outcome instanceof Outcome.Rejected<BackendAnswer>);
    }

    /**
     * Returns the shortest time limit of a call whose timeout counts against this backend. A shorter limit comes from
     * the client's deadline.
     */
    public long expectedNanos() {
        Duration limit = config.limit();
        return (limit == null ? UNLIMITED : limit).toNanos() / 4 * 3;
    }

    /** Returns the path and the query that this backend gets. */
    String uri(String target) {
        return config.base().isEmpty() ? target : config.base() + target;
    }

    /** Returns the pool of a loop. */
    ConnectionPool pool(ConnectionLoop loop) {
        return pools[loop.index];
    }

    /**
     * Closes idle connections soon, and each busy connection when no call needs it. Any thread may call this method.
     */
    public void retire() {
        for (ConnectionPool pool : pools) {
            boolean unused = pool.loop().run(pool::retire);
        }
    }

    @Override
    public String toString() {
        return config.toString();
    }
}
