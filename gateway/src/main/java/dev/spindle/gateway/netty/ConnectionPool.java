// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The connections of one event loop to one backend. */
final class ConnectionPool {
    /*
     * Confined to the event loop. All operations are constant.
     *
     * A connection is OPENING, BUSY with one call, IDLE, or closed:
     *   OPENING -> BUSY (there is a call for it) | IDLE (there is none any more) | closed (it failed)
     *   BUSY -> BUSY (with a call that waited) | IDLE | closed
     *   IDLE -> BUSY | closed
     *
     * Pool-1  `open` counts connections that are OPENING, BUSY or IDLE, and is at most `most`.
     * Pool-2  While calls wait, no connection is IDLE, and `open` is `most` or as many are OPENING as calls wait.
     * Pool-3  The idle list is in the order in which connections became idle. The youngest is used first, so that few
     *         are in use when there is little to do. Each has a limit, after which it is closed; until its loop comes
     *         to that it is not used.
     * Pool-4  An IDLE connection has no bytes of an answer left: a connection goes back only after all that was read
     *         with the end of its answer is decoded, and if anything follows it is closed.
     * Pool-5  With `places`, each connection that `open` counts has one. While calls wait that none of the connections
     *         that are OPENING is for, this pool is among those that want a place, or is being given one.
     */
    /** So many calls a connection serves for which its loop waits, before it gives way to another loop. */
    private static final int TURNS = 16;

    private final Backend backend;
    private final Loop loop;
    private final int most;
    private final int mostWaiting;
    private final Bootstrap bootstrap;
    private final InetSocketAddress remote;
    private final @Nullable Places places;
    private final Timeouts idleTimes;
    private final Set<BackendCall> waiting = new LinkedHashSet<>();
    private @Nullable BackendConnection youngest;
    private @Nullable BackendConnection oldest;
    private int open;
    private int opening;
    private int idle;
    private boolean retired;

    /**
     * Creates a pool.
     *
     * @param places what all loops share; null if each has a share of its own
     */
    ConnectionPool(Backend backend, Loop loop, Transport transport, int loops, @Nullable Places places) {
        this.backend = backend;
        this.loop = loop;
        this.places = places;
        int connections = backend.config.connections();
        most = places == null ? connections / loops + (loop.index < connections % loops ? 1 : 0) : places.most();
        idleTimes = new Timeouts(loop.executor, backend.clock, backend.config.idle());
        int waits = (backend.config.waiting() + loops - 1) / loops;
        mostWaiting = places == null ? waits : Math.max(1, waits); // for a place to come from another loop
        bootstrap = new Bootstrap()
                .group(loop.executor)
                .channelFactory(transport::newSocket)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        Math.min(Integer.MAX_VALUE, backend.config.connectTime().toMillis()))
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        init(channel);
                    }
                });
        String host = backend.config.address().host();
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(host);
        if (literal == null) {
            bootstrap.resolver(transport.resolver());
            remote = InetSocketAddress.createUnresolved(
                    host, backend.config.address().port());
        } else {
            bootstrap.disableResolver();
            remote = new InetSocketAddress(literal, backend.config.address().port());
        }
    }

    private void init(Channel channel) {
        if (backend.tls != null) {
            channel.pipeline()
                    .addLast(backend.tls.newHandler(
                            channel.alloc(),
                            backend.config.address().host(),
                            backend.config.address().port()));
        }
        CallEncoder encoder = new CallEncoder();
        StrictResponseDecoder decoder = new StrictResponseDecoder();
        channel.pipeline().addLast(encoder, decoder, new BackendConnection(this, channel, encoder, decoder));
    }

    /** Gives the call a connection, now or later, or says that there is none. */
    void acquire(BackendCall call, boolean fresh) {
        BackendConnection found = fresh ? null : takeYoungest();
        if (found != null) {
            call.connected(found, true);
        } else if (takePlace()) {
            waiting.add(call);
            open();
        } else if (waiting.size() - opening < mostWaiting) {
            waiting.add(call);
        } else {
            call.refused("all " + most + " connections to " + backend.config.name() + " are in use and " + mostWaiting
                    + " calls wait for one");
        }
    }

    private @Nullable BackendConnection takeYoungest() {
        for (BackendConnection found = youngest; found != null; found = youngest) {
            unlink(found);
            if (found.isUsable() && !idleTimes.isOver(found.idleLimit)) {
                return found;
            }
            found.close();
        }
        return null;
    }

    private boolean takePlace() {
        return open < most && (places == null || places.take(this));
    }

    private void freePlace() {
        open--;
        if (places != null) {
            places.giveBack();
        }
    }

    /** Takes a place that was wanted. */
    void granted() {
        if (waiting.size() > opening) {
            open();
            openForWaiting();
        } else if (places != null) {
            places.giveBack();
        }
    }

    /** Closes an idle connection, if another loop wants its place. */
    void giveWay() {
        BackendConnection last = oldest;
        if (last != null && places != null && places.isWantedFrom(this)) {
            unlink(last);
            last.close();
        }
    }

    private void open() {
        open++;
        opening++;
        backend.metrics.connections.increment();
        boolean begun = false;
        try {
            // without a file descriptor there is no channel, and another thread than the loop's says so
            bootstrap.connect(remote).addListener((ChannelFuture connected) -> {
                boolean unused = loop.run(() -> opened(connected));
            });
            begun = true;
        } finally {
            if (!begun) {
                opening--;
                freePlace();
            }
        }
    }

    private void opened(ChannelFuture connected) {
        opening--;
        if (connected.isSuccess()) {
            connected.channel().pipeline().get(BackendConnection.class).opened();
            return;
        }
        freePlace();
        BackendCall first = firstWaiting();
        if (first != null) {
            first.failed("no connection to " + backend.config.name() + ": " + Reasons.of(connected.cause()));
        }
        openForWaiting();
    }

    /** Takes a connection that is new, or done with its call. */
    void available(BackendConnection connection) {
        if (places != null && places.isWantedFrom(this) && (waiting.isEmpty() || ++connection.turns % TURNS == 0)) {
            connection.close();
            return;
        }
        BackendCall first = firstWaiting();
        if (first != null) {
            first.connected(connection, connection.wasUsed());
        } else if (retired) {
            connection.close();
        } else {
            link(connection);
            giveWay();
        }
    }

    /** Takes note that a connection that was opened is closed. */
    void closed(BackendConnection connection) {
        if (connection.isIdle) {
            unlink(connection);
        }
        freePlace();
        openForWaiting();
    }

    private void openForWaiting() {
        while (waiting.size() > opening && takePlace()) {
            open();
        }
    }

    private @Nullable BackendCall firstWaiting() {
        if (waiting.isEmpty()) {
            return null;
        }
        BackendCall first = waiting.iterator().next();
        waiting.remove(first);
        return first;
    }

    /** Takes back a call that waits. */
    void withdraw(BackendCall call) {
        waiting.remove(call);
    }

    /** Closes what is idle, and from now on each connection when its call is done. */
    void retire() {
        retired = true;
        for (BackendConnection last = oldest; last != null; last = oldest) {
            unlink(last);
            last.close();
        }
    }

    private void link(BackendConnection connection) {
        idleTimes.start(connection.idleLimit);
        if (places != null) {
            places.becameIdle();
        }
        connection.isIdle = true;
        connection.older = youngest;
        if (youngest == null) {
            oldest = connection;
        } else {
            youngest.younger = connection;
        }
        youngest = connection;
        idle++;
    }

    private void unlink(BackendConnection connection) {
        connection.idleLimit.stop();
        if (places != null) {
            places.endedIdle();
        }
        BackendConnection older = connection.older;
        BackendConnection younger = connection.younger;
        if (older == null) {
            oldest = younger;
        } else {
            older.younger = younger;
        }
        if (younger == null) {
            youngest = older;
        } else {
            younger.older = older;
        }
        connection.older = null;
        connection.younger = null;
        connection.isIdle = false;
        idle--;
    }

    Loop loop() {
        return loop;
    }

    boolean isSecure() {
        return backend.tls != null;
    }

    @Override
    public String toString() {
        return "connections to " + backend.config.name() + ": " + open + " open, " + idle + " idle, " + waiting.size()
                + " calls waiting";
    }
}
