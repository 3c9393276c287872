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

/** A worker: takes entries from its pool's queues and runs them. Its states are the pool's to change (WorkerSet-1). */
final class Worker extends WorkerContext implements Runnable {
    /** Awake: searching for work, or running it. */
    static final int AWAKE = 0;
    /** Parked, or about to be, until another thread changes the state. */
    static final int IDLE = 1;
    /** Has to end. */
    static final int ENDING = 2;

    /** How long an entry takes that may have waited until now, and long enough for a look at the workers to pay. */
    static final long LONG_NANOS = 10_000_000;

    @SuppressWarnings("unused") // keeps what follows off the lines of the worker's fields
    private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;

    private final WorkerPool pool;
    private final WorkerSet workers;
    private final ReadyQueue queue;
    volatile int state;
    boolean searching; // guarded by the worker set's lock for writes; the worker reads its own
    volatile @Nullable Thread thread;
    // guarded by the worker set's lock for writes: does perhaps not run for long (WorkerSet-1)
    volatile boolean coming = true;
    private volatile boolean virtual;
    boolean arrived; // guarded by the worker set's lock: has ever run
    boolean expired; // the same
    private long stepsAtLook; // both are those of whoever looks at the workers (WorkerRegistry)
    private int looksWithoutEnd;
    private volatile @Nullable KernelState kernelState; // written by the worker
    private boolean told;
    private boolean prepared;
    final boolean auxiliary; // from a factory of its own, for the time that work is stuck
    private long timersSeen; // the reading of the clock by which timers were looked at last
    private long lastWork;
    private boolean worked; // since lastWork was set
    final Counters counters = new Counters();
    final ReadyQueue.View view = new ReadyQueue.View(counters);
    // the registry's: to end needs no memory
    final WorkerRegistry.Ended ended = new WorkerRegistry.Ended(new Counters(), this);

    Worker(WorkerPool pool, WorkerSet workers, long quantumNanos, int state, boolean auxiliary) {
        super(pool, quantumNanos);
        this.pool = pool;
        this.workers = workers;
        queue = pool.queue();
        this.state = state;
        this.auxiliary = auxiliary;
    }

    /** Starts the thread of this worker; returns why there is none, or null. */
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
            return; // the factory has started it by itself, and the worker set has refused or will refuse it
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
                        readClock(); // the turn that comes begins now, and not when this parked
                    }
                } catch (Throwable t) {
                    pool.troubled(t); // no memory for our own work: go on, the state still says with what
                }
            }
        } catch (Throwable t) {
            pool.troubled(t); // no memory to begin with: the worker set sees to what is ready
        } finally {
            try {
                JfrEvents.workerEnded(pool, whyEnded(), completed());
                unbind();
            } finally {
                workers.registry().close(kernelState);
                queue.leave(view);
                closeThread(); // before the end of the pool can be seen
                workers.ended(this);
            }
        }
    }

    /** Lets a thread that holds something, such as a core, give it back. */
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

    /** Works until there is no work for this worker, and its state has changed. */
    private void work(boolean came) {
        if (came && workers.hasSurplus() && workers.retreat(this)) {
            return;
        }
        boolean first = came;
        for (; ; ) {
            Object entry = queue.poll(view);
            if (entry == null) {
                if (!prepared && !searching && started() > 0) {
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
            if (queue.tookBatch(view) || searching || first) { // asked each time, for it to be told once
                try {
                    first = false;
                    workers.found(this);
                } catch (OutOfMemoryError e) {
                    pool.troubled(e); // perhaps still searching; the entry comes first, it must not be lost
                }
            }
            if (!worked) {
                worked = true; // written seldom: it lies beside what others read
            }
            long before = completed();
            execute(entry);
            if (completed() == before) {
                countSteps(1); // a timer, say: progress all the same
            }
            // as often as the worker reads the clock, which costs more
            if (now() != timersSeen) {
                if (now() - timersSeen >= LONG_NANOS) {
                    boolean unused = workers.leaveCrowd(); // is asked below
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
                // While awake: for a moment an entry is in no queue, and retreat() looks afterwards.
                queue.handOver(view);
                if (workers.retreat(this)) {
                    return;
                }
            }
        }
    }

    /**
     * Looks for work for a short time, if that is likely to pay and no other worker does; false when there was none.
     */
    private boolean search() {
        long now = readClock();
        noteWork(now);
        if (virtual || !pool.searchPays() || (!searching && !workers.beginSearch(this))) {
            return false;
        }
        counters.add(Counters.What.SEARCHES, 1);
        boolean found;
        do {
            found = pool.search();
            readClock();
        } while (!found && spins());
        return found;
    }

    /**
     * Returns whether this worker searches for as long as there is no work; it then looks at the timers if there is no
     * clock thread.
     */
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
     * Does what was left undone so that the first task did not have to wait for it. While awake and not searching,
     * since it takes long: who counts as searching, or was taken out of the idle workers, hides wake-ups.
     */
    private void prepare() {
        prepared = true;
        JfrEvents.listen();
        pool.prepare();
    }

    /** Tells, once that is wanted, where the kernel shows what this thread does. */
    private void tell() {
        if (!told && workers.registry().isWatched()) {
            told = true;
            kernelState = virtual ? null : workers.registry().openKernelState();
        }
    }

    /** Returns by what the kernel says what this worker does, or null where it does not. */
    @Nullable
    KernelState kernelState() {
        return kernelState;
    }

    /** Returns how many steps have ended here, and counts a look. For whoever looks. */
    long countLook() {
        long now = steps();
        looksWithoutEnd = now == stepsAtLook ? looksWithoutEnd + 1 : 0;
        stepsAtLook = now;
        return now;
    }

    /** Returns how much has ended here: tasks, entries that ran none, and the steps of tasks that handle many. Racy. */
    long steps() {
        return completed() + counters.get(Counters.What.STEPS);
    }

    /** Returns in how many looks, the last one included, nothing had ended since the one before. */
    int looksWithoutEnd() {
        return looksWithoutEnd;
    }

    /** Returns whether the thread needs a carrier to run. */
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
            Thread.interrupted(); // an interrupt of an idle worker means no task; park would return at once
            long nanos = idleNanos();
            if (nanos <= 0) {
                workers.expire(this);
                continue;
            }
            if (workers.isUnwatched()) {
                nanos = Math.min(nanos, workers.lookInstead(this));
            }
            if (nanos > 0 && state == IDLE) {
                // The state is read last: the user's clock may have parked, and taken the permit of a wake-up.
                countPark();
                if (nanos == Long.MAX_VALUE) {
                    LockSupport.park(pool);
                } else {
                    LockSupport.parkNanos(pool, nanos);
                }
            }
        }
    }

    /** Returns how long this worker may still live without work, or Long.MAX_VALUE. */
    long idleNanos() {
        return workers.idleNanos(this, lastWork);
    }

    /** Called before each time that this worker parks. Takes no lock, and calls no foreign code. */
    void countPark() {
        counters.add(Counters.What.PARKS, 1);
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

    /** Adds what this worker has counted. */
    void addTo(Counters sum) {
        sum.addAll(counters);
        sum.addAll((WorkerContext) this);
    }

    void unpark() {
        LockSupport.unpark(thread);
    }
}
