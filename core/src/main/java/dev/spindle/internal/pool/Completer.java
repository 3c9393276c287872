// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.DefaultThreads;
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
     * due      who finds a limit due; the   same     concurrent
     *          thread and helping workers
     *          take
     * running  whoever starts the thread;   all      atomic
     *          the thread, at its end
     * thread   the same                     all      volatile
     * offered  whoever has workers help;    same     atomic
     *          the helping worker
     *
     * Completer-1  While `due` is not empty, the thread runs or is being started, or the helper is ready. An add
     *     publishes its entry before it reads `running`; the thread clears `running` before it looks at `due` a last
     *     time.
     * Completer-2  Code of users runs here, and may block. So while a limit waits and the thread acts on another, a
     *     worker helps: whichever is free first takes the next limit.
     *
     * Tests: TimeLimitContractTest, CompleterTest.
     */
    static final long GRACE_NANOS = 200_000_000;

    private final WorkerPool pool;
    private final WorkerContext context;
    private final ConcurrentLinkedQueue<ReadyEntry> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicBoolean offered = new AtomicBoolean();
    private final ReadyEntry helper = new Helper();
    private volatile @Nullable Thread thread;
    private volatile boolean acting;

    Completer(WorkerPool pool, long quantumNanos) {
        this.pool = pool;
        context = new WorkerContext(pool, quantumNanos);
    }

    /** Takes a limit that has passed. */
    void add(ReadyEntry limit) {
        boolean others = acting || !due.isEmpty();
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
        if (others) {
            offerHelp();
        }
    }

    private void start() {
        if (!running.compareAndSet(false, true)) {
            return; // another caller starts it, and it looks at `due` first
        }
        try {
            Thread made = DefaultThreads.waiter(this, pool.name() + "-completer");
            thread = made;
            made.start();
        } catch (Throwable t) { // no thread, or no memory
            thread = null;
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
        } while (!due.isEmpty() && running.compareAndSet(false, true)); // Completer-1
        context.unbind();
    }

    /** Acts until there has been nothing to do for a moment. */
    private void act() {
        int idle = 0;
        while (idle < 2) { // the first time, the permit of what is done already may be left
            ReadyEntry next = due.poll();
            if (next != null) {
                idle = 0;
                acting = true;
                act(next, context);
                acting = false;
            } else {
                idle++;
                boolean unused = Thread.interrupted(); // means none of the limits
                LockSupport.parkNanos(this, GRACE_NANOS);
            }
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
            ReadyEntry next = due.poll();
            if (next == null) {
                return;
            }
            if (!due.isEmpty()) {
                offerHelp();
            }
            act(next, r);
        }
    }
}
