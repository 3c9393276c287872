// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.NanoClock;
import dev.spindle.flow.Breaker;
import dev.spindle.flow.Bulkhead;
import dev.spindle.flow.Endpoint;
import dev.spindle.flow.EndpointBuilder;
import dev.spindle.flow.Hedge;
import dev.spindle.flow.Outcome;
import dev.spindle.flow.Retry;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.BackendConfig.Repeat;
import dev.spindle.gateway.config.BreakerConfig;
import dev.spindle.gateway.config.Concurrency;
import dev.spindle.gateway.resilience.CircuitBreakers;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A backend while the gateway runs: its endpoint, with the state of its guards, and a pool of connections for each
 * loop.
 */
final class Backend {
    private static final Duration UNLIMITED = Duration.ofSeconds(1);

    final Core core;
    final BackendConfig config;
    final NanoClock clock;
    final Endpoint<BackendRequest, BackendAnswer> endpoint;
    final BackendMetrics metrics;
    final long mostAnswer;
    final String host;
    /** How its part of several answers begins. */
    final byte[] partBeginning;

    final @Nullable SslContext tls;
    final @Nullable Bulkhead bulkhead;
    final @Nullable Breaker breaker;
    private final ConnectionPool[] pools;

    Backend(Core core, BackendConfig config) {
        this.core = core;
        this.config = config;
        clock = core.spindle.clock();
        metrics = new BackendMetrics();
        mostAnswer = core.config.limits().answer();
        host = host(config);
        partBeginning = Multipart.beginning(config.name());
        tls = config.secure() ? tls() : null;
        Concurrency most = config.concurrent();
        bulkhead = most == null ? null : Bulkhead.of(core.spindle, config.name(), limiter(most), config.queue());
        breaker = breaker(core, config);
        endpoint = endpoint();
        pools = new ConnectionPool[core.loops.length];
        int connections = config.connections();
        Places places = connections < pools.length ? new Places(connections, pools) : null;
        for (int i = 0; i < pools.length; i++) {
            pools[i] = new ConnectionPool(this, core.loops[i], core.transport, pools.length, places);
        }
    }

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

    static Limiter limiter(Concurrency most) {
        return most.isFixed() ? Limiter.fixed(most.max()) : Limiter.gradient(most.min(), most.initial(), most.max());
    }

    private static @Nullable Breaker breaker(Core core, BackendConfig config) {
        BreakerConfig of = config.breaker();
        if (of == null) {
            return null;
        }
        return of.engine() == BreakerConfig.Engine.RESILIENCE4J
                ? CircuitBreakers.create(config.name(), of, core.spindle.clock())
                : Breaker.builder(core.spindle)
                        .window(of.window(), of.minimum())
                        .threshold(of.failures())
                        .openFor(of.open())
                        .trials(of.trials())
                        .build();
    }

    private Endpoint<BackendRequest, BackendAnswer> endpoint() {
        EndpointBuilder<BackendRequest, BackendAnswer> builder = Endpoint.builder(
                        core.spindle,
                        config.name(),
                        (BackendRequest request, dev.spindle.flow.Attempt attempt) ->
                                new BackendCall(this, request, attempt).start())
                .onDiscard(BackendAnswer::release)
                .failureWhen(Backend::isFailure);
        if (config.limit() != null) {
            builder.limit(config.limit());
        }
        if (bulkhead != null) {
            builder.bulkhead(bulkhead);
        }
        if (breaker != null) {
            builder.breaker(breaker);
        }
        if (config.repeat() != Repeat.NEVER) {
            builder.repeatable(request -> request.isRepeatable(config.repeat()));
            if (config.retries() > 0) {
                builder.retry(Retry.times(config.retries()));
            }
            if (config.hedgePercentile() > 0) {
                builder.hedge(Hedge.atPercentile(config.hedgePercentile()));
            } else if (config.hedgeAfter() != null) {
                builder.hedge(Hedge.after(config.hedgeAfter()));
            }
        }
        return builder.build();
    }

    private static boolean isFailure(Outcome<BackendAnswer> outcome) {
        return outcome instanceof Outcome.Value<BackendAnswer> value
                ? value.value().isFailure()
                : !(outcome instanceof Outcome.Rejected<BackendAnswer>);
    }

    /** Returns how long a call has to last at least before the end of its time is held against this backend. */
    long expectedNanos() {
        Duration limit = config.limit();
        return (limit == null ? UNLIMITED : limit).toNanos() / 4 * 3;
    }

    /** Returns path and query as this backend gets them. */
    String uri(String target) {
        return config.base().isEmpty() ? target : config.base() + target;
    }

    ConnectionPool pool(Loop loop) {
        return pools[loop.index];
    }

    /** Closes what is idle, and all else when its call is done. */
    void retire() {
        for (ConnectionPool pool : pools) {
            boolean unused = pool.loop().run(pool::retire);
        }
    }

    @Override
    public String toString() {
        return config.toString();
    }
}
