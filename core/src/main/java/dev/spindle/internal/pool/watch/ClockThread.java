// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.watch;

import dev.spindle.internal.TimerQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The clock thread of a pool: fires the timers, and looks at the workers. It runs neither tasks nor user code, except
 * the user's clock.
 *
 * <p>It is normal that the thread is parked in {@code watch}. The thread has a duty while there is a timer, while the
 * watch is on ({@link WatchdogState}), or while a passed time limit waits for the {@link Completer}. The thread is
 * started for its first duty. With a duty, the thread parks until the next duty is due. Without a duty, the thread
 * parks for {@link #GRACE_NANOS}, and ends after two such parks. A park ends at its timeout, or when a thread that has
 * added an earlier duty, or has terminated the pool, unparks the clock thread.
 *
 * <p>The thread runs no task, so no key waits for it. If a delayed task seems overdue, see {@code stats().ready()} and
 * {@code busiest}.
 *
 * <p>A look counts which workers run and which wait, and sets the number of workers that may be awake. While the watch
 * is on, a park usually takes less than 15 ms.
 */
public final class ClockThread implements Runnable {
    /*
     * field    writers                  readers  mode
     * running  a thread that starts it; all      atomic
     *          the thread, at its end
     * thread   the same                 all      volatile
     * asked    all                      same     volatile: true from a call of ensure(true) until the next look
     * starts   a thread that starts it  all      RetryDelay: whether the last start has failed
     *
     * ClockThread-1  While there is a duty, the thread runs or is being started, or its start has failed and workers do
     *     its duties (WorkerSet-7, WorkerSet-10). A thread that adds a duty publishes the duty before it reads `thread`
     *     and `running`; the clock thread clears both before it checks for duties a last time.
     * ClockThread-2  The clock thread parks at most until its next duty is due. It clears `asked` before it reads its
     *     duties and parks only while `asked` is false, since a lock, or the user's clock, may consume the permit of an
     *     unpark.
     * ClockThread-3  No exception ends the clock thread. If the user's clock throws, the thread continues after a delay
     *     (RetryDelay), and the completer reports the exception.
     *
     * Tests: TimeLimitContractTest, ClockThreadTest, ClockContractTest; jcstress AddAgainstUnwatch; the model
     * WorkerSetModelTest.
     */
    /**
     * The time of each of the two parks without a duty, after which the thread ends. The thread of the completer ends
     * in the same way. Not measured.
     */
    static final long GRACE_NANOS = 50_000_000;

    private final WatchedPool pool;
    private final TimerQueue timers;
    private final WatchdogState watch;
    private final Completer completer;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile boolean asked;
    private final RetryDelay starts;
    private final RetryDelay looks;

    /**
     * Creates a clock thread, which is not started yet.
     *
     * @param looks the delay after a look that has failed
     */
    public ClockThread(
            WatchedPool pool, TimerQueue timers, WatchdogState watch, RetryDelay looks, Completer completer) {
        this.pool = pool;
        this.timers = timers;
        this.watch = watch;
        this.looks = looks;
        this.completer = completer;
        starts = new RetryDelay(pool);
    }

    /** Returns whether the thread runs, or is being started. */
    public boolean isThere() {
        return running.get();
    }

    /** Returns true if the last start of the thread has failed, so that workers have to do its duties. */
    public boolean isMissing() {
        return starts.failing;
    }

    /** Returns true if the calling thread is the clock thread. */
    public boolean isCurrent() {
        return thread == Thread.currentThread();
    }

    /**
     * Ensures that the thread sees a duty that was published before this call. Starts the thread if it does not run;
     * unparks a running thread if {@code again} is true. Returns false if the thread could not be started.
     */
    public boolean ensure(boolean again) {
        Thread own = thread;
        if (own == null) {
            return start();
        }
        if (again) {
            asked = true; // before the unpark, so that the thread does not park again
            LockSupport.unpark(own);
        }
        return true;
    }

    /** Starts the thread if it does not run and there are duties. */
    public void ensureIfNeeded() {
        if (hasDuties()) {
            boolean unused = ensure(false);
        }
    }

    /** Wakes the thread after the pool has terminated, so that the thread ends. */
    public void end() {
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
            Thread made = pool.serviceThread(this, "-clock");
            thread = made; // before the thread runs, so that it can be unparked
            made.start();
            starts.succeeded();
            return true;
        } catch (Throwable t) { // no thread could be started
            thread = null;
            long unused = starts.failed(begin); // before `running`, so that the next starter sees the failure
            running.set(false);
            pool.lookYourselves();
            return false;
        }
    }

    private boolean hasDuties() {
        return !pool.isTerminated() && (!timers.isEmpty() || watch.isOn() || completer.isLate());
    }

    @Override
    public void run() {
        do {
            thread = Thread.currentThread();
            watch();
        } while (!leaves());
    }

    /**
     * Ends the role of this thread as the clock thread. Returns false if the thread has to continue, since there are
     * new duties and no other thread was started for them.
     */
    public boolean leaves() {
        thread = null;
        running.set(false);
        return !(hasDuties() && running.compareAndSet(false, true)); // ClockThread-1
    }

    /** Does the duties when they are due. Returns after two parks without a duty, or after the pool has terminated. */
    private void watch() {
        int quiet = 0;
        while (quiet < 2 && !pool.isTerminated()) { // the first park may return at once, because of an earlier unpark
            long wait;
            long begin = looks.now();
            asked = false;
            try {
                wait = look();
                quiet = hasDuties() ? 0 : quiet + 1;
            } catch (Throwable t) { // thrown by the user's clock, for example
                wait = looks.failed(begin); // ClockThread-3
                completer.report(t);
            }
            if (!asked) { // ClockThread-2
                LockSupport.parkNanos(this, quiet > 0 ? GRACE_NANOS : wait);
            }
        }
    }

    /** Does the duties that are due. Returns the time until the next duty is due, in nanoseconds. */
    private long look() {
        boolean unused = Thread.interrupted(); // an interrupt has no meaning here, and would end the park
        long now = pool.nanoTime();
        timers.fire(now, pool);
        pool.look(now);
        long wait = completer.look(now);
        wait = Math.min(wait, timers.untilNext(now));
        return Math.min(wait, Math.max(looks.left(now), watch.untilLook(now))); // ClockThread-2
    }
}
