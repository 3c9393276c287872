// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import static java.util.Objects.requireNonNull;

import dev.spindle.Spindle;
import dev.spindle.flow.Breaker;
import dev.spindle.flow.Bulkhead;
import dev.spindle.flow.Endpoint;
import dev.spindle.flow.EndpointBuilder;
import dev.spindle.flow.Outcome;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.BackendConfig.Repeat;
import dev.spindle.gateway.config.BackendTls;
import dev.spindle.gateway.config.BreakerConfig;
import dev.spindle.gateway.config.CheckConfig;
import dev.spindle.gateway.config.Concurrency;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Live;
import dev.spindle.gateway.metrics.BackendMetrics;
import dev.spindle.gateway.protocol.Deadlines;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A backend while the gateway runs: its guards, and its instances, each with a pool of connections for each event loop.
 *
 * <p>All fields are final. Guards may be used by any thread; a pool is confined to its loop. A reload retires a backend
 * that the new configuration does not have: idle connections are closed at once, and busy connections are closed when
 * no call needs them.
 */
public final class Backend {
    /*
     * The path of a call: `endpoint` creates a BackendCall for each attempt, on any thread, under time limit, bulkhead
     * and breaker. The call goes to the event loop of its request, chooses an instance there if there are several, and
     * waits for a connection of that loop's pool.
     * The outcome of the call goes back to the endpoint, which counts the outcome and may retry or hedge.
     */
    /** The time limit that is assumed for a backend without a limit; the same as in flow's Endpoint. */
    private static final Duration UNLIMITED = Duration.ofSeconds(1);

    /** The configuration of this backend. A reload may have replaced the instances since. */
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
    /** The value of the Host field; of calls for clients without a Host, if that of the client is kept. */
    final String host;
    /** True if calls have the Host of the client. */
    final boolean keepsHost;

    /** The TLS context; null if connections have no TLS. */
    final @Nullable Live<SslContext> tls;
    /** The limit of calls under way; null for none. */
    public final @Nullable Bulkhead bulkhead;
    /** The breaker; null for none. */
    public final @Nullable Breaker breaker;

    /** The instances among which calls are balanced; null if the host of the url is the only instance. */
    public final @Nullable Instances several;
    /** The only instance; null if there may be several. */
    private final @Nullable Instance only;
    /** The watch of the host's addresses; null if they are not instances. */
    private final @Nullable NameWatch names;

    /** Creates a backend; its pools open no connection before the first call. */
    public Backend(BackendContext context, BackendConfig config) {
        this.config = config;
        clock = context.spindle()::nanoTime;
        deadlines = context.deadlines();
        metrics = new BackendMetrics();
        mostAnswer = context.mostAnswer();
        String said = config.host();
        keepsHost = said != null && said.isEmpty();
        host = said == null || keepsHost ? host(config) : said;
        tls = config.secure() ? tls(context) : null;
        Concurrency most = config.concurrent();
        bulkhead =
                most == null ? null : Bulkhead.create(context.spindle(), config.name(), limiter(most), config.queue());
        breaker = breaker(context.spindle(), config);
        endpoint = endpoint(context.spindle());
        several = config.isBalanced() ? several(context) : null;
        only = several == null ? new Instance(this, context, config.address()) : null;
        Duration every = config.resolve();
        names = several == null || every == null
                ? null
                : new NameWatch(several::replace, context, config.address(), every);
        if (names != null) {
            names.start();
        }
    }

    /** Returns the set of instances that the configuration names. */
    private Instances several(BackendContext context) {
        List<Address> addresses = config.instances();
        return new Instances(
                config,
                addresses.isEmpty() ? List.of(config.address()) : addresses,
                clock,
                context.transport().failures(),
                bound -> ThreadLocalRandom.current().nextInt(bound),
                new Instances.Maker() {
                    @Override
                    public Instance instance(Address address) {
                        return new Instance(Backend.this, context, address);
                    }

                    @Override
                    public @Nullable HealthCheck check(Address address, int number, HealthCheck.Listener listener) {
                        CheckConfig check = config.check();
                        return check == null ? null : healthCheck(context, check, address, number, listener);
                    }
                });
    }

    private HealthCheck healthCheck(
            BackendContext context, CheckConfig check, Address address, int number, HealthCheck.Listener listener) {
        ConnectionLoop loop = context.loops().get(number % context.loops().size());
        return new HealthCheck(
                check, address, host, uri(check.path()), this::secure, context.transport(), loop, listener);
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

    private Live<SslContext> tls(BackendContext context) {
        BackendTls files = config.tls();
        try {
            return new Live<>(
                    context.spindle(),
                    context.transport().failures(),
                    "the TLS of backend " + config.name(),
                    files == null ? List.of() : files.files(),
                    () -> ClientTls.load(files));
        } catch (IOException e) {
            throw new IllegalArgumentException("no TLS to backend " + config.name() + ": " + e.getMessage(), e);
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

    /** Returns whether the endpoint may make a second call for a request. */
    public boolean callsAgain() {
        return config.retries() > 0 || config.hedgePercentile() > 0 || config.hedgeAfter() != null;
    }

    /** Returns the path and the query that this backend gets. */
    String uri(String target) {
        return config.base().isEmpty() ? target : config.base() + target;
    }

    /** Returns the pool of a loop at the only instance, or at the first of several. */
    ConnectionPool pool(ConnectionLoop loop) {
        Instance instance = only;
        return (instance == null ? requireNonNull(several).first() : instance).pool(loop);
    }

    /** Adds TLS to a new connection, if this backend has it. */
    void secure(Channel channel) {
        if (tls != null) {
            channel.pipeline()
                    .addLast(tls.get()
                            .newHandler(
                                    channel.alloc(),
                                    config.address().host(),
                                    config.address().port()));
        }
    }

    /**
     * Closes idle connections soon, and each busy connection when no call needs it. Any thread may call this method.
     */
    public void retire() {
        if (tls != null) {
            tls.close();
        }
        if (names != null) {
            names.stop();
        }
        if (several != null) {
            several.retire();
        }
        if (only != null) {
            only.retire();
        }
    }

    @Override
    public String toString() {
        return config.toString();
    }
}
