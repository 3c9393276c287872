// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.compare.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server in this process that answers each call a fixed time later, from one timer thread. The caller blocks in a
 * read of its socket. Calls do not use the socket, since their cost is not measured here.
 */
final class LateServer implements AutoCloseable {
    /** The sleep of the timer, shorter than any delay, so that a call made during the sleep is answered in time. */
    private static final long POLL_NANOS = 500_000;

    private final long delayNanos;
    private final List<Connection> all = new ArrayList<>();
    private final Queue<Connection> free = new ConcurrentLinkedQueue<>();
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final Thread timer;
    private volatile boolean closed;

    private record Connection(SocketChannel client, SocketChannel server) {}

    private record Call(Connection connection, long due) {}

    /** @param connections the maximum number of concurrent calls */
    LateServer(int connections, int millis) {
        delayNanos = TimeUnit.MILLISECONDS.toNanos(millis);
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (int i = 0; i < connections; i++) {
                SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                all.add(new Connection(client, listener.accept()));
            }
        } catch (IOException e) {
            closeAll();
            throw new UncheckedIOException("no " + connections + " connections to this machine itself", e);
        }
        free.addAll(all);
        timer = Waits.start("late-server", this::answer);
    }

    /** Blocks in a read until the answer arrives. */
    void call() {
        Connection connection = free.remove();
        calls.add(new Call(connection, System.nanoTime() + delayNanos));
        try {
            if (connection.client().read(ByteBuffer.allocate(1)) != 1) {
                throw new IllegalStateException("the server closed a connection without an answer");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        free.add(connection);
    }

    @Override
    public void close() {
        closed = true;
        Waits.ignoring(timer::join);
        closeAll();
    }

    /** Answers the oldest call first, since all wait for the same time. */
    private void answer() {
        while (!closed) {
            Call next = calls.peek();
            long left = next == null ? POLL_NANOS : next.due() - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(Math.min(left, POLL_NANOS));
                continue;
            }
            try {
                calls.remove().connection().server().write(ByteBuffer.wrap(new byte[1]));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void closeAll() {
        for (Connection connection : all) {
            try {
                connection.client().close();
                connection.server().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
