// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Counters;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.TimerQueue;
import dev.spindle.internal.jfr.JfrEvents;
import dev.spindle.internal.pool.size.AwakeLimit;
import dev.spindle.internal.pool.watch.ClockThread;
import dev.spindle.internal.pool.watch.RetryDelay;
import dev.spindle.internal.pool.watch.WatchdogState;
import dev.spindle.internal.queue.ReadyQueue;

/**
 * The workers of a pool, with the counts and limits that decide which of them are awake and which search. The Javadoc
 * of {@link Worker} and {@link ClockThread} explains the states of their threads in a thread dump.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under `lock`
final class WorkerSet extends WorkerSetState {
    /*
     * Decides which thread wakes which worker. Producers read the counts of WorkerSetState without the lock. They take
     * the lock only to wake an idle worker, to reserve a worker that ThreadStarter then starts, or to arm the watch. No
     * user code runs under the lock. While the watch is armed, the clock thread looks at the workers every 2 to 15 ms.
     * A look counts which workers run and which wait, and sets `limit`, the number of unblocked workers that may be
     * awake.
     *
     * WorkerSet-1  A worker is AWAKE, IDLE (in `idle`), or ENDING. An AWAKE worker is counted in `coming` if a long
     *     time may pass until its thread runs, and otherwise in `awake`; `searching` counts those workers in `awake`
     *     that search for work.
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
     * WorkerSet-6  threads <= max always: the count is raised under the lock before a thread is made. The clock thread
     *     and the completer are not counted.
     * WorkerSet-7  While there are timers, the clock thread runs, and fires the due timers. If the clock thread is late
     *     or could not be started, awake workers fire the due timers; if the clock thread could not be started, idle
     *     workers do the same.
     * WorkerSet-8  A worker that becomes idle although there is an owner-affine entry (ReadyQueue-3) sets `ownerAffine`
     *     of the watch; while this flag is set, a worker that adds a single entry to its empty run queue wakes no other
     *     worker. The clock thread looks every 250 us, and if owners no longer take their entries, the clock thread
     *     clears the flag, reads the queue and signals; so WorkerSet-4 holds for such an entry after about 250 us.
     * WorkerSet-9  No task is accepted before a thread has started (FirstThread). The ready lanes are ended by the
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
     *
     * A worker changes its own state from AWAKE to IDLE. The thread that takes a worker out of `idle` changes the state
     * of that worker under the lock (WorkerSet-1). A worker is `coming` while its thread is being made. A worker with a
     * virtual thread is also `coming` after a wake-up, since all carriers may be occupied. A platform thread runs soon
     * after a wake-up, so its worker is counted in `searching` at once. A lock, or the user's clock, may consume the
     * permit of an unpark, so a worker reads its state after all calls that may park, and only then parks
     * (WorkerSet-2). While a worker is coming, all other threads may wait for the ready work, so that none of them
     * signals again. So a signal does not rely on a coming worker if it can wake an idle platform thread. If a coming
     * worker is surplus when its thread runs, the worker leaves service at once (WorkerSet-4).
     *
     * A look sets `limit` by AwakeLimit, and signals if `limit` has risen. If no work has been ready
     * for some looks, the look disarms the watch, and lowers `limit` to the base plus the number of workers in recent
     * use. While `limit` is above the base, a signal arms the watch as soon as `base` workers are awake (WorkerSet-5).
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
     * QuiesceLincheckTest (WorkerSet-9); jcstress SignalAgainstPark, AddAgainstUnwatch (ClockThread-1); the model
     * WorkerSetModelTest.
     */
    private final PoolConfig config;
    private final TimerQueue timers;
    private final ClockThread clock;
    private final ReadyQueue.View view; // used by the clock thread
    private final ThreadStarter starter;
    final RetryDelay looks;

    WorkerSet(WorkerPool pool, PoolConfig config, TimerQueue timers) {
        super(pool, config);
        this.config = config;
        this.timers = timers;
        view = new ReadyQueue.View(new Counters());
        starter = new ThreadStarter(pool, this, config);
        looks = new RetryDelay(pool);
        clock = new ClockThread(pool, timers, watch, looks, pool.completer());
    }

    @Override
    Worker newWorker(int state, boolean auxiliary) {
        return new Worker(pool, this, config.quantumNanos(), state, auxiliary);
    }

    // ---------------------------------------------------------------- wake-ups

    /**
     * Ensures that a worker sees an entry that was published before this call. Wakes or starts at most one worker.
     * Returns false if the pool then has no thread.
     */
    @Override
    boolean signal() {
        if (searching > 0) {
            return true;
        }
        int bound = limit();
        int now = awake;
        boolean full = now - blocked.get() >= bound || now >= max;
        return (full && isSeenTo()) || slowSignal(true);
    }

    private void signalIfReady() {
        if (pool.hasReady()) {
            signal();
        }
    }

    private boolean slowSignal(boolean mayStart) {
        long now = pool.nanoTime();
        Worker woken = null;
        Worker started = null;
        int grownTo = 0;
        boolean armed = false;
        lock.lock();
        try {
            if (searching > 0) {
                return true;
            }
            int room = limit() - (awake - blocked.get());
            if (room > 0) {
                // WorkerSet-4
                woken = idle.poll(room > coming); // the last to become idle; if enough are coming, a platform thread
            }
            if (woken == null && mayStart && room > coming) {
                started = reserve(Worker.AWAKE, now);
            }
            Worker one = woken == null ? started : woken;
            if (started != null && blocked.get() > 0 && threads > core.size()) {
                grownTo = threads;
            }
            if (one != null) {
                enlist(one);
                wakeUps++;
            }
            if (one == null || (limit.limit() > limit.base() && awake + coming - blocked.get() >= limit.base())) {
                armed = arm(now); // WorkerSet-5: no worker may wake, or the limit is raised and its base reached
            }
        } finally {
            unlock();
        }
        if (woken != null) {
            woken.unpark();
        }
        JfrEvents.grewForBlocked(pool, grownTo, limit.limit());
        if (armed || (watch.isArmed() && !clock.isThere())) {
            boolean unused = clock.ensure(armed); // starts a missing clock thread; if armed, unparks a running one
        }
        if (woken != null) {
            return true;
        }
        return started == null ? threads > 0 : starter.start(started);
    }

    /** Signals for the ready entries, but starts no thread. Returns false if the pool has no thread. */
    boolean signalOthers() {
        return threads > 0 && (!pool.hasReady() || slowSignal(false)); // WorkerSet-3
    }

    /** Counts the calling worker in `awake`. Returns false if the worker was not counted in `coming`. */
    boolean came(Worker worker) {
        lock.lock();
        try {
            return come(worker, false);
        } finally {
            unlock();
        }
    }

    /** Makes {@code worker} search. Returns false if another worker is searching. */
    boolean beginSearch(Worker worker) {
        lock.lock();
        try {
            if (searching > 0) {
                return false;
            }
            searching++;
            worker.searching = true;
            return true;
        } finally {
            unlock();
        }
    }

    /** Ends the search of {@code worker}, if any; signals if more work is ready (WorkerSet-3, ReadyQueue-6). */
    void found(Worker worker) {
        lock.lock();
        try {
            searching -= worker.searching ? 1 : 0;
            worker.searching = false;
        } finally {
            unlock();
        }
        signalIfReady(); // WorkerSet-3
    }

    // ---------------------------------------------------------------- idle workers

    /** Takes a worker without work out of service until it is woken. */
    void becomeIdle(Worker worker, boolean leavesOwnerAffine) {
        lock.lock();
        try {
            searching -= worker.searching ? 1 : 0;
            worker.searching = false;
            if (leavesOwnerAffine && !finishing) {
                watch.leaveOwnerAffine(worker.now());
            }
            leaveService(worker);
            if (awake == 0) { // WorkerSet-11
                watch.endSolo(); // WorkerSet-11
            }
        } finally {
            unlock();
        }
        if (leavesOwnerAffine && !clock.ensure(true)) { // wakes the clock thread for its look
            watch.endUnwatched();
        }
        if (awake == 0) {
            readProcessors(worker.now());
        }
        if (watch.isOwnerAffine() ? pool.queue().hasMore() : pool.hasReady()) { // WorkerSet-2
            signal(); // WorkerSet-2, WorkerSet-3
        }
        pool.tryTerminate(); // WorkerSet-12
    }

    /** Takes a surplus worker out of service. Returns false if there is no surplus. */
    boolean retreat(Worker worker) {
        lock.lock();
        try {
            if (!hasSurplus()) {
                return false;
            }
            leaveService(worker);
        } finally {
            unlock();
        }
        signalIfReady();
        // D1
        pool.tryTerminate(); // other workers may have called this before this worker took the last entry
        return true;
    }

    /** Returns the remaining keep-alive of a worker, in nanoseconds, or Long.MAX_VALUE if the worker is kept. */
    long idleNanos(Worker worker, long lastWork) {
        return mayExpire(worker) ? lastWork + config.keepAliveNanos() - pool.nanoTime() : Long.MAX_VALUE;
    }

    /** Ends an idle worker whose keep-alive has passed. Returns false if the worker was woken, or is kept. */
    boolean expire(Worker worker) {
        lock.lock();
        try {
            if (worker.state != Worker.IDLE || !mayExpire(worker)) {
                return false;
            }
            idle.remove(worker);
            worker.expired = true;
            expiring++;
            worker.state = Worker.ENDING;
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
            first.ended();
            last = countOut(worker);
            expiring -= worker.expired ? 1 : 0;
            registry.ended(worker);
        } finally {
            unlock();
        }
        tellEnd(last);
        ensureWorkers(); // a submitter may have started no worker, because this worker was still counted
        pool.tryTerminate();
    }

    /** Ensures that a worker sees the ready entries, and that the clock thread runs if it has duties. */
    void ensureWorkers() {
        signalIfReady();
        clock.ensureIfNeeded();
    }

    // ---------------------------------------------------------------- the watch

    /** Returns whether workers replace the clock thread, which could not be started (WorkerSet-7). */
    boolean isUnwatched() {
        return clock.isMissing();
    }

    /** Ends solo mode, and wakes the idle workers to replace the clock thread (WorkerSet-7). */
    void lookYourselves() {
        lock.lock();
        try {
            watch.endUnwatched();
            idle.unparkAll();
        } finally {
            unlock();
        }
    }

    /**
     * Starts the clock thread, or performs its duties if the start fails. Returns the nanoseconds until the next call.
     */
    long lookInstead(Worker worker) {
        clock.ensureIfNeeded();
        if (!clock.isMissing()) {
            return Long.MAX_VALUE;
        }
        long now = worker.readClock();
        timers.fire(now, pool);
        lookAtWorkers(!worker.isVirtual(), now);
        return Math.min(RetryDelay.LEAST_NANOS, timers.untilNext(now));
    }

    boolean hasThreads() {
        return threads > 0;
    }

    WatchdogState watch() {
        return watch;
    }

    ClockThread clock() {
        return clock;
    }

    /**
     * Arms the watch (WorkerSet-5). Returns false if the watch is armed already, or the pool ends. If this returns
     * true, the caller must call {@link ClockThread#ensure} after the lock is released.
     */
    private boolean arm(long now) {
        if (watch.isArmed() || finishing) { // WorkerSet-5
            return false;
        }
        registry.beginLooking();
        limit.begin(now, registry.countWaiting());
        watch.arm();
        return true;
    }

    boolean isFull() {
        return awake - blocked.get() >= limit();
    }

    /** Returns true if the watch is armed, and the clock thread runs or no worker can be added (WorkerSet-5). */
    private boolean isSeenTo() {
        return watch.isArmed() && (clock.isThere() || awake + coming >= max);
    }

    /** Performs the looks that are due. Called by the clock thread. */
    void look(long now) {
        if (watch.beginSoon(now) && lookSoon() && pool.hasReady()) {
            signal(); // WorkerSet-8, WorkerSet-11
        }
        lookAtWorkers(true, now);
    }

    private boolean lookSoon() {
        boolean ends = watch.endsOwnerAffine(pool.queue(), view);
        if (watch.isSolo()) {
            boolean ready = pool.hasReady();
            long steps = registry.estimatedSteps();
            lock.lock();
            try {
                ends |= watch.endsSolo(awake == 0 || ready, steps);
            } finally {
                unlock();
            }
        }
        return ends;
    }

    /**
     * Starts or ends solo mode as the trial decides at the end of a window (WorkerSet-11), unless the pool spins or
     * another thread has the lock. Solo mode starts only while the limit equals the base and the pool does not end.
     */
    void tryWorkers(long now) {
        if (!trial.isOver(now) || pool.spins() || isTooLargeForSolo() || !lock.tryLock()) {
            return;
        }
        boolean ended = false;
        boolean begun = false;
        try {
            if (trial.isOver(now)) {
                long steps = registry.estimatedSteps();
                boolean solo = trial.next(
                        now,
                        steps,
                        watch.isSolo(),
                        awake - blocked.get(),
                        pool.queue().hasMore(SoloTrial.FEW_ENTRIES));
                ended = watch.isSolo() && !solo;
                if (ended) {
                    watch.endSolo();
                } else if (solo && !watch.isSolo() && limit.limit() == limit.base() && !finishing) {
                    watch.beginSolo(now, steps);
                    boolean unused = arm(now);
                    begun = true;
                }
            }
        } finally {
            unlock();
        }
        if (begun && !clock.ensure(true)) {
            watch.endUnwatched();
            ended = true;
        }
        if (ended) {
            signalIfReady(); // WorkerSet-4
        }
    }

    /** Returns whether an awake worker has to look at the workers, since there is no clock thread (WorkerSet-10). */
    boolean isLookDue(long now) {
        return clock.isMissing() && looks.left(now) == 0 && watch.isLookDue(now); // WorkerSet-10
    }

    /** Looks at the workers if a look is due, and sets the limit. {@code asksKernel} is false on a virtual thread. */
    void lookAtWorkers(boolean asksKernel, long now) {
        if (!beginLook(now)) {
            return;
        }
        readProcessors(now);
        WorkerRegistry.Look seen = null;
        boolean ready = false;
        try {
            ready = pool.hasReady();
            if (ready) {
                registry.hurry(); // WorkerSet-13
            }
            seen = registry.look(asksKernel); // a virtual thread blocks its carrier while it reads a file
        } finally {
            if (seen == null) { // the look has failed
                long unused = looks.failed(now);
                endLook();
            }
        }
        int before;
        int after;
        AwakeLimit.Outcome outcome;
        lock.lock();
        try {
            if (!watch.endLook()) {
                return;
            }
            before = limit.limit();
            outcome = limit.decide(new AwakeLimit.Sample(
                    now,
                    ready,
                    awake - blocked.get(),
                    coming,
                    seen.working(),
                    seen.waiting(),
                    seen.computing(),
                    seen.ended()));
            after = limit.limit();
            if (outcome == AwakeLimit.Outcome.QUIET) {
                watch.disarm();
            }
            if (after > limit.base()) {
                watch.endSolo(); // solo mode would keep other workers from waking
            }
        } finally {
            unlock();
        }
        JfrEvents.grew(pool, outcome == AwakeLimit.Outcome.STUCK, before, after, threads);
        if ((after > before || outcome == AwakeLimit.Outcome.QUIET) && pool.hasReady()) {
            signal(); // WorkerSet-5
        }
    }

    private boolean beginLook(long now) {
        if (looks.left(now) > 0) {
            return false;
        }
        lock.lock();
        try {
            return watch.beginLook(now);
        } finally {
            unlock();
        }
    }

    private void endLook() {
        lock.lock();
        try {
            watch.endLook();
        } finally {
            unlock();
        }
    }

    // ---------------------------------------------------------------- blocking

    void beginBlocking() {
        blocked.incrementAndGet();
        signalIfReady();
    }

    void endBlocking() {
        blocked.decrementAndGet(); // T2
    }

    // ---------------------------------------------------------------- end

    /** Ends all workers if none is in service and {@link WorkerPool#end} succeeds (WorkerSet-12). */
    void finish() {
        boolean last;
        lock.lock();
        try {
            if (!finishing && (awake + coming > 0 || !pool.end())) { // WorkerSet-12
                return; // the thread that ends the last work, entry or hold calls tryTerminate
            }
            finishing = true;
            for (Worker worker = idle.poll(true); worker != null; worker = idle.poll(true)) {
                worker.state = Worker.ENDING;
                worker.unpark();
            }
            last = endsPool();
        } finally {
            unlock();
        }
        tellEnd(last);
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
        return first.wasEver() && !terminated;
    }

    ThreadStarter starter() {
        return starter;
    }

    WorkerRegistry registry() {
        return registry;
    }

    Pool.Counts counts(int ready) {
        int now = threads;
        return new Pool.Counts(
                now,
                Math.max(now, peakThreads),
                core.size(),
                Math.max(0, now - awake - coming), // read without the lock, perhaps at different times
                ready,
                registry.total(),
                core.episodes(),
                wakeUps);
    }
}
