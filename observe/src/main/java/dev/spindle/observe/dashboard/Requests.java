// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that serve requests, one for each request that has begun. A request that does not arrive or takes no
 * answer is interrupted, which closes its connection, when another request comes: a client that sends a byte an hour
 * keeps no thread from others. A viewer lasts, and its {@link Viewer} ends it.
 */
final class Requests implements Executor {
    /** The maximum number of requests at once: twice as many as viewers. Not measured. */
    private static final int MOST = 2 * Ticker.MOST_VIEWERS;

    /** The time that an idle thread waits for a request, in seconds. Not measured. */
    private static final long KEEP_ALIVE = 5;

    /** The number of requests that may wait for a thread. Not measured. */
    private static final int QUEUE = 1_024;

    /** The age at which a request is ended while others wait for a thread, in milliseconds. Not measured. */
    private static final long LEAST_STALLED_MILLIS = 1_000;

    private static final ThreadLocal<@Nullable Request> CURRENT = new ThreadLocal<>();

    private final Set<Request> all = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor threads;
    private final long stalledMillis;

    Requests(String name, long stalledMillis) {
        this.stalledMillis = stalledMillis;
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                MOST, MOST, KEEP_ALIVE, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE), body -> {
                    Thread thread = new Thread(null, body, name + "-" + number.incrementAndGet(), 0, false);
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** A request in a thread. */
    private static final class Request implements Runnable {
        private final Runnable body;
        private final Set<Request> all;
        private long begin; // guarded by this object's monitor
        private @Nullable Thread thread; // guarded by this object's monitor
        private boolean lasts; // guarded by this object's monitor

        Request(Runnable body, Set<Request> all) {
            this.body = body;
            this.all = all;
        }

        @Override
        public void run() {
            synchronized (this) {
                thread = Thread.currentThread();
                begin = Uptime.millis();
            }
            CURRENT.set(this);
            try {
                body.run();
            } finally {
                CURRENT.remove();
                all.remove(this);
                synchronized (this) {
                    thread = null; // no interrupt comes later
                }
                boolean unused = Thread.interrupted();
            }
        }

        synchronized void keep() {
            lasts = true;
        }

        synchronized void interrupt() {
            if (thread != null) {
                thread.interrupt();
            }
        }

        synchronized void interruptIfStalled(long now, long most) {
            if (!lasts && now - begin >= most) {
                interrupt();
            }
        }
    }

    @Override
    public void execute(Runnable body) {
        long now = Uptime.millis();
        boolean full = threads.getActiveCount() >= MOST;
        long most = full ? Math.min(stalledMillis, LEAST_STALLED_MILLIS) : stalledMillis;
        all.forEach(request -> request.interruptIfStalled(now, most));
        Request request = new Request(body, all);
        all.add(request);
        try {
            threads.execute(request);
        } catch (Throwable t) {
            all.remove(request);
            throw t; // too many at once: the server closes the connection
        }
    }

    /** Marks the request of the calling thread as lasting, and returns an action that interrupts it. */
    Runnable keep() {
        Request request = CURRENT.get();
        if (request == null) {
            return () -> {};
        }
        request.keep();
        return request::interrupt;
    }

    void close() {
        threads.shutdownNow();
    }
}
