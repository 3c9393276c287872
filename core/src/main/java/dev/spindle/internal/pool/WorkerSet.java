// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Counters;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.TimerQueue;
import dev.spindle.internal.jfr.JfrEvents;
import dev.spindle.internal.queue.ReadyQueue;

/** The workers of a pool: which are awake, which one searches, and how many there may be. */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under `lock`
final class WorkerSet extends WorkerSetState {
    /*
     * Which thread wakes which. Producers look at the counts of WorkerSetState without the lock, and take it only to
     * wake, to start (ThreadStarter) or to arm the watch. No foreign code runs under the lock.
     *
     * WorkerSet-1  A worker is AWAKE, IDLE (in `idle`), or ENDING. AWAKE -> IDLE is done by itself, IDLE -> any other
     *     by the thread that takes it out of `idle`, or by itself, under the lock. Of the first kind `coming` counts
     *     those that may not run for long: their thread is in the hands of its factory, or is a virtual one that was
     *     woken and has perhaps no carrier. `awake` counts the others, and `searching` those of these that look for
     *     work. A platform thread that was woken will run soon, so it searches.
     * WorkerSet-2  No wake-up is lost. A producer publishes its entry by a read-modify-write and then reads
     *     `searching`, `awake` and `blocked` (volatile). A worker lowers these and then reads the queue. Both orders
     *     are total, so either the producer sees the worker gone, or the worker sees the entry; in becomeIdle it then
     *     signals as a producer would. A lock, or the user's clock, may take the permit of an unpark; so the worker
     *     reads what it was woken for after all that may park, and then parks.
     * WorkerSet-3  A thread that lowers `searching` to 0, for whatever reason, reads the queue afterwards and signals
     *     if there is work. A worker that has come signals for what is left when it has its first entry: it may have
     *     been woken by the last searcher.
     * WorkerSet-4  While work is ready and fewer than `limit` unblocked workers are awake, one searches, or there is no
     *     idle worker that would run at once, and one is coming or a thread is soon asked for again (those that could
     *     signal perhaps wait for that work). So a worker that is coming hides no wake-up from such a worker, only from
     *     those that would be coming too. If it is one too many when it comes, it leaves service at once.
     * WorkerSet-5  While work is ready, and `limit` workers or all there may be are awake or coming, the watch is
     *     armed: the clock thread looks again and again what the workers do, sets `limit` by AwakeLimit and
     *     StallDetector, and signals when it has risen. A thread that arms the watch ensures then that the clock thread
     *     sees it (ClockThread-1). A look that finds no ready work for long disarms before it looks at the queue a last
     *     time, and lowers `limit` to the base and what is or was lately in use. A limit from before a pause arms the
     *     watch as soon as the base are awake.
     * WorkerSet-6  threads <= max always: the count is raised under the lock before a thread is made. The clock thread
     *     and the completer are not among them.
     * WorkerSet-7  While timers exist, the clock thread watches the clock. If it could not be started, workers look at
     *     the timers: awake ones between two entries when they have read the clock, and at the end of each quantum of a
     *     turn, which may go on for ever; idle ones again and again, and they try to start it. Awake ones do so too
     *     when a timer is overdue, for the clock thread may be waiting for a processor that they have. Code of users
     *     runs in none of these: what is due becomes ready, or goes to the completer.
     * WorkerSet-8  A single entry may be left to the worker that takes what it adds (ReadyQueue-3): a worker that
     *     leaves one when it goes out of service sets the watch to `ownerAffine`. From then on such an entry wakes no
     *     thread, but the clock thread looks every 250 us, and clears `ownerAffine` before it looks at the queue. So
     *     WorkerSet-4 holds for such an entry, but that much later.
     * WorkerSet-9  No task is accepted before a thread has started (FirstThread). But the lane of a refused submit may
     *     become ready, for a barrier, before that and when the pool ends (LaneCore-7). The thread that finds that the
     *     first thread cannot start, or sets `terminated`, then ends what is ready, and so does one that finds no
     *     thread and sees one or the other. By the lock one of them sees the lane.
     * WorkerSet-10  While the watch is armed and there is no clock thread, workers look: awake ones between two entries
     *     when they have read the clock, and idle ones. One looks at a time; what it saw takes effect under the lock,
     *     if the watch is still armed. One that finds no memory is tried again after a delay, for each such attempt has
     *     the JVM collect all there is.
     * WorkerSet-11  Where that gets as much done (SoloTrial), one unblocked worker is awake where the limit says the
     *     base: solo. Those that are surplus leave when their entry is over, or the quantum of its turn. It ends when
     *     the trial says so, when the limit rises, when none is awake, and when there is no clock thread; while it
     *     lasts, that looks every 250 us whether work is ready and nothing was done. A thread that ends it signals if
     *     work is ready.
     * WorkerSet-12  A pool ends when no worker is awake or coming, and nothing is ready, held or left: under the lock,
     *     by a step that makes each later hold fail (Lifetime-1). What is accepted until then is run. A thread
     *     that makes one of these true calls tryTerminate afterwards.
     * WorkerSet-13  Each look that finds work ready has the workers read their clocks after the task that they run
     *     (WorkerContext.hurry). So a turn lasts no longer than its quantum, the time between two looks and one task,
     *     though its tasks were short, and are not timed each.
     *
     * Tests: WakeUpTest, SlowThreadsContractTest, ThreadsContractTest, ClockContractTest, WorkerSetTest,
     * PreparationTest, ThreadStarterTest, ElasticityContractTest, FairnessContractTest (WorkerSet-13),
     * QuiesceLincheckTest (WorkerSet-9); jcstress SignalAgainstPark, AddAgainstUnwatch (ClockThread-1); the model
     * WorkerSetModelTest.
     */
    private final PoolConfig config;
    private final TimerQueue timers;
    private final ClockThread clock;
    private final ReadyQueue.View view; // the clock thread's
    private final ThreadStarter starter;
    final RetryDelay looks;

    WorkerSet(WorkerPool pool, PoolConfig config, TimerQueue timers) {
        super(pool, config);
        this.config = config;
        this.timers = timers;
        clock = new ClockThread(pool, this, timers, pool.completer());
        view = new ReadyQueue.View(new Counters());
        starter = new ThreadStarter(pool, this, config);
        looks = new RetryDelay(pool);
    }

    @Override
    Worker newWorker(int state, boolean auxiliary) {
        return new Worker(pool, this, config.quantumNanos(), state, auxiliary);
    }

    // ---------------------------------------------------------------- wake-ups

    /**
     * Ensures that a worker observes an entry published before; wakes at most one. False if there is no thread at all.
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
                woken = idle.poll(room > coming); // the warmest; the coldest are left to expire
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
                armed = arm(now); // WorkerSet-5: all are awake, and the limit may be too low, or, from before, too high
            }
        } finally {
            unlock();
        }
        if (woken != null) {
            woken.unpark(); // first: what follows may find no memory
        }
        JfrEvents.grewForBlocked(pool, grownTo, limit.limit());
        if (armed || (watch.isArmed() && !clock.isThere())) {
            boolean unused = clock.ensure(armed); // it may sleep for a timer
        }
        if (woken != null) {
            return true;
        }
        return started == null ? threads > 0 : starter.start(started);
    }

    /** Called when a thread could not be had: lets others take what is ready; false if there are none. */
    boolean signalOthers() {
        return threads > 0 && (!pool.hasReady() || slowSignal(false)); // WorkerSet-3
    }

    /** Counts the calling worker as one that runs; false when it was counted so before. */
    boolean came(Worker worker) {
        lock.lock();
        try {
            return come(worker, false);
        } finally {
            unlock();
        }
    }

    /** Lets {@code worker} look for work if no other does. */
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

    /** Ends the search of a worker that has found work, has come and has its first, or holds a batch (ReadyQueue-6). */
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

    /** Takes a worker without work out of service, until it is woken. */
    void becomeIdle(Worker worker, boolean leavesOwnerAffine) {
        lock.lock();
        try {
            searching -= worker.searching ? 1 : 0;
            worker.searching = false;
            if (leavesOwnerAffine && !finishing) {
                watch.leaveOwnerAffine(worker.now());
            }
            leaveService(worker);
            if (awake == 0) {
                watch.endSolo(); // WorkerSet-11
            }
        } finally {
            unlock();
        }
        if (leavesOwnerAffine && !clock.ensure(true)) { // to look sooner
            watch.endUnwatched();
        }
        if (awake == 0) {
            readProcessors(worker.now());
        }
        if (watch.isOwnerAffine() ? pool.queue().hasMore() : pool.hasReady()) {
            signal(); // WorkerSet-2, WorkerSet-3
        }
        pool.tryTerminate(); // WorkerSet-12
    }

    /** Takes a worker out of service that is surplus; false when it no longer is. */
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
        pool.tryTerminate(); // the others may have looked before the last work was taken
        return true;
    }

    /** Returns how long a worker without work may still live, or Long.MAX_VALUE. */
    long idleNanos(Worker worker, long lastWork) {
        return mayExpire(worker) ? lastWork + config.keepAliveNanos() - pool.nanoTime() : Long.MAX_VALUE;
    }

    /** Ends an idle worker whose keep-alive has passed; false if it has been woken, or is needed. */
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
        ensureWorkers(); // while this thread was counted, there may have been none for it
        pool.tryTerminate();
    }

    /** Ensures that a worker observes what is ready, and that the clock is watched. */
    void ensureWorkers() {
        signalIfReady();
        clock.ensureIfNeeded();
    }

    // ---------------------------------------------------------------- the watch

    /**
     * Returns whether workers have to look at the timers and at the workers, since there is no clock thread
     * (WorkerSet-7).
     */
    boolean isUnwatched() {
        return clock.isMissing();
    }

    /** Wakes the idle workers, since there is no clock thread: each sees that (WorkerSet-7). */
    void lookYourselves() {
        lock.lock();
        try {
            watch.endUnwatched();
            idle.unparkAll();
        } finally {
            unlock();
        }
    }

    /** Looks instead of the clock thread, on an idle worker; returns for how long nothing is to do. */
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
     * Begins to look at the workers (WorkerSet-5); false if that was so before, or else {@link ClockThread#ensure} is
     * to follow, outside the lock.
     */
    private boolean arm(long now) {
        if (watch.isArmed() || finishing) {
            return false;
        }
        registry.beginLooking();
        limit.begin(now, registry.countWaiting()); // needs no memory: a worker is being woken
        watch.arm(now, limit.waitedLately());
        return true;
    }

    /** Returns whether as many workers are awake as may be. */
    boolean isFull() {
        return awake - blocked.get() >= limit();
    }

    /** Returns whether the limit, and turns that last, are looked after (WorkerSet-5). */
    private boolean isSeenTo() {
        return watch.isArmed() && (clock.isThere() || awake + coming >= max);
    }

    /** Does what the watch is for. For the clock thread, at any time. */
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

    /** Finds out, once in a while, how many workers pay (WorkerSet-11). For workers that are awake. */
    void tryWorkers(long now) {
        if (!trial.isOver(now) || pool.spins() || !lock.tryLock()) {
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

    /** Returns whether an awake worker has to look at the others: there is no clock thread (WorkerSet-10). */
    boolean isLookDue(long now) {
        return clock.isMissing() && looks.left(now) == 0 && watch.isLookDue(now);
    }

    /**
     * Looks at the workers if it is time, and sets how many may be awake. For the clock thread, or a worker that does
     * its duty, which {@code asksKernel} if it holds no carrier.
     */
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
            seen = registry.look(asksKernel); // a virtual thread that reads a file holds its carrier
        } finally {
            if (seen == null) { // no memory
                long unused = looks.failed(now);
                endLook();
            }
        }
        int before;
        int after;
        boolean stuck = false;
        boolean on;
        lock.lock();
        try {
            if (!watch.endLook()) {
                return;
            }
            before = limit.limit();
            boolean settled = true;
            if (!watch.isBlind(now)) {
                limit.note(now, ready ? 0 : seen.waiting(), seen.computing());
                settled = !ready || limit.sample(seen.working(), seen.waiting(), seen.ended());
            }
            after = limit.limit();
            int add = watch.look(now, ready, seen.ended(), after > before, settled, limit.waitedLately());
            on = add != StallDetector.QUIET;
            if (!on) {
                limit.rest(awake - blocked.get() - seen.computing());
            } else if (watch.forced() > 0) {
                limit.force(watch.forced(), awake + coming - blocked.get());
                stuck = true;
            } else if (add > 0 && awake + coming - blocked.get() >= after) {
                stuck = limit.add(add, seen.working(), seen.computing());
            }
            after = limit.limit();
            if (after > limit.base()) {
                watch.endSolo(); // workers wait
            }
        } finally {
            unlock();
        }
        JfrEvents.grew(pool, stuck, before, after, threads);
        if ((after > before || !on) && pool.hasReady()) {
            signal(); // WorkerSet-5
        }
    }

    /** Returns how long there is nothing to look at, in nanoseconds. */
    long untilLook(long now) {
        return Math.max(looks.left(now), watch.untilLook(now));
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

    /** Announces that the calling worker is about to block: another may take its place. */
    void beginBlocking() {
        blocked.incrementAndGet();
        signalIfReady();
    }

    /** Announces that the calling worker no longer blocks. */
    void endBlocking() {
        blocked.decrementAndGet();
    }

    // ---------------------------------------------------------------- end

    /** Ends all workers if none has work (WorkerSet-12). */
    void finish() {
        boolean last;
        lock.lock();
        try {
            if (!finishing && (awake + coming > 0 || !pool.end())) {
                return; // a worker that leaves service calls again, or the end of what is left
            }
            finishing = true;
            for (Worker worker = idle.poll(true); worker != null; worker = idle.poll(true)) {
                worker.state = Worker.ENDING;
                worker.unpark(); // under the lock: to keep them needs memory
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

    /** Returns whether a thread was ever started, and the last has not ended for ever. */
    boolean mayHaveTasks() {
        return first.wasEver() && !terminated;
    }

    ThreadStarter starter() {
        return starter;
    }

    WorkerRegistry registry() {
        return registry;
    }

    /** Returns the counts of now. */
    Pool.Counts counts(int ready) {
        int now = threads;
        return new Pool.Counts(
                now,
                Math.max(now, peakThreads),
                core.size(),
                Math.max(0, now - awake - coming), // not under the lock: they may not be of the same moment
                ready,
                registry.total(),
                core.episodes(),
                wakeUps);
    }
}
