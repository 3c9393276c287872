// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Timeouts;
import dev.spindle.gateway.loop.Transport;
import dev.spindle.gateway.protocol.FailureText;
import dev.spindle.gateway.protocol.StrictResponseDecoder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The connections of one event loop to one instance of a backend, and the calls that wait for a connection. */
final class ConnectionPool implements Places.Taker {
    /*
     * Confined to the event loop.
     *
     * The states of a connection:
     *   OPENING  is being established   -> BUSY, IDLE if no call waits, closed
     *   BUSY     serves one call        -> BUSY with a call that waited, IDLE, closed
     *   IDLE     is in the idle list    -> BUSY, closed
     *
     * ConnectionPool-1  `open` counts connections that are OPENING, BUSY or IDLE, and is at most `most`.
     * ConnectionPool-2  Unless a call has asked for a new connection, no connection is IDLE while calls wait. Without
     *                   `places`, each waiting call has an OPENING connection, or `open` is `most`.
     * ConnectionPool-3  The idle list is in the order in which connections became idle, and the youngest connection is
     *                   used first. An idle connection whose time limit has passed is not used.
     * ConnectionPool-4  An IDLE connection has no unread bytes: it becomes IDLE only after all bytes received are
     *                   decoded, and is closed if any byte follows the answer.
     * ConnectionPool-5  With `places`, each connection that `open` counts has a place. While more calls wait than
     *                   connections are OPENING, the pool has all places, wants a place, or is being passed a place.
     */
    /**
     * The number of calls that a connection serves while another loop waits for its place; after these calls the
     * connection is closed. Not measured.
     */
    private static final int TURNS = 16;

    private final Backend backend;
    private final ConnectionLoop loop;
    /** The maximum number of connections: of this loop, or of all loops if they share places. */
    private final int most;
    /** The maximum number of waiting calls, not counting calls for which a connection is being opened. */
    private final int mostWaiting;

    private final Dialer dialer;
    /** The name of the backend, with the address if there may be several instances. */
    private final String name;
    /** The places shared with the pools of the other loops; null if each pool has its own share. */
    private final @Nullable Places places;

    private final Timeouts idleTimes;
    /** The waiting calls, in the order of their arrival. */
    private final Set<BackendCall> waiting = new LinkedHashSet<>();

    private @Nullable BackendConnection youngest;
    private @Nullable BackendConnection oldest;
    private int open;
    private int opening;
    private int idle;
    /** True if a connection is closed when its call is done and no call waits. */
    private boolean retired;

    /**
     * Creates a pool without connections. May be called by any thread.
     *
     * @param loops the number of loops, which share the connections evenly
     * @param places the places that all loops share; null if each loop has its own share
     */
    ConnectionPool(
            Backend backend,
            Address address,
            ConnectionLoop loop,
            Transport transport,
            int loops,
            @Nullable Places places) {
        this.backend = backend;
        this.loop = loop;
        this.places = places;
        int connections = backend.config.connections();
        most = places == null ? connections / loops + (loop.index < connections % loops ? 1 : 0) : places.most();
        idleTimes = new Timeouts(loop.executor, loop.clock(), backend.config.idle());
        int waits = (backend.config.waiting() + loops - 1) / loops;
        mostWaiting = places == null ? waits : Math.max(1, waits); // one call may wait for another loop's place
        dialer = new Dialer(loop, transport, address, backend.config.connectTime(), this::init);
        name = backend.config.isBalanced() ? backend.config.name() + " at " + address : backend.config.name();
    }

    /** Adds the handlers of a connection: TLS if the backend has it, the codec, and the connection itself. */
    private void init(Channel channel) {
        backend.secure(channel);
        StrictResponseDecoder decoder = new StrictResponseDecoder();
        channel.pipeline().addLast(decoder, new BackendConnection(this, channel, decoder));
    }

    /**
     * Gives the call a connection, during this method or later, or refuses the call.
     *
     * @param fresh true if the call needs a new connection, since it has just lost a connection that had been idle
     */
    void acquire(BackendCall call, boolean fresh) {
        BackendConnection found = fresh ? null : takeYoungest(); // ConnectionPool-3
        if (found != null) {
            call.connected(found, true);
        } else if (takePlace()) {
            waiting.add(call);
            open();
        } else if (waiting.size() - opening < mostWaiting) {
            waiting.add(call);
        } else {
            call.full("all " + most + " connections to " + name + " are in use and " + mostWaiting
                    + " calls wait for one");
        }
    }

    /** Returns the usable connection that became idle last, or null. Closes the unusable connections that it finds. */
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

    /**
     * Returns whether one more connection may be opened. If it returns false, the pool may have asked for a place of
     * another loop.
     */
    private boolean takePlace() {
        return open < most && (places == null || places.take(this)); // ConnectionPool-1
    }

    private void freePlace() {
        open--;
        if (places != null) {
            places.giveBack(); // ConnectionPool-5
        }
    }

    @Override
    public void granted() {
        if (waiting.size() > opening) {
            open();
            openForWaiting();
        } else if (places != null) {
            places.giveBack();
        }
    }

    @Override
    public void giveWay() {
        BackendConnection last = oldest;
        if (last != null && places != null && places.isWantedFrom(this)) {
            unlink(last);
            last.close();
        }
    }

    /** Opens a connection for a place that was taken. */
    private void open() {
        open++;
        opening++;
        boolean begun = false;
        try {
            // if file descriptors are exhausted, there is no channel, and the listener runs on another thread
            dialer.dial().addListener((ChannelFuture connected) -> {
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

    /** Makes a new connection available. If opening failed, frees the place and fails the first waiting call. */
    private void opened(ChannelFuture connected) {
        opening--;
        if (connected.isSuccess()) {
            backend.metrics.connections.increment();
            connected.channel().pipeline().get(BackendConnection.class).opened();
            return;
        }
        freePlace();
        BackendCall first = firstWaiting();
        if (first != null) {
            first.failed("no connection to " + name + ": " + FailureText.of(connected.cause()));
        }
        openForWaiting();
    }

    /**
     * Takes over a connection that has no call. The first waiting call gets the connection; if no call waits, the
     * connection becomes idle, or is closed in a retired pool. If another loop wants a place, the connection is closed
     * instead: at once if no call waits here, otherwise after every {@link #TURNS} calls.
     */
    void available(BackendConnection connection) {
        // H5
        if (places != null && places.isWantedFrom(this) && (waiting.isEmpty() || ++connection.turns % TURNS == 0)) {
            connection.close();
            return;
        }
        BackendCall first = firstWaiting();
        if (first != null) {
            first.connected(connection, connection.wasUsed());
        } else if (retired) { // H7
            connection.close();
        } else {
            link(connection);
            giveWay();
        }
    }

    /** Counts an opened connection as closed, and opens connections for waiting calls. */
    void closed(BackendConnection connection) {
        if (connection.isIdle) {
            unlink(connection);
        }
        freePlace(); // ConnectionPool-2
        openForWaiting();
    }

    /** Opens connections, one for each waiting call, while there are places. */
    private void openForWaiting() {
        while (waiting.size() > opening && takePlace()) {
            open();
        }
    }

    /** Removes and returns the call that has waited longest; null if no call waits. */
    private @Nullable BackendCall firstWaiting() {
        if (waiting.isEmpty()) {
            return null;
        }
        BackendCall first = waiting.iterator().next();
        waiting.remove(first);
        return first;
    }

    /** Removes a call that was cancelled while it waited. */
    void withdraw(BackendCall call) {
        waiting.remove(call);
    }

    /** Closes idle connections now, and each busy connection when its call is done and no call waits. */
    void retire() {
        retired = true;
        for (BackendConnection last = oldest; last != null; last = oldest) {
            unlink(last);
            last.close();
        }
    }

    /** Appends a connection to the idle list, and starts its time limit. */
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

    /** Takes a connection out of the idle list, and stops its time limit. */
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

    @Override
    public ConnectionLoop loop() {
        return loop;
    }

    /** Returns the name of the backend, with the address of the instance if there may be several. */
    String name() {
        return name;
    }

    /** Returns whether connections have TLS. */
    boolean isSecure() {
        return backend.tls != null;
    }

    @Override
    public String toString() {
        return "connections to " + name + ": " + open + " open, " + idle + " idle, " + waiting.size()
                + " calls waiting";
    }
}
