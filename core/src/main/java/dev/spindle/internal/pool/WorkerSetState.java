// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.OutOfMemoryTolerantLock;
import dev.spindle.internal.PoolConfig;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The states of a worker set's workers, and how many there are of each (WorkerSet-1). Each transition is one method,
 * called under the lock.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under `lock`
abstract class WorkerSetState {
    /*
     * field      writers (under lock)            readers           mode
     * searching  whoever begins or ends a search all               volatile
     * awake      whoever wakes, becomes idle     all               volatile
     * coming     whoever wakes; who has come     under lock        volatile, for statistics
     * blocked    who begins or ends to block     all               atomic, without `lock`
     * core       as it says                      all               CoreSize
     * limit      under lock                      all               AwakeLimit
     * trial      under lock                      all               SoloTrial
     * first      as it says                      all               FirstThread
     * watch      as it says                      all               WatchdogState
     * the rest   under lock                      under lock        plain, or volatile where read outside
     *
     * With assertions enabled, whoever gives the lock back compares the counts (WorkerSet-1, WorkerSet-6) with the
     * states of the workers: with those of each, as long as they are few.
     */
    /** Of how many workers the states are compared with the counts. */
    private static final int MOST_COMPARED = 64;

    /** How long the number of processors is taken for the same: a quota counts, which may change. */
    static final long PROCESSORS_NANOS = 1_000_000_000;

    final WorkerPool pool;
    private final PoolConfig config;
    final int max;
    final OutOfMemoryTolerantLock lock = new OutOfMemoryTolerantLock();
    final WorkerRegistry registry = new WorkerRegistry(lock);
    final IdleWorkers idle;
    final WatchdogState watch = new WatchdogState();
    final ThreadStartBackoff failures;
    final CoreSize core;

    @Nullable
    IntSupplier processors; // what says how many there are, in tests

    private volatile long processorsRead; // when they were counted

    final AwakeLimit limit;
    final SoloTrial trial;
    final FirstThread first;

    volatile int searching;
    volatile int awake;
    volatile int coming;
    final AtomicInteger blocked = new AtomicInteger();
    volatile int threads;
    volatile int arrived; // those of the threads that have ever run: one that is being made may never come
    volatile int expiring; // those of the threads that are about to end after their keep-alive
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
        trial = new SoloTrial(config.clock().getAsLong());
        idle = new IdleWorkers(max);
        first = new FirstThread(pool, lock);
    }

    /** Gives the lock back. */
    final void unlock() {
        try {
            assert isSound()
                    : "threads " + threads + ", awake " + awake + ", searching " + searching + ", coming " + coming
                            + ", idle " + idle.size() + ", expiring " + expiring + ", arrived " + arrived;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether each worker is in one state, and counted so. Needs no memory, of which there may be none. */
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

    /** Makes a worker that has no thread yet. */
    abstract Worker newWorker(int state, boolean auxiliary);

    /** Returns whether more workers are awake than may be: blocked ones have come back, or the limit has fallen. */
    final boolean hasSurplus() {
        return awake - blocked.get() > limit();
    }

    /** Returns how many unblocked workers may be awake: as many as the limit says, less those that solo needs not. */
    final int limit() {
        return watch.isSolo() ? limit.limit() - limit.base() + 1 : limit.limit();
    }

    /**
     * Called by an awake worker whose entry took long: if more compute than may, one of them is surplus. Without that
     * all whose waits end at once would go on with what is ready, or with their lanes, before the next look. Returns
     * whether there is a surplus.
     */
    final boolean leaveCrowd() {
        if (!isWide() || !registry.computeMoreThan(limit.mostComputing())) {
            return false;
        }
        lock.lock();
        try {
            limit.leave(awake - blocked.get());
        } finally {
            unlock();
        }
        return hasSurplus();
    }

    /** Returns whether more may be awake than may compute. */
    final boolean isWide() {
        return limit.limit() > limit.mostComputing();
    }

    private int countProcessors() {
        IntSupplier source = processors;
        return source == null ? Runtime.getRuntime().availableProcessors() : source.getAsInt();
    }

    /**
     * Counts the processors again if that was not done lately, for a container may be resized; wakes a worker if more
     * may be awake. Called without the lock when a thread has started, when the last worker has become idle, and when
     * the workers are looked at.
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

    /** Puts a worker to work that was taken out of `idle`, or is to be made. */
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

    /** Counts a worker as one that runs, or will at once; false when it was counted so before. */
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
     * Counts a thread that is about to be made (WorkerSet-6); null when there may be no more, or none could be had just
     * now.
     */
    final @Nullable Worker reserve(int state, long now) {
        if (threads >= max || finishing || (threads > 0 && failures.keepOff(now))) {
            return null;
        }
        Worker worker;
        try {
            boolean auxiliary = config.auxiliaries() != null && threads >= core.size();
            worker = newWorker(state, auxiliary);
        } catch (OutOfMemoryError e) {
            return null; // what is ready is accepted: go on with the threads there are
        }
        threads++;
        first.starts();
        peakThreads = Math.max(peakThreads, threads);
        return worker;
    }

    /** Counts out a worker that has ended, or could not be started; true if it is the last of a pool that ends. */
    final boolean countOut(Worker worker) {
        threads--;
        core.threadsLeft(threads);
        arrived -= worker.arrived ? 1 : 0;
        if (worker.state == Worker.AWAKE) { // else it was counted out of service before
            coming -= worker.coming ? 1 : 0;
            awake -= worker.coming ? 0 : 1;
            searching -= worker.searching ? 1 : 0;
        }
        worker.coming = false; // it may have ended before its starter counts it
        return endsPool();
    }

    final boolean endsPool() {
        boolean last = finishing && threads == 0 && !terminated;
        terminated |= last;
        return last;
    }
}
