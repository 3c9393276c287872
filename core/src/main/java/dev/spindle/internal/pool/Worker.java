// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Counters;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.VirtualThreads;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.jfr.JfrEvents;
import dev.spindle.internal.queue.ReadyQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A worker: takes entries from its pool's queue and runs them. The worker set changes its state (WorkerSet-1).
 *
 * <p>A worker that is parked has no entry, and is idle. {@link WorkerSet} unparks it when an entry becomes ready, when
 * the pool ends, and, if there is no clock thread, to look at the clock. A worker parks with a time limit if it is in
 * excess of the core, or if there is no clock thread.
 */
final class Worker extends WorkerContext implements Runnable {
    /** Awake: searching for work, or running it. */
    static final int AWAKE = 0;
    /** Parked, or about to be, until another thread changes the state. */
    static final int IDLE = 1;
    /** About to end. */
    static final int ENDING = 2;

    /** The run time above which an entry may have waited, so that a look at the other workers pays. */
    static final long LONG_NANOS = 10_000_000;

    @SuppressWarnings("unused") // keeps the following fields off the cache lines of WorkerContext's
    private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;

    private final WorkerPool pool;
    private final WorkerSet workers;
    private final ReadyQueue queue;
    volatile int state;
    boolean searching; // writes are guarded by the worker set's lock; the worker reads it without the lock
    volatile @Nullable Thread thread;
    // writes are guarded by the worker set's lock: true if the thread may not run for a long time (WorkerSet-1)
    volatile boolean coming = true;
    private volatile boolean virtual;
    boolean arrived; // guarded by the worker set's lock: true if the thread has ever run
    boolean expired; // guarded by the worker set's lock
    private long stepsAtLook; // this and the next field belong to the thread that looks (WorkerRegistry)
    private int looksWithoutEnd;
    private volatile @Nullable KernelState kernelState; // written by the worker
    private boolean told;
    private boolean prepared;
    final boolean auxiliary; // true if the factory of auxiliaries makes the thread
    private long timersSeen; // the clock reading of the last look at the timers
    private long lastWork;
    private boolean worked; // has run an entry since lastWork was set
    final Counters counters = new Counters();
    final ReadyQueue.View view = new ReadyQueue.View(counters);
    // for the registry
    final WorkerRegistry.Ended ended = new WorkerRegistry.Ended(new Counters(), this);

    Worker(WorkerPool pool, WorkerSet workers, long quantumNanos, int state, boolean auxiliary) {
        super(pool, quantumNanos);
        this.pool = pool;
        this.workers = workers;
        queue = pool.queue();
        this.state = state;
        this.auxiliary = auxiliary;
    }

    /** Starts the thread of this worker. Returns the failure of the start, or null. */
    @Nullable
    Throwable start(PoolConfig config, WorkerRegistry registry) {
        try {
            registry.add(this);
            Thread made = config.newThread(this, auxiliary);
            virtual = VirtualThreads.isVirtual(made);
            thread = made;
            made.start();
            return null;
        } catch (Throwable t) {
            thread = null;
            return t;
        }
    }

    @Override
    public void run() {
        if (thread == null) {
            return; // a thread that the factory itself has started, and that the worker set refuses
        }
        thread = Thread.currentThread();
        try {
            JfrEvents.workerStarted(pool);
            bind();
            lastWork = now();
            tell();
            while (state != ENDING) {
                try {
                    boolean came = coming && workers.came(this);
                    if (state == AWAKE) {
                        work(came);
                    } else {
                        park();
                        // M1
                        readClock(); // the time of the park must not count for the next turn
                    }
                } catch (Throwable t) {
                    pool.troubled(t); // thrown outside tasks: the worker continues as its state says
                }
            }
        } catch (Throwable t) {
            pool.troubled(t); // ended() signals others for the ready entries
        } finally {
            try {
                JfrEvents.workerEnded(pool, whyEnded(), completed());
                unbind();
            } finally {
                workers.registry().close(kernelState);
                queue.leave(view);
                closeThread(); // before the termination of the pool is visible
                boolean unused = Thread.interrupted(); // dependents of the termination begin without it (A4)
                workers.ended(this);
            }
        }
    }

    /** Closes a thread that holds a resource, such as a core. */
    private void closeThread() {
        try {
            if (Thread.currentThread() instanceof AutoCloseable own) {
                own.close();
            }
        } catch (Throwable t) {
            pool.troubled(t);
        }
    }

    private String whyEnded() {
        return state != ENDING ? "failed" : expired ? "keep-alive passed" : "shutdown";
    }

    /** Runs entries until this worker finds none and its state has changed. */
    private void work(boolean came) {
        if (came && workers.hasSurplus() && workers.retreat(this)) {
            return;
        }
        boolean first = came;
        for (; ; ) {
            Object entry = queue.poll(view);
            if (entry == null) {
                if (!prepared && !searching && started() > 0) { // WorkerSet-4
                    prepare();
                    continue;
                }
                boolean ownerAffine = queue.leftOwnerAffine(view) && !pool.spins();
                if (!ownerAffine && search()) {
                    continue;
                }
                workers.becomeIdle(this, ownerAffine);
                return;
            }
            if (queue.tookBatch(view) || searching || first) { // tookBatch clears its flag, so it is always called
                first = false;
                workers.found(this);
            }
            if (!worked) {
                worked = true; // the condition avoids writes to a line that other threads read
            }
            long before = completed();
            execute(entry);
            if (completed() == before) {
                countSteps(1); // an entry such as a timer is progress, too
            }
            // once per clock reading, which costs more than these checks
            if (now() != timersSeen) {
                if (now() - timersSeen >= LONG_NANOS) {
                    boolean unused = workers.leaveCrowd(); // hasSurplus() below checks the outcome
                }
                timersSeen = now();
                if (pool.looksAtTimers(timersSeen)) {
                    pool.fireTimers(timersSeen);
                }
                workers.tryWorkers(timersSeen);
                if (workers.isLookDue(timersSeen)) {
                    workers.lookAtWorkers(!virtual, timersSeen); // there is no clock thread (WorkerSet-10)
                }
                tell();
            }
            if (workers.hasSurplus()) {
                noteWork(readClock());
                // Before retreat(), which rechecks the queue: an entry that is being moved is in no queue.
                queue.handOver(view);
                if (workers.retreat(this)) {
                    return;
                }
            }
        }
    }

    /**
     * Searches for work for a short time, if a search is likely to pay and no other worker searches; false if it finds
     * no work.
     */
    private boolean search() {
        long now = readClock();
        noteWork(now);
        if (virtual || !pool.searchPays() || (!searching && !workers.beginSearch(this))) {
            return false;
        }
        boolean found;
        do {
            found = pool.search();
            readClock();
        } while (!found && spins());
        return found;
    }

    /** Returns whether this worker searches as long as there is no work; fires timers if there is no clock thread. */
    private boolean spins() {
        if (!pool.spins() || auxiliary || workers.hasSurplus()) {
            return false;
        }
        if (workers.isUnwatched()) {
            pool.fireTimers(now());
        }
        return true;
    }

    /**
     * Does work that was deferred in order not to delay the first task. The work takes long, and a worker that
     * searches, or was just taken from the idle workers, suppresses wake-ups; so this is called while awake and not
     * searching.
     */
    private void prepare() {
        prepared = true;
        JfrEvents.listen();
        pool.prepare();
    }

    /** Opens the kernel state of this thread if there has been a look at the workers. */
    private void tell() {
        if (!told && workers.registry().isWatched()) {
            told = true;
            kernelState = virtual ? null : workers.registry().openKernelState();
        }
    }

    /** Returns the kernel state of the thread, or null if it is not open. */
    @Nullable
    KernelState kernelState() {
        return kernelState;
    }

    /** Returns the number of steps, and counts a look. For the thread that looks. */
    long countLook() {
        long now = steps();
        looksWithoutEnd = now == stepsAtLook ? looksWithoutEnd + 1 : 0;
        stepsAtLook = now;
        return now;
    }

    /** Returns the number of steps: tasks, entries without tasks, and further messages that tasks handled. Racy. */
    long steps() {
        return completed() + counters.get(Counters.What.STEPS);
    }

    /** Returns the number of the last consecutive looks without a new step. */
    int looksWithoutEnd() {
        return looksWithoutEnd;
    }

    /** Returns whether the thread is virtual, and so needs a carrier to run. */
    boolean isVirtual() {
        return virtual;
    }

    private void noteWork(long now) {
        if (worked) {
            lastWork = now;
            worked = false;
        }
    }

    private void park() {
        while (state == IDLE) {
            Thread.interrupted(); // an interrupt of an idle worker is not meant for a task; park would return at once
            long nanos = idleNanos();
            if (nanos <= 0) {
                workers.expire(this);
                continue;
            }
            if (workers.isUnwatched()) { // WorkerSet-7
                nanos = Math.min(nanos, workers.lookInstead(this));
            }
            if (nanos > 0 && state == IDLE) { // WorkerSet-2
                // The state is read last, since the user's clock may have parked and consumed the permit of an unpark.
                if (nanos == Long.MAX_VALUE) {
                    LockSupport.park(pool);
                } else {
                    LockSupport.parkNanos(pool, nanos);
                }
            }
        }
    }

    /** Returns the remaining keep-alive of this worker without work, or Long.MAX_VALUE. */
    long idleNanos() {
        return workers.idleNanos(this, lastWork);
    }

    @Override
    public void countSteps(long count) {
        counters.add(Counters.What.STEPS, count);
    }

    @Override
    public boolean countSuperseded(long count) {
        counters.add(Counters.What.SUPERSEDED, count);
        return true;
    }

    /** Adds the counts of this worker to {@code sum}. */
    void addTo(Counters sum) {
        sum.addAll(counters);
        sum.addAll((WorkerContext) this);
    }

    void unpark() {
        LockSupport.unpark(thread);
    }
}
