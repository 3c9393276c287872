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
 * Acts on the time limits of a pool that have passed, in the order in which they were due, on a thread that runs no
 * tasks. The thread is started for the first of them, and ends a moment after the last.
 */
final class Completer implements Runnable {
    /*
     * field    writers                      readers  mode
     * due      threads that find a limit    all      concurrent
     *          due; the thread and helping
     *          workers take
     * running  a thread that starts this    all      atomic
     *          one; this one, at its end
     * thread   the same                     all      volatile
     * offered  a thread that has workers    same     atomic
     *          help; the helping worker
     * next     the clock thread             same     plain; nextSince as well
     *
     * Completer-1  While `due` is not empty, the thread runs or is being started, or the helper is ready. An add
     *     publishes its entry before it reads `running`; the thread clears `running` before it looks at `due` a last
     *     time.
     * Completer-2  Code of users runs here, and may block. So if a limit has been the next for `PATIENCE_NANOS`, a
     *     worker helps: whichever is free first takes it. The clock thread looks after that as long as a limit waits.
     *
     * Completer-3  No failure ends the thread: that of a limit is reported, that of memory delays it.
     *
     * Tests: TimeLimitContractTest, MemoryExhaustionTest (Completer-3).
     */
    /** How long the thread outlives what it has acted on. */
    private static final long GRACE_NANOS = 100_000_000;

    /** How long a limit that is the next waits for the thread before a worker helps. */
    private static final long PATIENCE_NANOS = 2_000_000;

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

    /** Links the calls of the queue's, since the JVM needs memory for that when they are first made. */
    static void prepare() {
        ConcurrentLinkedQueue<Object> queue = new ConcurrentLinkedQueue<>();
        queue.add(queue);
        queue.add(queue);
        for (Object entry = queue.poll(); entry != null; entry = queue.poll()) {
            Object unused = queue.peek();
        }
    }

    /** Takes a limit that has passed. */
    void add(ReadyEntry limit) {
        try {
            due.add(limit);
        } catch (OutOfMemoryError e) {
            pool.ready(limit);
            return;
        }
        Thread own = thread;
        if (own != null) {
            LockSupport.unpark(own);
        } else {
            start();
        }
        if (pool.workers().isUnwatched()) {
            offerHelp(); // no thread would look after that
        }
    }

    /** Has a failure of the clock thread reported, on this one: a handler of the user's is told. */
    void report(Throwable failure) {
        try {
            if (!isLate()) { // it may come again and again
                add(new Report(failure));
            }
        } catch (Throwable t) {
            return; // no memory
        }
    }

    /** Returns whether a limit waits that has passed, or may wait. */
    boolean isLate() {
        try {
            return !due.isEmpty();
        } catch (OutOfMemoryError e) {
            return true;
        }
    }

    /** Returns whether the calling thread is this one. */
    boolean isCurrent() {
        return thread == Thread.currentThread();
    }

    /** Has the thread end, since the pool has. */
    void end() {
        LockSupport.unpark(thread);
    }

    /** Has a worker help if need be (Completer-2); returns when to look again, in nanoseconds. For the clock thread. */
    long look(long now) {
        ReadyEntry head = due.peek();
        if (head == null || head != next) {
            next = head;
            nextSince = now;
            return head == null ? Long.MAX_VALUE : PATIENCE_NANOS;
        }
        long left = PATIENCE_NANOS - (now - nextSince);
        if (left > 0) {
            return left;
        }
        offerHelp();
        return PATIENCE_NANOS;
    }

    private void start() {
        if (starts.keepsOff()) {
            offerHelp();
            return;
        }
        if (!running.compareAndSet(false, true)) {
            return; // another caller starts it, and it looks at `due` first
        }
        long begin = starts.now();
        try {
            Thread made = pool.serviceThreads().of(this, pool.name() + "-completer");
            thread = made;
            made.start();
            starts.succeeded();
        } catch (Throwable t) { // no thread, or no memory
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
            pool.troubled(t); // the user's clock, which is read again
        }
        do {
            thread = Thread.currentThread();
            act();
            thread = null;
            running.set(false);
        } while (isLate() && running.compareAndSet(false, true)); // Completer-1
        context.unbind();
    }

    /** Acts until there has been nothing to do for a moment. */
    private void act() {
        int quiet = 0;
        while (quiet < 2) { // the first park may return at once, for an old permit
            ReadyEntry limit = next();
            if (limit != null) {
                quiet = 0;
                act(limit, context);
                pool.workers().registry().countOther();
            } else if (pool.workers().terminated) {
                return;
            } else {
                quiet++;
                boolean unused = Thread.interrupted(); // of a limit before, and park would return at once
                LockSupport.parkNanos(this, GRACE_NANOS);
            }
        }
    }

    private @Nullable ReadyEntry next() {
        try {
            return due.poll();
        } catch (OutOfMemoryError e) {
            LockSupport.parkNanos(this, RetryDelay.LEAST_NANOS);
            return null; // it comes again, or a worker helps
        }
    }

    private void act(ReadyEntry limit, WorkerContext by) {
        try {
            limit.turn(by);
        } catch (Throwable t) {
            pool.troubled(t);
        }
    }

    /** Lets a worker act on one limit, and have another worker help with the next. */
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

    /** Tells of a failure. */
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
