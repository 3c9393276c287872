// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A worker: takes entries from its pool's queue and runs them. Its states are the pool's to change (WorkerPool, W1). */
final class Worker extends Runner implements Runnable {
    /** Awake: searching for work, or running it. */
    static final int AWAKE = 0;
    /** Parked, or about to be, until somebody changes the state. */
    static final int IDLE = 1;
    /** Watches the clock for the pool. */
    static final int WATCHING = 2;
    /** Has to end. */
    static final int ENDING = 3;

    private static final long SEARCH_NANOS = 20_000;

    private final WorkerPool pool;
    volatile int state;
    boolean searching; // guarded by the pool's lock for writes; the worker reads its own
    volatile @Nullable Thread thread;
    private long lastWork;

    Worker(WorkerPool pool, long quantumNanos, int state) {
        super(pool, quantumNanos);
        this.pool = pool;
        this.state = state;
        searching = state == AWAKE;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        bind();
        lastWork = now();
        try {
            for (int s = state; s != ENDING; s = state) {
                switch (s) {
                    case AWAKE -> work();
                    case WATCHING -> pool.watch(this);
                    default -> park();
                }
            }
        } finally {
            unbind();
            pool.ended(this);
        }
    }

    /** Works until there is no work for this worker, and its state has changed. */
    private void work() {
        for (; ; ) {
            Object entry = pool.poll();
            if (entry == null) {
                if (search()) {
                    continue;
                }
                pool.becomeIdle(this);
                return;
            }
            if (searching) {
                pool.found(this);
            }
            execute(entry);
            if (pool.isUnwatched()) {
                pool.fireTimers(readClock());
            }
            if (pool.hasSurplus() && pool.retreat(this)) {
                return;
            }
        }
    }

    private void execute(Object entry) {
        if (entry instanceof LaneCore lane) {
            lane.turn(this);
        } else if (entry instanceof Chore chore) {
            chore.run();
        } else {
            run(null, (Runnable) entry);
            tick();
        }
    }

    /** Looks for work for a short time, if no other worker does; false when there was none. */
    private boolean search() {
        lastWork = readClock();
        if (!searching && !pool.beginSearch(this)) {
            return false;
        }
        long end = lastWork + SEARCH_NANOS;
        do {
            for (int i = 0; i < 16; i++) {
                if (pool.hasReady()) {
                    return true;
                }
                Thread.onSpinWait();
            }
            Thread.yield(); // with more threads than cores the producer may need this one
        } while (readClock() - end < 0);
        return pool.hasReady();
    }

    private void park() {
        while (state == IDLE) {
            Thread.interrupted(); // an interrupt of an idle worker means no task; park would return at once
            long nanos = pool.idleNanos(lastWork);
            if (nanos == Long.MAX_VALUE) {
                LockSupport.park(pool);
            } else if (nanos > 0) {
                LockSupport.parkNanos(pool, nanos);
            } else {
                pool.expire(this);
            }
        }
    }

    void unpark() {
        LockSupport.unpark(thread);
    }
}
