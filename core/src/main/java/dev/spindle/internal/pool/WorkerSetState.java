// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.pool.size.AwakeLimit;
import dev.spindle.internal.pool.watch.WatchdogState;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The states of the workers of a set, and the number of workers in each state (WorkerSet-1). Each transition between
 * states is one method, called under the lock.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under `lock`
abstract class WorkerSetState {
    /*
     * field      writers (under lock)             readers           mode
     * searching  starts and ends of searches      all               volatile
     * awake      wakers, workers that go idle     all               volatile
     * coming     wakers, workers that have come   under lock        volatile, for statistics
     * blocked    workers that start or end        all               atomic, without `lock`
     *            to block
     * core       see CoreSize                     all               CoreSize
     * limit      under lock                       all               AwakeLimit
     * trial      under lock                       all               SoloTrial
     * first      see FirstThread                  all               FirstThread
     * watch      see WatchdogState                all               WatchdogState
     * the rest   under lock                       under lock        plain, or volatile if read without the lock
     *
     * With assertions enabled, unlock() checks the counts (WorkerSet-1, WorkerSet-6), and compares them with the state
     * of each worker if there are at most MOST_COMPARED workers.
     */
    /** The maximum number of workers whose states are compared with the counts. Not measured. */
    private static final int MOST_COMPARED = 64;

    /** The maximum number of threads with which solo mode is tried. Not measured. */
    private static final int MOST_FOR_SOLO = 256;

    /**
     * The time for which a reading of the number of processors is valid (T3). A container's quota may change this
     * number. Not measured.
     */
    static final long PROCESSORS_NANOS = 1_000_000_000;

    final WorkerPool pool;
    private final PoolConfig config;
    final int max;
    final ReentrantLock lock = new ReentrantLock();
    final WorkerRegistry registry = new WorkerRegistry(lock);
    final IdleWorkers idle = new IdleWorkers(registry);
    final WatchdogState watch;
    final ThreadStartBackoff failures;
    final CoreSize core;

    @Nullable
    IntSupplier processors; // returns the number of processors, in tests

    private volatile long processorsRead; // the time of the last reading

    final AwakeLimit limit;
    final SoloTrial trial;
    final FirstThread first;

    volatile int searching;
    volatile int awake;
    volatile int coming;
    final AtomicInteger blocked = new AtomicInteger();
    volatile int threads;
    volatile int arrived; // the number of threads that have begun to run
    volatile int expiring; // the number of threads that end after their keep-alive
    volatile int peakThreads;
    volatile long wakeUps;
    boolean finishing;
    volatile boolean terminated;

    WorkerSetState(WorkerPool pool, PoolConfig config) {
        this.pool = pool;
        this.config = config;
        max = config.max();
        failures = new ThreadStartBackoff(config.name());
        core = new CoreSize(config);
        limit = new AwakeLimit(core.size(), max, countProcessors(), config.coreIsDefault());
        watch = new WatchdogState(limit);
        trial = new SoloTrial(config.clock().getAsLong());
        first = new FirstThread(pool, lock);
    }

    /** Releases the lock. */
    final void unlock() {
        try {
            assert isSound()
                    : "threads " + threads + ", awake " + awake + ", searching " + searching + ", coming " + coming
                            + ", idle " + idle.size() + ", expiring " + expiring + ", arrived " + arrived;
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if the counts and the limits are consistent. */
    private boolean isSound() {
        int inOneState = awake + coming + idle.size() + expiring;
        return threads <= max
                && (finishing ? inOneState <= threads : inOneState == threads)
                && pool.running <= threads
                && coming >= 0
                && searching <= awake
                && limit.base() <= limit.limit()
                && limit.limit() <= max
                && (threads > MOST_COMPARED || isSoundForEach());
    }

    private boolean isSoundForEach() {
        return awake == registry.count(w -> w.state == Worker.AWAKE && !w.coming)
                && searching == registry.count(w -> w.state == Worker.AWAKE && w.searching)
                && idle.size() == registry.count(w -> w.state == Worker.IDLE)
                && arrived == registry.count(w -> w.arrived)
                && expiring == registry.count(w -> w.expired);
    }

    /** Returns a new worker that has no thread yet. */
    abstract Worker newWorker(int state, boolean auxiliary);

    /**
     * Returns true if more unblocked workers are awake than the limit allows. This happens when blocked workers have
     * resumed, when the limit has fallen, or when solo mode has begun.
     */
    final boolean hasSurplus() {
        return awake - blocked.get() > limit(); // T1
    }

    /** Returns the maximum number of unblocked workers that may be awake: the limit, lowered in solo mode. */
    final int limit() {
        return watch.isSolo() ? limit.limit() - limit.base() + 1 : limit.limit(); // WorkerSet-11
    }

    /**
     * Called by an awake worker whose entry took long. If the limit is above {@link AwakeLimit#mostComputing}, and more
     * workers than that compute, lowers the limit below the number of unblocked awake workers, so that one leaves
     * service. With an unchanged limit, workers whose waits end at the same time would all compute until the next look.
     * Returns whether there is a surplus.
     */
    final boolean leaveCrowd() {
        if (limit.limit() <= limit.mostComputing() || !registry.computeMoreThan(limit.mostComputing())) {
            return false;
        }
        lock.lock();
        try {
            limit.leave(awake - blocked.get()); // T3
        } finally {
            unlock();
        }
        return hasSurplus();
    }

    /** Returns whether no trial of solo mode is made, since counting the steps of all workers takes too long. */
    final boolean isTooLargeForSolo() {
        return threads > MOST_FOR_SOLO && !watch.isSolo();
    }

    private int countProcessors() {
        IntSupplier source = processors;
        return source == null ? Runtime.getRuntime().availableProcessors() : source.getAsInt();
    }

    /**
     * Reads the number of processors if the last reading is older than {@link #PROCESSORS_NANOS}. If the number has
     * changed, adjusts the limit, and signals if work is ready. Called without the lock when a thread has started, when
     * the last awake worker has become idle, and at each look.
     */
    final void readProcessors(long now) {
        if (now - processorsRead < PROCESSORS_NANOS && processorsRead - now < PROCESSORS_NANOS) {
            return;
        }
        processorsRead = now;
        int count = countProcessors();
        if (count == limit.processors()) {
            return;
        }
        lock.lock();
        try {
            limit.processorsAre(count, core.size());
        } finally {
            unlock();
        }
        if (pool.hasReady()) {
            boolean unused = signal();
        }
    }

    abstract boolean signal();

    final boolean mayExpire(Worker worker) {
        return config.auxiliaries() == null ? arrived - expiring > core.size() : worker.auxiliary;
    }

    // ---------------------------------------------------------------- transitions

    /** Puts into service a worker that was removed from `idle`, or that is about to be started. */
    final void enlist(Worker worker) {
        if (worker.coming || worker.isVirtual()) {
            worker.coming = true;
            coming++;
        } else {
            awake++;
            searching++;
            worker.searching = true;
        }
        worker.state = Worker.AWAKE;
        core.inService(awake + coming);
        limit.coreIs(core.size());
    }

    /**
     * Counts a worker whose thread runs, or was started, in `awake`. Returns false if the worker was not counted in
     * `coming`.
     */
    final boolean come(Worker worker, boolean searches) {
        if (!worker.coming) {
            return false;
        }
        arrived += worker.arrived ? 0 : 1;
        worker.arrived = true;
        if (worker.state == Worker.AWAKE) {
            coming--;
            awake++;
            if (searches) {
                searching++;
                worker.searching = true;
            }
        }
        worker.coming = false; // after `searching`, which the worker reads without the lock
        return true;
    }

    final void leaveService(Worker worker) {
        awake--;
        if (finishing) {
            worker.state = Worker.ENDING;
        } else {
            idle.add(worker);
            worker.state = Worker.IDLE;
        }
    }

    /**
     * Counts and returns a worker whose thread is about to be made (WorkerSet-6). Returns null if there are {@code max}
     * threads, if the pool ends, or if the pool has a thread and the delay after a failed start has not passed.
     */
    final @Nullable Worker reserve(int state, long now) {
        if (threads >= max || finishing || (threads > 0 && failures.keepOff(now))) { // WorkerSet-6
            return null;
        }
        Worker worker = newWorker(state, config.auxiliaries() != null && threads >= core.size());
        threads++;
        first.starts();
        peakThreads = Math.max(peakThreads, threads);
        return worker;
    }

    /**
     * Removes a worker that has ended, or could not be started, from the counts. Returns true if it was the last worker
     * of a pool that ends.
     */
    final boolean countOut(Worker worker) {
        threads--; // F5
        core.threadsLeft(threads);
        arrived -= worker.arrived ? 1 : 0;
        if (worker.state == Worker.AWAKE) { // any other worker was uncounted when it left service
            coming -= worker.coming ? 1 : 0;
            awake -= worker.coming ? 0 : 1;
            searching -= worker.searching ? 1 : 0;
        }
        worker.coming = false; // the worker may have ended before its starter counts it
        return endsPool();
    }

    final boolean endsPool() {
        boolean last = finishing && threads == 0 && !terminated;
        terminated |= last;
        return last;
    }
}
