// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.TimerQueue;
import dev.spindle.internal.jfr.JfrEvents;
import dev.spindle.internal.pool.size.AwakeLimit;
import dev.spindle.internal.pool.wake.WorkerNode;
import dev.spindle.internal.pool.wake.WorkerState;
import dev.spindle.internal.pool.wake.WorkerStates;
import dev.spindle.internal.pool.watch.ClockThread;
import dev.spindle.internal.pool.watch.WatchdogState;
import dev.spindle.internal.queue.ReadyQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a pool, with the counts and limits that decide which of them are awake and which search. The Javadoc
 * of {@link Worker} and {@link ClockThread} explains the states of their threads in a thread dump.
 */
final class WorkerSet {
    /*
     * Decides which thread wakes which worker, over the states and counts of WorkerStates. Producers read the counts
     * without the lock. They take the lock only to wake an idle worker, to reserve a worker that ThreadStarter then
     * starts, or to arm the watch. No user code runs under the lock. While the watch is armed, the clock thread looks
     * at the workers every 2 to 15 ms (Watchdog). A look counts which workers run and which wait, and sets `limit`, the
     * number of unblocked workers that may be awake.
     *
     * WorkerSet-2  No wake-up is lost. A producer publishes its entry by a read-modify-write, or by a volatile write
     *     (RunQueue-5), and then reads `searching`, `awake` and `blocked` (volatile); a worker lowers a count and then
     *     reads the queue: the producer sees the lowered count, or the worker sees the entry and signals.
     * WorkerSet-3  A thread that decrements `searching` to 0 rechecks the queue and signals if it is not empty. A
     *     worker that was `coming` signals when it has taken its first entry, if more work is ready.
     * WorkerSet-4  While work is ready and fewer than `limit` unblocked workers are awake, a worker searches, or a
     *     worker is coming, or a failed start of a thread will be retried. In the last two cases, no worker with a
     *     platform thread is idle.
     * WorkerSet-5  While work is ready and `limit` or `max` workers are awake or coming, the watch is armed. A thread
     *     that has armed the watch ensures that the clock thread sees the armed watch (ClockThread-1), and a look
     *     disarms the watch before it reads the queue a last time.
     * WorkerSet-6  threads <= max, except until the workers above a lowered `max` have ended (WorkerSet-14): the count
     *     is raised under the lock before a thread is made. The clock thread and the completer are not counted.
     * WorkerSet-7  While there are timers, the clock thread runs, and fires the due timers. If the clock thread is late
     *     or could not be started, awake workers fire the due timers; if the clock thread could not be started, idle
     *     workers do the same.
     * WorkerSet-8  A worker that becomes idle although there is an owner-affine entry (ReadyQueue-3) sets `ownerAffine`
     *     of the watch; while this flag is set, a worker that adds a single entry to its empty run queue wakes no other
     *     worker. The clock thread looks every 250 us, and if owners no longer take their entries, the clock thread
     *     clears the flag, reads the queue and signals; so WorkerSet-4 holds for such an entry after about 250 us.
     * WorkerSet-9  No task is accepted before a thread has started (ThreadStarter). The ready lanes are ended by the
     *     thread that cannot start the first thread, by the thread that sets `terminated`, and by each thread that
     *     makes a lane ready while the pool has no thread.
     * WorkerSet-10  While the watch is armed and no clock thread can be started, workers perform the looks: an awake
     *     worker between two entries, after it has read the clock, or an idle worker. One thread looks at a time, and
     *     sets the limit under the lock, if the watch is still armed.
     * WorkerSet-11  In solo mode (SoloTrial), the limit is one worker instead of `base`, and a surplus worker leaves
     *     service after its entry, or at the end of a quantum of its turn. A thread that ends solo mode signals if work
     *     is ready.
     * WorkerSet-12  A pool ends when no worker is awake or coming, no entry is ready, and nothing holds the pool's
     *     lifetime; this step is made under the lock, and makes each later hold fail (Lifetime-1). A thread that makes
     *     one of these conditions true calls tryTerminate afterwards.
     * WorkerSet-13  Each look that finds work ready makes the workers read their clocks after the current task
     *     (WorkerContext.hurry). So a turn lasts at most for its quantum, the time between two looks, and one task,
     *     although the clock is not read after each short task.
     * WorkerSet-14  While more workers stay than `max`, none is idle, and none is started or woken: an idle worker ends
     *     in the step that lowers `max`, and every other one in the step in which it leaves service. The thread that
     *     takes the last step, or that raises `max`, then reads the queue and signals.
     * WorkerSet-15  While a worker of the core is idle, no auxiliary worker with a virtual thread goes on after its
     *     entry, or after a quantum of its turn; it signals when it has left service, and the idle worker takes over.
     *     If most of the last looks found a worker with a virtual thread runnable, each worker with one parks after its
     *     entry, all at about the same time: a carrier reads the queues of other threads only once the one that it
     *     served last is empty. There are not more such workers than can pause before the first goes on (T3).
     *
     * A worker itself becomes IDLE; another thread wakes it. A worker is STARTING, and so counted as coming, while its
     * thread is being made. A worker with a virtual thread is COMING after a start or a wake-up, since all carriers may
     * be occupied. A platform thread runs soon after a wake-up, so its worker is SEARCHING at once (WorkerStates-1). A
     * lock, or the user's clock, may consume the permit of an unpark, so a worker reads its state after all calls that
     * may park, and only then parks (WorkerSet-2). While a worker is coming, all other threads may wait for the ready
     * work, so that none of them signals again. So a signal does not rely on a coming worker if it can wake an idle
     * platform thread. If a coming worker is surplus when its thread runs, the worker leaves service at once
     * (WorkerSet-4).
     *
     * A user may change the core and `max`. A lower core unparks the idle workers, so that those above it wait only for
     * their keep-alive. While more workers stay than `max`, `limit` allows none to be awake, so that all pass the steps
     * of a surplus worker, and a signal finds the pool full.
     *
     * A look sets `limit` by AwakeLimit, and signals if `limit` has risen. If no work has been ready for some looks,
     * the look disarms the watch, and lowers `limit` to the base plus the number of workers in recent use. While
     * `limit` is above the base, a signal arms the watch as soon as `base` workers are awake (WorkerSet-5).
     *
     * Awake workers check for due timers between two entries, after they have read the clock, and at the end of each
     * quantum of a turn. Idle workers that replace the clock thread also try to start the clock thread. A thread that
     * fires timers runs no user code: a due timer becomes ready, or is added to the completer (WorkerSet-7). Each
     * thread that ends ready lanes has taken the lock before, so one of these threads sees the lane of a rejected
     * submit (LaneCore-7, WorkerSet-9). Solo mode ends if the trial decides so, the limit rises, no worker is awake, no
     * clock thread can be started, or two consecutive looks find work ready and no new step (WorkerSet-11).
     *
     * Tests: WakeUpTest, SlowThreadsContractTest, ThreadsContractTest, ClockContractTest, WorkerSetTest,
     * PreparationTest, ThreadStarterTest, ElasticityContractTest, FairnessContractTest (WorkerSet-13),
     * QuiesceLincheckTest (WorkerSet-9), LiveThreadsContractTest (WorkerSet-14); jcstress SignalAgainstPark,
     * AddAgainstUnwatch (ClockThread-1); the model WorkerSetModelTest.
     */
    private final WorkerPool pool;
    private final PoolConfig config;
    private final WorkerStates states;
    private final ReentrantLock lock;
    private final WorkerRegistry registry;
    private final ReadyQueue queue;
    private final Watchdog watchdog;
    private final WatchdogState watch;
    private final ClockThread clock;
    private final ThreadStarter starter;
    final CoreSize core;
    final AwakeLimit limit;
    private final boolean hasAuxiliaries;
    private volatile boolean terminated; // written under the lock
    private boolean excess; // whether more workers stay than the maximum; under the lock

    WorkerSet(WorkerPool pool, PoolConfig config, TimerQueue timers) {
        this.pool = pool;
        this.config = config;
        queue = pool.queue();
        states = new WorkerStates(config.max());
        lock = states.lock();
        registry = new WorkerRegistry(states);
        core = new CoreSize(config);
        hasAuxiliaries = config.auxiliaries() != null;
        watchdog = new Watchdog(pool, this, config, timers);
        limit = watchdog.awakeLimit();
        watch = watchdog.state();
        clock = watchdog.clock();
        starter = new ThreadStarter(pool, this, config);
    }

    /** Releases the lock. */
    void unlock() {
        try {
            assert states.areSound() && limit.base() <= limit.limit() && limit.limit() <= states.max()
                    : states + ", limit " + limit.limit();
        } finally {
            lock.unlock();
        }
    }

    // ---------------------------------------------------------------- wake-ups

    /**
     * Ensures that a worker sees an entry that was published before this call. Wakes or starts at most one worker.
     * Returns false if the pool then has no thread.
     */
    boolean signal() {
        return states.isSearching() || (states.isFull(limit.allowed()) && watchdog.isSeenTo()) || slowSignal(true);
    }

    void signalIfReady() {
        if (queue.hasReady()) {
            signal();
        }
    }

    private boolean slowSignal(boolean mayStart) {
        long now = pool.nanoTime();
        WorkerNode woken;
        Worker started = null;
        int grownTo = 0;
        boolean armed = false;
        lock.lock();
        try {
            if (states.isSearching()) {
                return true;
            }
            int bound = limit.allowed();
            woken = states.wake(bound); // WorkerSet-4
            if (woken == null && mayStart && states.hasRoom(bound)) {
                started = starter.reserve(now);
            }
            if (started != null && states.blocked() > 0 && states.threads() > core.size()) {
                grownTo = states.threads();
            }
            boolean wakes = woken != null || started != null;
            if (wakes) {
                noteInService();
            }
            if (!wakes || (limit.isRaised() && states.inService() - states.blocked() >= limit.base())) {
                armed = watchdog.arm(
                        now); // WorkerSet-5: no worker may wake, or the limit is raised and its base reached
            }
        } finally {
            unlock();
        }
        if (woken != null) {
            woken.unpark();
        }
        if (grownTo > 0) {
            JfrEvents.grewForBlocked(pool, grownTo, limit.limit());
        }
        if (armed || (watch.isArmed() && !clock.isThere())) {
            boolean unused = clock.ensure(armed); // starts a missing clock thread; if armed, unparks a running one
        }
        if (woken != null) {
            return true;
        }
        return started == null ? hasThreads() : starter.start(started);
    }

    /** Signals for the ready entries, but starts no thread. Returns false if the pool has no thread. */
    boolean signalOthers() {
        return hasThreads() && (!pool.hasReady() || slowSignal(false)); // WorkerSet-3
    }

    /** Records that a worker was put into service: the core may grow. Called under the lock. */
    void noteInService() {
        if (core.inService(states.inService())) {
            limit.coreIs(core.size());
        }
    }

    /** Counts the calling worker as awake. Returns false if it was not STARTING or COMING. */
    boolean came(Worker worker) {
        lock.lock();
        try {
            boolean comes = worker.state().comes;
            if (comes) {
                states.move(worker, WorkerState.WORKING);
            }
            return comes;
        } finally {
            unlock();
        }
    }

    /** Makes {@code worker} search. Returns false if another worker is searching. */
    boolean beginSearch(Worker worker) {
        lock.lock();
        try {
            if (states.isSearching()) {
                return false;
            }
            states.move(worker, WorkerState.SEARCHING);
            return true;
        } finally {
            unlock();
        }
    }

    /** Ends the search of {@code worker}; signals if more work is ready (WorkerSet-3). */
    void found(Worker worker) {
        lock.lock();
        try {
            states.move(worker, WorkerState.WORKING);
        } finally {
            unlock();
        }
        if (pool.hasReady()) {
            signal(); // WorkerSet-3
        }
        if (watch.beginWork()) {
            boolean unused = clock.ensure(true); // WatchdogState-1
        }
    }

    // ---------------------------------------------------------------- idle workers

    /** Takes a worker without work out of service until it is woken. */
    void becomeIdle(Worker worker, boolean leavesOwnerAffine) {
        boolean last;
        lock.lock();
        try {
            if (leavesOwnerAffine && !states.isEnding()) {
                watch.leaveOwnerAffine(worker.now());
            }
            last = states.leave(worker);
            if (excess) {
                endExcess(worker);
            }
            if (last) { // WorkerSet-11
                limit.setSolo(false);
            }
        } finally {
            unlock();
        }
        if (leavesOwnerAffine && !clock.ensure(true)) { // wakes the clock thread for its look
            watch.endUnwatched();
        }
        if (last) {
            watchdog.readProcessors(worker.now());
        }
        if (watch.isOwnerAffine() ? queue.hasMore() : queue.hasReady()) { // WorkerSet-2
            signal(); // WorkerSet-2, WorkerSet-3
        }
        pool.tryTerminate(); // WorkerSet-12
    }

    /**
     * Takes a worker out of service that is surplus or gives way to an idle one. Returns false if it need not leave any
     * more.
     */
    boolean retreat(Worker worker) {
        lock.lock();
        try {
            if (!watchdog.hasSurplus() && !worker.givesWay()) {
                return false;
            }
            boolean unused = states.leave(worker);
            if (excess) {
                endExcess(worker);
            }
        } finally {
            unlock();
        }
        signalIfReady();
        // D1
        pool.tryTerminate(); // other workers may have called this before this worker took the last entry
        return true;
    }

    /** Records whether more workers stay than the maximum. Called under the lock. */
    private void noteExcess() {
        excess = states.hasExcess(); // WorkerSet-14
        limit.setExcess(excess);
    }

    /** Ends idle workers while more workers stay than the maximum. Called under the lock, by {@code caller} if any. */
    private void endExcess(@Nullable Worker caller) {
        while (excess) {
            WorkerNode ended = states.endIdle();
            if (ended == null) {
                break; // the others end when they leave service
            }
            if (ended != caller) {
                ended.unpark();
            }
            noteExcess();
        }
    }

    /** Changes the maximum number of threads. Throws an exception if the core that was set is above it. */
    void setMax(int max) {
        lock.lock();
        try {
            core.setMax(max, limit.processors(), states.threads());
            states.setMax(max);
            limit.threadsAre(core.size(), core.isDefault(), max);
            noteExcess();
            endExcess(null);
        } finally {
            unlock();
        }
        signalIfReady(); // WorkerSet-14
    }

    /** Changes the number of core threads. Throws an exception if it is above the maximum. */
    void setCore(int threads) {
        lock.lock();
        try {
            core.set(threads, states.threads());
            limit.threadsAre(threads, false, states.max());
            // Those above a lowered core were parked without a limit.
            states.unparkIdle(); // T1
        } finally {
            unlock();
        }
        signalIfReady(); // WorkerSet-4
    }

    /** Returns the remaining keep-alive of a worker, in nanoseconds, or Long.MAX_VALUE if the worker is kept. */
    long idleNanos(Worker worker, long lastWork) {
        return mayExpire(worker) ? lastWork + config.keepAliveNanos() - pool.nanoTime() : Long.MAX_VALUE;
    }

    private boolean mayExpire(Worker worker) {
        return hasAuxiliaries
                ? worker.isAuxiliary() || states.stayingOfCore() > core.size()
                : states.staying() > core.size();
    }

    /** Ends an idle worker whose keep-alive has passed. Returns false if the worker was woken, or is kept. */
    boolean expire(Worker worker) {
        lock.lock();
        try {
            if (worker.state() != WorkerState.IDLE || !mayExpire(worker)) {
                return false;
            }
            states.move(worker, WorkerState.EXPIRED);
            limit.lower();
            return true;
        } finally {
            unlock();
        }
    }

    void ended(Worker worker) {
        boolean last;
        lock.lock();
        try {
            last = countOut(worker);
            registry.ended(worker);
        } finally {
            unlock();
        }
        tellEnd(last);
        ensureWorkers(); // a submitter may have started no worker, because this worker was still counted
        pool.tryTerminate();
    }

    /**
     * Removes a worker that has ended, or could not be started, from the counts. Returns true if it was the last worker
     * of a pool that ends. Called under the lock.
     */
    boolean countOut(Worker worker) {
        if (worker.state() != WorkerState.ENDED) {
            states.move(worker, WorkerState.ENDED); // F5
        }
        core.threadsLeft(states.threads());
        noteExcess();
        return endsPool();
    }

    /** Ensures that a worker sees the ready entries, and that the clock thread runs if it has duties. */
    void ensureWorkers() {
        signalIfReady();
        clock.ensureIfNeeded();
    }

    // ---------------------------------------------------------------- the watch

    /** Ends solo mode, and wakes the idle workers to replace the clock thread (WorkerSet-7). */
    void lookYourselves() {
        lock.lock();
        try {
            watch.endUnwatched();
            states.unparkIdle();
        } finally {
            unlock();
        }
    }

    boolean hasThreads() {
        return states.threads() > 0;
    }

    Watchdog watchdog() {
        return watchdog;
    }

    // ---------------------------------------------------------------- blocking

    void beginBlocking() {
        states.beginBlocking();
        signalIfReady();
    }

    void endBlocking() {
        states.endBlocking();
    }

    // ---------------------------------------------------------------- end

    /** Ends all workers if none is in service and {@link WorkerPool#end} succeeds (WorkerSet-12). */
    void finish() {
        boolean last;
        lock.lock();
        try {
            if (!states.isEnding() && (states.inService() > 0 || !pool.end())) { // WorkerSet-12
                return; // the thread that ends the last work, entry or hold calls tryTerminate
            }
            states.end();
            last = endsPool();
        } finally {
            unlock();
        }
        tellEnd(last);
    }

    /** Returns true, once, if the pool ends and its last thread has ended. Called under the lock. */
    private boolean endsPool() {
        boolean last = states.isEnding() && !hasThreads() && !terminated;
        terminated |= last;
        return last;
    }

    void tellEnd(boolean last) {
        if (last) {
            clock.end();
            pool.completer().end();
            pool.endWithoutThreads(); // WorkerSet-9
            config.host().terminated();
        }
    }

    /** Returns whether a thread was ever started, and the pool has not terminated. */
    boolean mayHaveTasks() {
        return starter.hasEverStarted() && !terminated;
    }

    boolean isTerminated() {
        return terminated;
    }

    WorkerStates states() {
        return states;
    }

    ThreadStarter starter() {
        return starter;
    }

    WorkerRegistry registry() {
        return registry;
    }

    Pool.Counts counts(int ready) {
        int now = states.threads();
        return new Pool.Counts(
                now,
                Math.max(now, states.peak()),
                core.size(),
                Math.max(0, now - states.inService()), // read without the lock, perhaps at different times
                ready,
                registry.total(),
                core.episodes(),
                states.wakeUps());
    }
}
