// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Counters;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.VirtualThreads;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.jfr.JfrEvents;
import dev.spindle.internal.pool.size.AwakeLimit;
import dev.spindle.internal.queue.ReadyQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A worker: takes entries from its pool's queue, and runs them.
 *
 * <p>It is normal that a thread is parked in {@code park}: the worker is idle, and has no entry. {@link WorkerSet}
 * unparks an idle worker when an entry becomes ready, when the pool ends, or when no clock thread can be started. A
 * worker of the core is parked without a timeout. A worker beyond the core is parked for its keep-alive, after which it
 * ends. If no clock thread can be started, all idle workers are parked with a timeout, since they fire the timers
 * instead of the clock thread.
 *
 * <p>If work seems to be ready while workers are parked, see {@code stats().ready()}. If this number is 0, no work is
 * ready. A lane is not ready while it is paused, while its task runs or blocks, or while an async task holds it. A
 * logical executor is not ready while its maximum number of tasks runs. See {@code busiest} and {@code waits} for such
 * lanes and executors. If the number stays above 0, either as many workers are awake as the limit allows
 * ({@link AwakeLimit}), or the pool has a fault.
 */
final class Worker extends WorkerContext implements Runnable {
    /** Searches for work, or runs an entry. */
    static final int AWAKE = 0;
    /** Parked or about to park, without an entry. */
    static final int IDLE = 1;
    /** About to end. */
    static final int ENDING = 2;

    /** The run time of an entry after which this worker checks whether too many workers compute. Not measured. */
    static final long LONG_NANOS = 10_000_000;

    @SuppressWarnings("unused") // keeps the following fields off the cache lines of WorkerContext
    private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;

    private final WorkerPool pool;
    private final WorkerSet workers;
    private final ReadyQueue queue;
    volatile int state;
    boolean searching; // writes are guarded by the worker set's lock; the worker reads the field without the lock
    volatile @Nullable Thread thread;
    // writes are guarded by the worker set's lock: true while the thread may not run for a long time (WorkerSet-1)
    volatile boolean coming = true;
    private volatile boolean virtual;
    boolean arrived; // guarded by the worker set's lock: true if the thread has ever run
    boolean expired; // guarded by the worker set's lock
    int place = -1; // the index in the registry, guarded by the registry's monitor

    @Nullable
    Worker idleBelow; // this and the next field are used by IdleWorkers

    @Nullable
    Worker idleAbove;

    private long stepsAtLook; // this and the next field are used by WorkerRegistry.look
    private int looksWithoutEnd;
    private volatile @Nullable KernelState kernelState; // written by the worker
    private boolean told;
    final boolean auxiliary; // true if the factory of auxiliaries makes the thread
    private long looked; // the clock reading of the last look()
    private long lastWork;
    boolean announced; // whether the last entry has announced a block; used by the worker's thread
    private boolean worked; // has run an entry since lastWork was set
    private boolean rested; // has been without work since the start
    private long firstRest; // the clock reading when `rested` was set
    final Counters counters = new Counters();
    final ReadyQueue.View view = new ReadyQueue.View(counters);
    // the sum that the registry publishes when this worker ends
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
            return; // the factory itself has started this thread, so the start of the worker fails
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
                        if (pool.mayPrepare()) {
                            boolean unused = JfrEvents.look(); // there is no listener before the preparation
                        }
                        // M1
                        readClock(); // so that the next turn does not include the time of the park
                    }
                } catch (Throwable t) {
                    pool.troubled(t); // not thrown by a task; the worker continues in its current state
                }
            }
        } catch (Throwable t) {
            pool.troubled(t); // ended() signals other workers for the ready entries
        } finally {
            try {
                JfrEvents.workerEnded(pool, whyEnded(), completed());
                unbind();
            } finally {
                workers.registry().close(kernelState);
                queue.leave(view);
                closeThread(); // before the termination of the pool is visible
                boolean unused = Thread.interrupted(); // actions after the termination begin without an interrupt (A4)
                workers.ended(this);
            }
        }
    }

    /** Closes the thread if it is AutoCloseable, for example because it holds a reserved processor. */
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

    /** Runs entries until this worker finds no more work, or is surplus. */
    private void work(boolean came) {
        if (came && isSurplus(true) && workers.retreat(this)) {
            return;
        }
        boolean first = came;
        for (; ; ) {
            Object entry = queue.poll(view);
            if (entry == null) {
                boolean ownerAffine = queue.leftOwnerAffine(view) && !pool.spins();
                if (!ownerAffine && search()) {
                    continue;
                }
                workers.becomeIdle(this, ownerAffine);
                return;
            }
            if (queue.tookBatch(view) || searching || first) { // tookBatch comes first, since it clears a flag
                first = false;
                workers.found(this);
            }
            if (!worked) {
                worked = true; // the condition avoids a write to a cache line that other threads read
            }
            announced = false;
            execute(entry);
            look();
            if (isSurplus(announced)) {
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
     * Returns whether this worker has to leave service. A surplus worker with a virtual thread goes on while work is
     * ready if it has come, or has announced a block in its last entry: else each further block would wake another, for
     * one park and one wake-up in each task. Such workers compute on the carriers only.
     */
    private boolean isSurplus(boolean goesOn) {
        return workers.hasSurplus() && !(goesOn && virtual && pool.hasReady());
    }

    /**
     * Looks, once for each reading of the clock, at the duties that awake workers have. Called between two entries, and
     * by a turn at the end of a quantum; the caller then checks whether there is a surplus.
     */
    void look() {
        long now = now();
        if (now == looked) {
            return;
        }
        if (now - looked >= LONG_NANOS && !virtual) {
            boolean unused = workers.leaveCrowd();
        }
        looked = now;
        boolean unwatched = workers.isUnwatched();
        if (unwatched || pool.isLate(now)) {
            pool.fireTimers(now);
        }
        workers.tryWorkers(now);
        if (unwatched && workers.isLookDue(now)) {
            workers.lookAtWorkers(!virtual, now); // there is no clock thread (WorkerSet-10)
        }
        tell();
    }

    /**
     * Searches for work if this worker is not virtual, a search is likely to pay, and no other worker searches. Returns
     * false if no work was found.
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

    /**
     * Returns true if this worker continues to search while there is no work: the pool spins, and the worker is neither
     * auxiliary nor surplus, and no preparation is due. Such a worker fires the due timers if there is no clock thread.
     */
    private boolean spins() {
        if (!pool.spins() || auxiliary || workers.hasSurplus() || isPreparationDue()) {
            return false;
        }
        if (workers.isUnwatched()) {
            pool.fireTimers(now());
        }
        return true;
    }

    /** Opens the kernel state of a platform thread, once, after looks at the workers have begun. */
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

    /**
     * Returns the number of steps, and counts the looks in which this number has not changed. Called by the thread that
     * looks at the workers.
     */
    long countLook() {
        long now = steps();
        looksWithoutEnd = now == stepsAtLook ? looksWithoutEnd + 1 : 0;
        stepsAtLook = now;
        return now;
    }

    /**
     * Returns the number of steps that have ended: tasks, entries that run no task, and messages that a task handles
     * after its first. Racy.
     */
    long steps() {
        return completed() + counters.get(Counters.What.STEPS);
    }

    /** Returns the number of consecutive looks, up to the last look, without a new step. */
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
        int rests = 0;
        while (state == IDLE) {
            Thread.interrupted(); // an interrupt of an idle worker is meant for no task, and would end the park
            long nanos = idleNanos();
            if (nanos <= 0) {
                workers.expire(this);
                continue;
            }
            if (workers.isUnwatched()) { // WorkerSet-7
                nanos = Math.min(nanos, workers.lookInstead(this));
            }
            if (pool.mayPrepare()) {
                nanos = Math.min(nanos, Preparation.REST_NANOS);
                if (rests++ >= 2 || isPreparationDue()) { // two, since an earlier unpark may end the first park at once
                    pool.beginPreparation(); // WorkerSet-4
                }
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

    /**
     * Returns true if this worker was first without work two rests ago, and the pool may prepare the process. An idle
     * worker also counts its parks, since a user's clock may stand still.
     */
    private boolean isPreparationDue() {
        if (!rested) {
            rested = true;
            firstRest = now();
        }
        return now() - firstRest >= 2 * Preparation.REST_NANOS && pool.mayPrepare();
    }

    /** Returns the remaining keep-alive of this worker, in nanoseconds, or Long.MAX_VALUE if the worker is kept. */
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
