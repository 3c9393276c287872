// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.gateway.admin.Health;
import dev.spindle.gateway.admin.MetricsText;
import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.loop.Channels;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.InTime;
import dev.spindle.gateway.loop.Live;
import dev.spindle.gateway.loop.Transport;
import dev.spindle.internal.SpindleParts;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A running gateway: its threads, its listening sockets, and its end.
 *
 * <p>All methods may be called by any thread, except by the threads of the gateway, for whose end {@link #close} waits.
 */
public final class NettyGateway implements AutoCloseable {
    /*
     * The states of a gateway. Each step is taken at most once:
     *   RUNNING  -> NOTICE   drain(): not ready, still accepts; answers announce that their connections close
     *   NOTICE   -> CLOSING  the notice is over: the listening socket and connections without a request are closed
     *   CLOSING  -> ENDED    the last connection is closed
     *   each     -> ENDED    close(), or the limit of the drain is over: all connections are cut off
     *
     * NettyGateway-1  The monitor guards only `state`. The actions of a step start after the monitor is released, on
     *                 the thread that takes the step.
     * NettyGateway-2  `ended` is completed after all event loops have ended. No handler runs after its completion.
     */
    private enum State {
        RUNNING,
        NOTICE,
        CLOSING,
        ENDED
    }

    /** The maximum number of threads of the spindle, for time limits, lanes, and the access log. Not measured. */
    private static final int WORKERS = 2;
    /** Numbers the workers of all gateways of the process. */
    private static final AtomicInteger WORKER = new AtomicInteger();

    private final Spindle spindle;
    private final MultiThreadIoEventLoopGroup group;
    private final Transport transport;
    private final GatewayState gateway;
    /** The listening sockets, which are closed at the end of the gateway. */
    private final List<Channel> watched = new ArrayList<>();
    /** The future that is completed at the end with the number of requests that were cut off. */
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    /** The number of requests that were cut off so far. */
    private final AtomicInteger cut = new AtomicInteger();

    private @Nullable Channel listening;
    private @Nullable Channel listeningSecure;
    private @Nullable Channel admin;
    private @Nullable Channel agent;
    private State state = State.RUNNING;

    /** The stream of the access log if this gateway has opened it; otherwise null. */
    private volatile @Nullable OutputStream file;

    private NettyGateway(Settings config, @Nullable OutputStream log, @Nullable OutputStream file) throws IOException {
        this.file = file;
        spindle = Spindle.builder()
                .name("gateway")
                .coreThreads(1)
                .maxThreads(WORKERS)
                .threadFactory(NettyGateway::worker)
                .build();
        transport = new Transport(config.resolver());
        int threads = config.threads() == 0 ? Runtime.getRuntime().availableProcessors() : config.threads();
        group = transport.loops(threads, new DefaultThreadFactory("gateway-loop"));
        IdentityHashMap<EventLoop, ConnectionLoop> byExecutor = new IdentityHashMap<>();
        ConnectionLoop[] loops = new ConnectionLoop[threads];
        for (EventExecutor executor : group) {
            EventLoop loop = (EventLoop) executor;
            int index = byExecutor.size();
            loops[index] = new ConnectionLoop(loop, index, spindle::nanoTime, config.limits());
            byExecutor.put(loop, loops[index]);
        }
        gateway = new GatewayState(spindle, config, transport, loops, log);
        SpindleParts.add(spindle, gateway);
        try {
            Function<Channel, ConnectionLoop> loopOf = channel -> loopOf(byExecutor, channel);
            Health health = new Health(gateway, loopOf);
            Live<ServerTls> tls = tls(config);
            Address secure = tls == null ? null : config.tlsListen();
            listening = bind(config.listen(), new ClientInitializer(gateway, loopOf, secure == null ? tls : null));
            listeningSecure = secure == null ? null : bind(secure, new ClientInitializer(gateway, loopOf, tls));
            admin = config.admin() == null ? null : bind(config.admin(), health.admin());
            agent = config.agent() == null ? null : bind(config.agent(), health.agent());
        } catch (IOException | RuntimeException e) {
            cutOff();
            ended.join();
            throw e;
        }
    }

    /**
     * Returns a new daemon thread, so that a worker blocked in a write of the access log does not keep the process
     * alive. The threads of the event loops are not daemons.
     */
    private static Thread worker(Runnable work) {
        Thread thread = new Thread(null, work, "gateway-" + WORKER.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        thread.setPriority(Thread.NORM_PRIORITY);
        thread.setContextClassLoader(NettyGateway.class.getClassLoader());
        return thread;
    }

    /**
     * Starts a gateway. The gateway accepts connections when this method returns.
     *
     * @param log the stream of the access log, written to by one thread at a time; null for none
     * @throws IOException if an address cannot be bound, or a file of the TLS identity cannot be read
     */
    public static NettyGateway start(Settings config, @Nullable OutputStream log) throws IOException {
        return new NettyGateway(config, log, null);
    }

    /**
     * Starts a gateway that writes its access log to the file of the settings, if the settings name a file.
     *
     * @throws IOException if an address cannot be bound, or a file of the TLS identity or the access log cannot be
     *     opened
     */
    public static NettyGateway start(Settings config) throws IOException {
        String name = config.accessLog();
        if (name == null) {
            return start(config, null);
        }
        if ("-".equals(name)) {
            throw new IllegalArgumentException(
                    "the standard output belongs to the program; name a file for access-log");
        }
        OutputStream log = open(name);
        try {
            return new NettyGateway(config, log, log);
        } catch (IOException | RuntimeException e) {
            log.close();
            throw e;
        }
    }

    /**
     * Turns off Netty's default search for buffers that are not released, in the whole process. It takes a stack
     * trace for one of 128 buffers. Another level, set by a property of Netty, is kept.
     */
    public static void sampleNoBuffers() {
        if (ResourceLeakDetector.getLevel() == ResourceLeakDetector.Level.SIMPLE) {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        }
    }

    private static OutputStream open(String name) throws IOException {
        return new BufferedOutputStream(
                Files.newOutputStream(Path.of(name), StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    }

    /**
     * Opens the file of the access log again, after another program has renamed it. Without such a file, does nothing.
     *
     * @throws IOException if the file cannot be opened; the old file then stays in use
     */
    public synchronized void reopenLog() throws IOException {
        OutputStream before = file;
        String name = gateway.config.accessLog();
        if (before == null || name == null || state == State.ENDED) {
            return;
        }
        OutputStream next = open(name);
        gateway.accessLog.reopen(next);
        file = next;
        before.close();
    }

    private static ConnectionLoop loopOf(IdentityHashMap<EventLoop, ConnectionLoop> byExecutor, Channel channel) {
        ConnectionLoop loop = byExecutor.get(channel.eventLoop());
        if (loop == null) {
            throw new IllegalStateException("a connection on an event loop of another gateway");
        }
        return loop;
    }

    /** Returns the TLS of the server; null for none. */
    private @Nullable Live<ServerTls> tls(Settings config) throws IOException {
        return config.tls() == null
                ? null
                : new Live<>(
                        spindle,
                        transport.failures(),
                        "the TLS of the gateway",
                        ServerTls.files(config),
                        () -> ServerTls.load(config));
    }

    /** Opens a listening socket, which is closed at the end of the gateway. */
    private Channel bind(Address address, ChannelHandler children) throws IOException {
        Channel bound = transport.bind(group, new InetSocketAddress(address.host(), address.port()), children);
        watched.add(bound);
        return bound;
    }

    /** Returns the address for requests. */
    public Address address() {
        return address(listening);
    }

    /** Returns the address for requests with TLS, if it is not that of all requests. */
    public Optional<Address> secureAddress() {
        return Optional.ofNullable(listeningSecure).map(NettyGateway::address);
    }

    /** Returns the name of the transport. */
    public String transport() {
        return transport.toString();
    }

    /** Returns the address of health and metrics. */
    public Optional<Address> admin() {
        return Optional.ofNullable(admin).map(NettyGateway::address);
    }

    /** Returns the address of the agent check. */
    public Optional<Address> agent() {
        return Optional.ofNullable(agent).map(NettyGateway::address);
    }

    private static Address address(@Nullable Channel channel) {
        if (channel == null || !(channel.localAddress() instanceof InetSocketAddress bound)) {
            throw new IllegalStateException("the gateway is closed");
        }
        InetAddress address = bound.getAddress();
        return new Address(address == null ? bound.getHostString() : address.getHostAddress(), bound.getPort());
    }

    /**
     * Replaces routes and backends.
     *
     * @throws IllegalArgumentException if {@code next} differs in an option that cannot change while the gateway runs;
     *     the gateway then keeps its settings
     */
    public void reload(Settings next) {
        String fixed = config().fixedDifference(next);
        if (!fixed.isEmpty()) {
            throw new IllegalArgumentException(
                    "only backends and routes can change while the gateway runs; start it again for: " + fixed);
        }
        gateway.reload(next);
    }

    /** Returns the configuration for new requests. */
    public Settings config() {
        return gateway.routing().config;
    }

    /** Returns the counts of requests. */
    public Stats stats() {
        return gateway.stats();
    }

    /** Returns the spindle of this gateway. */
    public Spindle spindle() {
        return spindle;
    }

    /** Returns the metrics in the text format of Prometheus. */
    public String metrics() {
        return MetricsText.of(gateway);
    }

    // ---------------------------------------------------------------- the end

    /**
     * Begins a drain, unless a drain has begun or the gateway has ended. The future completes with the number of
     * requests that were cut off.
     */
    public CompletableFuture<Integer> drain() {
        if (step(State.RUNNING, State.NOTICE)) {
            gateway.startDraining();
            after(gateway.config.drainLimit(), this::cutOff);
            after(gateway.config.drainNotice(), this::closeIdle); // scheduled last, since closeIdle() may end the loops
        }
        return ended.copy();
    }

    /** Runs {@code action} on the first event loop after {@code time}, unless the gateway ends earlier. */
    private void after(Duration time, Runnable action) {
        try {
            var unused = gateway.loops[0].executor.schedule(action, time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            end(); // a concurrent close() has ended the loops
        }
    }

    /** Stops accepting, and closes connections without a request. The last connection to close ends the gateway. */
    private void closeIdle() {
        if (!step(State.NOTICE, State.CLOSING)) {
            return;
        }
        Channel door = listening;
        if (listeningSecure != null) {
            Channels.close(listeningSecure);
        }
        ChannelFuture closed = door == null ? null : door.close();
        Runnable rest = () -> {
            for (ConnectionLoop loop : gateway.loops) {
                boolean unused = loop.run(() -> {
                    loop.closesIdle = true;
                    List.copyOf(loop.connections).forEach(ConnectionLoop.Drainable::drain);
                });
            }
            gateway.connections.whenNone(this::end);
        };
        if (closed == null) {
            rest.run();
        } else {
            closed.addListener(done -> rest.run());
        }
    }

    /** Cuts off all connections, each on its loop, and then ends the gateway. */
    public void cutOff() {
        CompletableFuture<?>[] loops = new CompletableFuture<?>[gateway.loops.length];
        for (ConnectionLoop loop : gateway.loops) {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            loops[loop.index] = done;
            boolean alive = loop.run(() -> {
                try {
                    List<ConnectionLoop.Drainable> all = List.copyOf(loop.connections);
                    int open = (int) all.stream()
                            .filter(ConnectionLoop.Drainable::isBusy)
                            .count();
                    cut.addAndGet(open);
                    gateway.metrics.cutOff.add(open);
                    all.forEach(ConnectionLoop.Drainable::cutOff); // H6
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

    /** Ends event loops, spindle, resolver and access log, in this order. */
    private void end() {
        synchronized (this) {
            if (state == State.ENDED) {
                return;
            }
            state = State.ENDED;
        }
        watched.forEach(Channels::close); // NettyGateway-2
        var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).addListener(done -> {
            try {
                spindle.shutdownNow();
                transport.close();
                gateway.failed.close();
                gateway.accessLog.close();
            } finally {
                ended.complete(cut.get());
            }
        });
    }

    /** Takes a step if the gateway is in the state {@code from}. Returns true if the step was taken. */
    private synchronized boolean step(State from, State to) {
        if (state != from) {
            return false;
        }
        state = to;
        return true;
    }

    /**
     * Cuts off requests under way, and returns when all event loops have ended. If the access log is a pipe that is not
     * read, this method waits for at most two more seconds.
     */
    @Override
    public void close() throws IOException { // NettyGateway-1
        cutOff();
        ended.join();
        OutputStream log = file;
        if (log == null) {
            return;
        }
        AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
        boolean unused = InTime.run("gateway-access-log", () -> {
            try {
                log.close();
            } catch (IOException e) {
                failure.set(e);
            }
        });
        IOException thrown = failure.get();
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Returns whether a drain has begun. */
    public boolean isDraining() {
        return gateway.isDraining();
    }
}
