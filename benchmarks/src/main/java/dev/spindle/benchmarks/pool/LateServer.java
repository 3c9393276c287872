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
 * A server in this process that answers each call after a fixed time; one timer thread sends all answers. The caller
 * blocks in a read of its socket. The request is passed in memory, because the cost of a call is not measured.
 */
final class LateServer implements AutoCloseable {
    /**
     * The maximum sleep of the timer. This time is shorter than any delay, so a call that is made during a sleep is
     * answered in time.
     */
    private static final long POLL_NANOS = 500_000;

    private final long delayNanos;
    private final List<Connection> all = new ArrayList<>();
    private final Queue<Connection> free = new ConcurrentLinkedQueue<>();
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final Thread timer;
    private volatile boolean closed;

    private record Connection(SocketChannel client, SocketChannel server) {}

    private record Call(Connection connection, long due) {}

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
