// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.Spindle;
import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.GatewayConfig;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A gateway that runs: its threads, its listening sockets, and how it ends. */
public final class NettyGateway {
    /*
     * The way to the end, which each step takes once:
     *   RUNNING -> NOTICE   drain(): not ready any more; answers say that the connection closes; still accepting
     *   NOTICE -> CLOSING   the notice is over: no listening socket, connections without a request are closed
     *   CLOSING -> ENDED    the last connection is closed, or the limit is over and what is left was cut off
     *   each -> ENDED       close()
     * Guarded by the monitor: `state`. The steps themselves run outside.
     */
    private enum State {
        RUNNING,
        NOTICE,
        CLOSING,
        ENDED
    }

    private static final int WORKERS = 2;
    private static final AtomicInteger WORKER = new AtomicInteger();

    private final Spindle spindle;
    private final MultiThreadIoEventLoopGroup group;
    private final Transport transport;
    private final Core core;
    private final List<Channel> watched = new ArrayList<>();
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private final AtomicInteger cut = new AtomicInteger();
    private @Nullable Channel listening;
    private @Nullable Channel admin;
    private @Nullable Channel agent;
    private State state = State.RUNNING;

    private NettyGateway(GatewayConfig config, @Nullable OutputStream log) throws IOException {
        SslContext tls = tls(config);
        spindle = Spindle.builder()
                .name("gateway")
                .core(1)
                .max(WORKERS)
                .threadFactory(NettyGateway::worker)
                .build();
        transport = new Transport();
        int threads = config.threads() == 0 ? Runtime.getRuntime().availableProcessors() : config.threads();
        group = transport.loops(threads, new DefaultThreadFactory("gateway-loop"));
        IdentityHashMap<EventLoop, Loop> byExecutor = new IdentityHashMap<>();
        Loop[] loops = new Loop[threads];
        for (EventExecutor executor : group) {
            EventLoop loop = (EventLoop) executor;
            int index = byExecutor.size();
            loops[index] = new Loop(loop, index, spindle.clock(), config.limits());
            byExecutor.put(loop, loops[index]);
        }
        core = new Core(spindle, config, transport, loops, log);
        try {
            Function<Channel, Loop> loopOf = channel -> loopOf(byExecutor, channel);
            Health health = new Health(core, loopOf);
            listening = bind(config.listen(), new FrontDoor(core, loopOf, tls));
            admin = config.admin() == null ? null : bind(config.admin(), health.admin());
            agent = config.agent() == null ? null : bind(config.agent(), health.agent());
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** A worker that writes an access log which is not read keeps no process from ending; the event loops do. */
    private static Thread worker(Runnable work) {
        Thread thread = new Thread(null, work, "gateway-" + WORKER.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        thread.setPriority(Thread.NORM_PRIORITY);
        thread.setContextClassLoader(NettyGateway.class.getClassLoader());
        return thread;
    }

    /**
     * Starts a gateway.
     *
     * @param log where lines of the access log go; null for nowhere
     * @throws IOException if an address cannot be bound, or a file of the TLS identity not be read
     */
    public static NettyGateway start(GatewayConfig config, @Nullable OutputStream log) throws IOException {
        return new NettyGateway(config, log);
    }

    private static Loop loopOf(IdentityHashMap<EventLoop, Loop> byExecutor, Channel channel) {
        Loop loop = byExecutor.get(channel.eventLoop());
        if (loop == null) {
            throw new IllegalStateException("a connection on a loop of somebody else");
        }
        return loop;
    }

    private static @Nullable SslContext tls(GatewayConfig config) throws IOException {
        GatewayConfig.Tls files = config.tls();
        if (files == null) {
            return null;
        }
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(
                    files.certificate().toFile(), files.key().toFile());
            if (config.http2()) {
                builder.ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                        .applicationProtocolConfig(new ApplicationProtocolConfig(
                                ApplicationProtocolConfig.Protocol.ALPN,
                                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                                ApplicationProtocolNames.HTTP_2,
                                ApplicationProtocolNames.HTTP_1_1));
            }
            return builder.build();
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(
                    "no TLS with certificate " + files.certificate() + " and key " + files.key()
                            + ", which must be PEM files, the key PKCS#8 without a password: " + e.getMessage(),
                    e);
        }
    }

    private Channel bind(Address address, ChannelHandler children) throws IOException {
        Channel bound = transport.bind(group, new InetSocketAddress(address.host(), address.port()), children);
        watched.add(bound);
        return bound;
    }

    /** Where requests come in. */
    public Address address() {
        return address(listening);
    }

    /** What serves the sockets. */
    public String transport() {
        return transport.toString();
    }

    /** Where health and metrics are; null for nowhere. */
    public @Nullable Address admin() {
        return admin == null ? null : address(admin);
    }

    /** Where the agent check is answered; null for nowhere. */
    public @Nullable Address agent() {
        return agent == null ? null : address(agent);
    }

    private static Address address(@Nullable Channel channel) {
        if (channel == null || !(channel.localAddress() instanceof InetSocketAddress bound)) {
            throw new IllegalStateException("the gateway is closed");
        }
        InetAddress address = bound.getAddress();
        return new Address(address == null ? bound.getHostString() : address.getHostAddress(), bound.getPort());
    }

    /** Takes other routes and backends. */
    public void reload(GatewayConfig next) {
        core.reload(next);
    }

    /** The configuration that new requests go by. */
    public GatewayConfig config() {
        return core.routing().config;
    }

    /** The text of the metrics. */
    public String metrics() {
        return core.metrics.text(core);
    }

    // ---------------------------------------------------------------- the end

    /** Begins to end; the future completes with how many requests were cut off. */
    public CompletableFuture<Integer> drain() {
        if (step(State.RUNNING, State.NOTICE)) {
            core.startDraining();
            after(core.config.drainLimit(), this::cutOff);
            after(core.config.drainNotice(), this::closeIdle); // which may end the loops, and with them the timers
        }
        return ended.copy();
    }

    /** Runs {@code action} later, unless the gateway has ended by then. */
    private void after(Duration time, Runnable action) {
        try {
            var unused = core.loops[0].executor.schedule(action, time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            end(); // the loops have ended, by a close() in between
        }
    }

    private void closeIdle() {
        if (!step(State.NOTICE, State.CLOSING)) {
            return;
        }
        Channel door = listening;
        ChannelFuture closed = door == null ? null : door.close();
        Runnable rest = () -> {
            for (Loop loop : core.loops) {
                boolean unused = loop.run(() -> {
                    loop.closesIdle = true;
                    List.copyOf(loop.connections).forEach(Loop.Drainable::drain);
                });
            }
            core.connections.whenNone(this::end);
        };
        if (closed == null) {
            rest.run();
        } else {
            closed.addListener(done -> rest.run());
        }
    }

    private void cutOff() {
        CompletableFuture<?>[] loops = new CompletableFuture<?>[core.loops.length];
        for (Loop loop : core.loops) {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            loops[loop.index] = done;
            boolean alive = loop.run(() -> {
                try {
                    List<Loop.Drainable> all = List.copyOf(loop.connections);
                    int open = (int) all.stream().filter(Loop.Drainable::isBusy).count();
                    cut.addAndGet(open);
                    core.metrics.cutOff.add(open);
                    all.forEach(Loop.Drainable::cutOff);
                } finally {
                    done.complete(true);
                }
            });
            if (!alive) {
                done.complete(false);
            }
        }
        CompletableFuture<?> unused = CompletableFuture.allOf(loops).whenComplete((done, thrown) -> end());
    }

    private void end() {
        synchronized (this) {
            if (state == State.ENDED) {
                return;
            }
            state = State.ENDED;
        }
        watched.forEach(Channels::close);
        var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).addListener(done -> {
            try {
                spindle.shutdownNow();
                transport.close();
                core.accessLog.close();
            } finally {
                ended.complete(cut.get());
            }
        });
    }

    private synchronized boolean step(State from, State to) {
        if (state != from) {
            return false;
        }
        state = to;
        return true;
    }

    /** Ends at once, and waits until it has. */
    public void close() {
        cutOff();
        ended.join();
    }

    /** Whether the end has begun. */
    public boolean isDraining() {
        return core.isDraining();
    }
}
