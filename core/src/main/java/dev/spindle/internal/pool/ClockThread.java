// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.TimerQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Watches the clock and the workers of a pool, on a thread that runs neither tasks nor user code, except the user's
 * clock. The thread is started when there is a duty, and ends a moment after the last duty.
 */
final class ClockThread implements Runnable {
    /*
     * field    writers                  readers  mode
     * running  a thread that starts it; all      atomic
     *          the thread, at its end
     * thread   the same                 all      volatile
     * starts   a thread that starts it  all      RetryDelay: whether the last start has failed
     *
     * ClockThread-1  While there is a timer, or the watch is on (WatchdogState), or a due limit waits (Completer), the
     *     thread runs or is being started, or its start has failed and workers look (WorkerSet-7, WorkerSet-10). A
     *     thread that adds such a duty publishes it before it reads `running`; the clock thread clears `running` before
     *     it checks its duties a last time.
     * ClockThread-2  The clock thread sleeps no longer than until its next duty. A lock, or the user's clock, may
     * consume the permit
     *     of an unpark, so the duties are read after all calls that may park.
     * ClockThread-3  No failure ends the clock thread: a failure of the user's clock delays it and is reported on
     *     another thread.
     *
     * Tests: TimeLimitContractTest, ClockThreadTest, ClockContractTest; jcstress AddAgainstUnwatch; the model
     * WorkerSetModelTest.
     */
    /** The time for which the thread parks, twice, when it has no duty, before it ends. */
    static final long GRACE_NANOS = 50_000_000;

    private final WorkerPool pool;
    private final WorkerSet workers;
    private final TimerQueue timers;
    private final Completer completer;
    private final AtomicBoolean running = new AtomicBoolean();
    volatile @Nullable Thread thread;
    private final RetryDelay starts;

    ClockThread(WorkerPool pool, WorkerSet workers, TimerQueue timers, Completer completer) {
        this.pool = pool;
        this.workers = workers;
        this.timers = timers;
        this.completer = completer;
        starts = new RetryDelay(pool);
    }

    /** Returns whether the thread runs, or is being started. */
    boolean isThere() {
        return running.get();
    }

    /** Returns whether the thread could not be started, so that workers have to do its duties. */
    boolean isMissing() {
        return starts.isFailing();
    }

    /** Returns true if the calling thread is the clock thread. */
    boolean isCurrent() {
        return thread == Thread.currentThread();
    }

    /**
     * Ensures that the thread sees a duty that was published before this call; wakes the thread if {@code again}. False
     * if the thread could not be started.
     */
    boolean ensure(boolean again) {
        Thread own = thread;
        if (own == null) {
            return start();
        }
        if (again) {
            LockSupport.unpark(own);
        }
        return true;
    }

    /** Ensures that the thread runs if it has duties. */
    void ensureIfNeeded() {
        if (hasDuties()) {
            boolean unused = ensure(false);
        }
    }

    /** Makes the thread end after the end of the pool. */
    void end() {
        LockSupport.unpark(thread);
    }

    private boolean start() {
        if (starts.keepsOff()) {
            return false;
        }
        if (!running.compareAndSet(false, true)) {
            return true; // the clock thread is being started, or is about to check its duties a last time
        }
        long begin = starts.now();
        try {
            Thread made = pool.serviceThreads().of(this, pool.name() + "-clock");
            thread = made; // before the thread runs, so that it can be unparked
            made.start();
            starts.succeeded();
            return true;
        } catch (Throwable t) { // no thread could be started
            thread = null;
            long unused = starts.failed(begin); // before `running`, for the next thread that starts a clock thread
            running.set(false);
            workers.lookYourselves();
            return false;
        }
    }

    private boolean hasDuties() {
        return !workers.terminated && (!timers.isEmpty() || workers.watch().isOn() || completer.isLate());
    }

    @Override
    public void run() {
        do {
            thread = Thread.currentThread();
            watch();
        } while (!leaves());
    }

    /** Ends the watch; false if there are new duties, and no other thread has been started for them. */
    boolean leaves() {
        thread = null;
        running.set(false);
        return !(hasDuties() && running.compareAndSet(false, true)); // ClockThread-1
    }

    /** Watches the clock until there have been no duties for a moment. */
    private void watch() {
        int quiet = 0;
        while (quiet < 2 && !workers.terminated) { // the first park may return at once, because of an old permit
            long wait;
            long begin = workers.looks.now();
            try {
                wait = look();
                quiet = hasDuties() ? 0 : quiet + 1;
            } catch (Throwable t) { // thrown by the user's clock
                wait = workers.looks.failed(begin); // ClockThread-3
                completer.report(t);
            }
            if (quiet > 0) {
                LockSupport.parkNanos(this, GRACE_NANOS);
            } else if (wait > 0) {
                LockSupport.parkNanos(this, wait);
            }
        }
    }

    /** Does the duties that are due; returns the time until the next duty. */
    private long look() {
        boolean unused = Thread.interrupted(); // an interrupt has no meaning here; park would return at once
        long now = pool.nanoTime();
        timers.fire(now, pool);
        workers.look(now);
        long wait = completer.look(now);
        wait = Math.min(wait, timers.untilNext(now));
        return Math.min(wait, workers.untilLook(now)); // ClockThread-2
    }
}
