// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Acts on the due time limits of a pool, in the order of their due times, on a thread that runs no tasks. The thread is
 * started for the first limit, and ends a moment after the last.
 */
final class Completer implements Runnable {
    /*
     * field    writers                      readers  mode
     * due      finders of due limits; the   all      concurrent
     *          thread and helping workers
     *          take
     * running  a thread that starts the     all      atomic
     *          completer; the completer,
     *          at its end
     * thread   the writers of `running`     all      volatile
     * offered  a thread that makes the      writers  atomic
     *          helper ready; the helping
     *          worker
     * next     the clock thread             writers  plain; nextSince as well
     *
     * Completer-1  While `due` is not empty, the thread runs or is being started, or the helper is ready. An add
     *     publishes its entry before it reads `running`; the thread clears `running` before it reads `due` a last time.
     * Completer-2  The thread runs user code, which may block, so when a limit has been at the head of `due` for
     *     HELP_AFTER_NANOS, the first free worker acts on that limit. The clock thread checks this time as long as a
     *     limit waits.
     * Completer-3  No failure of a limit ends the thread; it is reported.
     *
     * Tests: TimeLimitContractTest.
     */
    /** The time that the thread waits for another limit before it ends. */
    private static final long GRACE_NANOS = 100_000_000;

    /** The time that the next limit waits for the thread before a worker helps. */
    private static final long HELP_AFTER_NANOS = 2_000_000;

    private final WorkerPool pool;
    private final WorkerContext context;
    private final ConcurrentLinkedQueue<ReadyEntry> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicBoolean offered = new AtomicBoolean();
    private final ReadyEntry helper = new Helper();
    private final RetryDelay starts;
    private volatile @Nullable Thread thread;
    private @Nullable ReadyEntry next;
    private long nextSince;

    Completer(WorkerPool pool, long quantumNanos) {
        this.pool = pool;
        context = new WorkerContext(pool, quantumNanos);
        starts = new RetryDelay(pool);
    }

    /** Adds a due limit. */
    void add(ReadyEntry limit) {
        due.add(limit);
        Thread own = thread;
        if (own != null) {
            LockSupport.unpark(own);
        } else {
            start(); // Completer-1
        }
        if (pool.workers().isUnwatched()) {
            offerHelp(); // there is no clock thread to do this (Completer-2)
        }
    }

    /** Reports a failure of the clock thread to the user's handler, on this thread. */
    void report(Throwable failure) {
        if (!isLate()) { // the failure may repeat
            add(new Report(failure));
        }
    }

    /** Returns whether a due limit waits. */
    boolean isLate() {
        return !due.isEmpty();
    }

    /** Returns true if the calling thread is the thread of the completer. */
    boolean isCurrent() {
        return thread == Thread.currentThread();
    }

    /** Makes the thread end after the end of the pool. */
    void end() {
        LockSupport.unpark(thread);
    }

    /** Makes a worker help if the next limit is late (Completer-2); returns the nanoseconds to the next look. */
    long look(long now) {
        ReadyEntry head = due.peek();
        if (head == null || head != next) {
            next = head;
            nextSince = now;
            return head == null ? Long.MAX_VALUE : HELP_AFTER_NANOS;
        }
        long left = HELP_AFTER_NANOS - (now - nextSince);
        if (left > 0) {
            return left;
        }
        offerHelp(); // Completer-2
        return HELP_AFTER_NANOS;
    }

    private void start() {
        if (starts.keepsOff()) {
            offerHelp();
            return;
        }
        if (!running.compareAndSet(false, true)) {
            return; // another thread starts the completer, which reads `due` first
        }
        long begin = starts.now();
        try {
            Thread made = pool.serviceThreads().of(this, pool.name() + "-completer");
            thread = made;
            made.start();
            starts.succeeded();
        } catch (Throwable t) { // no thread could be started
            thread = null;
            long unused = starts.failed(begin);
            running.set(false);
            offerHelp();
        }
    }

    private void offerHelp() {
        if (offered.compareAndSet(false, true)) {
            pool.ready(helper);
        }
    }

    @Override
    public void run() {
        try {
            context.bind();
        } catch (Throwable t) {
            pool.troubled(t); // thrown by the user's clock, which is read again later
        }
        do {
            thread = Thread.currentThread();
            act();
            thread = null;
            running.set(false);
        } while (isLate() && running.compareAndSet(false, true)); // Completer-1
        context.unbind();
    }

    /** Acts on limits until no limit has been due for a moment. */
    private void act() {
        int quiet = 0;
        while (quiet < 2) { // the first park may return at once, because of an old permit
            ReadyEntry limit = due.poll();
            if (limit != null) {
                quiet = 0;
                act(limit, context);
                pool.workers().registry().countOther();
            } else if (pool.workers().terminated) {
                return;
            } else {
                quiet++;
                boolean unused = Thread.interrupted(); // left by an earlier limit; park would return at once
                LockSupport.parkNanos(this, GRACE_NANOS);
            }
        }
    }

    private void act(ReadyEntry limit, WorkerContext by) {
        try {
            limit.turn(by);
        } catch (Throwable t) {
            pool.troubled(t); // Completer-3
        }
    }

    /** Makes a worker act on one limit, after it has made another worker help with the next limit. */
    private final class Helper extends ReadyEntry {
        @Override
        public void turn(WorkerContext r) {
            offered.set(false);
            ReadyEntry limit = due.poll();
            if (limit == null) {
                return;
            }
            if (!due.isEmpty()) {
                offerHelp();
            }
            act(limit, r);
        }
    }

    /** Reports a failure. */
    private final class Report extends ReadyEntry {
        private final Throwable failure;

        Report(Throwable failure) {
            this.failure = failure;
        }

        @Override
        public void turn(WorkerContext r) {
            pool.troubled(failure);
        }
    }
}
