// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Counters;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.VirtualThreads;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.jfr.JfrEvents;
import dev.spindle.internal.pool.size.AwakeLimit;
import dev.spindle.internal.pool.wake.WorkerNode;
import dev.spindle.internal.pool.wake.WorkerState;
import dev.spindle.internal.pool.watch.ClockThread;
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
final class Worker extends WorkerNode implements Runnable {
    /** The run time of an entry after which this worker checks whether too many workers compute. Not measured. */
    static final long LONG_NANOS = 10_000_000;

    /**
     * The length of a pause, in run times of the last entry. All virtual workers pause at their next look at the clock;
     * those that wait for a carrier are mounted and pause before the first goes on, since at most three times as many
     * workers compute as there are carriers (T3). Measured on two processors at a load of 15, with one key blocked per
     * core thread: a virtual thread of another library waited 20 s with pauses of 1 ns.
     */
    private static final int PAUSE_TASKS = 4;

    /**
     * The value of {@link #looksRunnable} from which the tasks of a virtual thread count as tasks that compute and do
     * not wait. Measured on two processors with tasks that compute for 100 us and then sleep for 0.2 ms, which leave
     * their carriers without a pause: with 2 they had 0.82 of the rate with platform threads, with 8 0.88, without
     * pauses 0.90.
     */
    private static final int COMPUTING_LOOKS = 8;

    /**
     * What a look subtracts that finds the virtual thread waiting. Measured: with a new count from 0 in its place,
     * tasks of 0.3 ms that compute kept another virtual thread from the carriers for 5 s in two of three runs.
     */
    private static final int WAITING_LOOK = 3;

    private final WorkerPool pool;
    private final WorkerSet workers;
    private final Watchdog watchdog;
    private final ClockThread clock;
    private final ReadyQueue queue;
    volatile @Nullable Thread thread;
    private volatile boolean virtual;
    private long stepsAtLook; // this and the next field are used by WorkerRegistry.look
    private int looksWithoutEnd;
    private volatile @Nullable KernelState kernelState; // written by the worker
    private boolean told;
    private long looked; // the clock reading of the last look()
    private long lastWork;
    boolean announced; // whether the last entry has announced a block; used by the worker's thread
    private boolean worked; // has run an entry since lastWork was set
    private boolean rested; // has been without work since the start
    private int pauses; // the number of the last pause that this worker has made
    private int looksRunnable; // looks that found the virtual thread runnable, up to a bound, less those that did not
    private boolean outlived; // ends since its keep-alive has passed
    private long firstRest; // the clock reading when `rested` was set
    final Counters counters = new Counters();
    final ReadyQueue.View view = new ReadyQueue.View(counters);
    // the sum that the registry publishes when this worker ends
    final WorkerRegistry.Ended ended = new WorkerRegistry.Ended(new Counters(), this);

    Worker(WorkerPool pool, WorkerSet workers, PoolConfig config, boolean auxiliary) {
        super(pool, config.quantumNanos(), config.sampleOneIn(), auxiliary);
        this.pool = pool;
        this.workers = workers;
        watchdog = workers.watchdog();
        clock = watchdog.clock();
        queue = pool.queue();
    }

    /** Starts the thread of this worker. Returns the failure of the start, or null. */
    @Nullable
    Throwable start(PoolConfig config, WorkerRegistry registry) {
        try {
            registry.add(this);
            Thread made = config.newThread(this, isAuxiliary());
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
            for (WorkerState now = state(); !now.ends; now = state()) {
                try {
                    if (now != WorkerState.IDLE) {
                        work(now.comes && workers.came(this));
                    } else {
                        if (park()) {
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
        WorkerState now = state();
        if (now == WorkerState.EXPIRED) {
            return outlived ? "keep-alive passed" : "maximum lowered";
        }
        return now == WorkerState.ENDING ? "shutdown" : "failed";
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
            boolean tookBatch = queue.tookBatch(view); // clears a flag
            if (state() == WorkerState.SEARCHING) {
                workers.found(this);
            } else if (tookBatch || first) {
                workers.signalIfReady(); // WorkerSet-3, ReadyQueue-6
            }
            first = false;
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
     * one park and one wake-up in each task. Such workers compute on the carriers only. No worker goes on if there are
     * more than the maximum (WorkerSet-14).
     */
    private boolean isSurplus(boolean goesOn) {
        if (watchdog.hasSurplus()) {
            return workers.limit.hasExcess() || !(goesOn && virtual && pool.hasReady());
        }
        return !goesOn && virtual && givesWay();
    }

    /**
     * Returns whether this worker leaves the ready work to an idle worker: it has a virtual thread and the other does
     * not. Work that computes would keep the carrier, which other virtual threads of the process need.
     */
    boolean givesWay() {
        return virtual && isAuxiliary() && workers.states().hasIdleCore(); // WorkerSet-15
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
            boolean unused = watchdog.leaveCrowd();
        }
        long ran = now - looked;
        looked = now;
        if (virtual && pauses != workers.registry().pauses()) { // WorkerSet-15
            pauses = workers.registry().pauses();
            // counted as out of service, not as a task that waits
            LockSupport.parkNanos(pool, Math.min(PAUSE_TASKS * ran, LONG_NANOS));
        }
        boolean unwatched = clock.isMissing();
        if (unwatched || pool.isLate(now)) {
            pool.fireTimers(now);
        }
        watchdog.tryWorkers(now);
        if (unwatched && watchdog.isLookDue(now)) {
            watchdog.lookAtWorkers(!virtual, now); // there is no clock thread (WorkerSet-10)
        }
        if (!told) {
            tell();
        }
    }

    /**
     * Searches for work if this worker is not virtual, a search is likely to pay, and no other worker searches. Returns
     * false if no work was found.
     */
    private boolean search() {
        long now = readClock();
        noteWork(now);
        if (virtual || !pool.searchPays() || (state() != WorkerState.SEARCHING && !workers.beginSearch(this))) {
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
        if (!pool.spins() || isAuxiliary() || watchdog.hasSurplus() || isPreparationDue()) {
            return false;
        }
        if (clock.isMissing()) {
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

    /** Also counts entries that run no task. */
    @Override
    public long steps() {
        return completed() + counters.get(Counters.What.STEPS);
    }

    /**
     * Records whether a look found the virtual thread of this worker runnable. Returns true if enough looks did, so
     * that its tasks compute. Called by the thread that looks at the workers, unless this worker pauses.
     */
    boolean seen(boolean runnable) {
        looksRunnable =
                runnable ? Math.min(looksRunnable + 1, COMPUTING_LOOKS) : Math.max(looksRunnable - WAITING_LOOK, 0);
        return looksRunnable >= COMPUTING_LOOKS;
    }

    /** Returns the number of consecutive looks, up to the last look, without a new step. */
    int looksWithoutEnd() {
        return looksWithoutEnd;
    }

    @Override
    public boolean isVirtual() {
        return virtual;
    }

    private void noteWork(long now) {
        if (worked) {
            lastWork = now;
            worked = false;
        }
    }

    /** Parks until this worker is no longer idle. Returns whether the pool may prepare the process. */
    private boolean park() {
        int rests = 0;
        boolean prepares;
        do {
            Thread.interrupted(); // an interrupt of an idle worker is meant for no task, and would end the park
            long nanos = workers.idleNanos(this, lastWork);
            if (nanos <= 0) {
                outlived = workers.expire(this);
                prepares = pool.mayPrepare();
                continue;
            }
            if (clock.isMissing()) { // WorkerSet-7
                nanos = Math.min(nanos, watchdog.lookInstead(this));
            }
            prepares = pool.mayPrepare();
            if (prepares) {
                nanos = Math.min(nanos, Preparation.REST_NANOS);
                if (rests++ >= 2 || isPreparationDue()) { // two, since an earlier unpark may end the first park at once
                    pool.beginPreparation(); // WorkerSet-4
                }
            }
            if (nanos > 0 && state() == WorkerState.IDLE) { // WorkerSet-2
                // The state is read last, since the user's clock may have parked and consumed the permit of an unpark.
                if (nanos == Long.MAX_VALUE) {
                    LockSupport.park(pool);
                } else {
                    LockSupport.parkNanos(pool, nanos);
                }
            }
        } while (state() == WorkerState.IDLE);
        return prepares;
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

    @Override
    public void unpark() {
        LockSupport.unpark(thread);
    }
}
