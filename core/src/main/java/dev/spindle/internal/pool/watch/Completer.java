// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.watch;

import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Acts on the time limits that have passed, in the order in which they are added. A thread that runs no tasks does
 * this, or a worker if that thread is missing or blocked. The thread is started for the first limit. A thread that is
 * parked in {@code act} waits for the next limit, which is normal. The thread ends after two parks without a limit. As
 * a ready entry, the completer is the helper: a worker acts on one limit.
 */
public final class Completer extends ReadyEntry implements Runnable {
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
     *     publishes its limit before it reads `thread` and `running`; the thread clears both before it reads `due` a
     *     last time.
     * Completer-2  If user code blocks the thread, a worker acts on the next limit: the helper becomes ready when a
     *     limit has been at the head of `due` for HELP_AFTER_NANOS. The clock thread checks the head while `due` is not
     *     empty.
     * Completer-3  An exception that a limit throws is reported, and does not end the thread.
     *
     * Tests: TimeLimitContractTest.
     */
    /** The time for which a limit is at the head of `due` before a worker acts on it. Not measured. */
    private static final long HELP_AFTER_NANOS = 2_000_000;

    private final WatchedPool pool;
    private final WorkerContext context;
    private final ConcurrentLinkedQueue<ReadyEntry> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicBoolean offered = new AtomicBoolean();
    private final RetryDelay starts;
    private volatile @Nullable Thread thread;
    private @Nullable ReadyEntry next;
    private long nextSince;

    /** Creates a completer without a thread. */
    public Completer(WatchedPool pool, long quantumNanos) {
        this.pool = pool;
        context = new WorkerContext(pool, quantumNanos);
        starts = new RetryDelay(pool);
    }

    /** Adds a limit that has passed, and wakes or starts the thread. */
    public void add(ReadyEntry limit) {
        due.add(limit);
        Thread own = thread;
        if (own != null) {
            LockSupport.unpark(own);
        } else {
            start(); // Completer-1
        }
        if (pool.isUnwatched()) {
            offerHelp(); // no clock thread exists that would do this later (Completer-2)
        }
    }

    /** Reports a failure of the clock thread to the user's handler, unless a limit or an earlier report still waits. */
    void report(Throwable failure) {
        if (!isLate()) { // at most one report waits, since a broken clock fails at each look
            add(Report.of(pool, failure));
        }
    }

    /** Returns whether a limit has passed that no thread has taken yet. */
    boolean isLate() {
        return !due.isEmpty();
    }

    /** Returns true if the calling thread is the thread of the completer. */
    public boolean isCurrent() {
        return thread == Thread.currentThread();
    }

    /** Wakes the thread after the pool has terminated, so that the thread ends. */
    public void end() {
        LockSupport.unpark(thread);
    }

    /**
     * Makes the helper ready if the same limit has been at the head of {@code due} for HELP_AFTER_NANOS (Completer-2).
     * Returns the time after which this method is to be called again, in nanoseconds.
     */
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
            return; // the completer is being started or about to end, and then reads `due`
        }
        long begin = starts.now();
        try {
            Thread made = pool.serviceThread(this, "-completer");
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
            pool.ready(this);
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

    /** Acts on limits. Returns after two parks without a limit, or after the pool has terminated. */
    private void act() {
        int quiet = 0;
        while (quiet < 2) { // the first park may return at once, because of an earlier unpark
            ReadyEntry limit = due.poll();
            if (limit != null) {
                quiet = 0;
                act(limit, context);
                pool.countOther();
            } else if (pool.isTerminated()) {
                return;
            } else {
                quiet++;
                boolean unused = Thread.interrupted(); // clears an interrupt of an earlier limit
                LockSupport.parkNanos(this, ClockThread.GRACE_NANOS);
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

    /** Acts on one limit, on a worker. If a further limit waits, makes itself ready for another worker first. */
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

    private static final class Report extends ReadyEntry {
        private final WatchedPool pool;
        private final Throwable failure;

        private Report(WatchedPool pool, Throwable failure) {
            this.pool = pool;
            this.failure = failure;
        }

        /** Creates a report. The return type is ReadyEntry, so that verifying a caller does not load Report. */
        static ReadyEntry of(WatchedPool pool, Throwable failure) {
            return new Report(pool, failure);
        }

        @Override
        public void turn(WorkerContext r) {
            pool.troubled(failure);
        }
    }
}
