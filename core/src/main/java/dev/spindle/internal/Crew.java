// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The workers of a pool: who is awake, who searches, who watches the clock, and how many there may be. */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under `lock`
final class Crew {
    /*
     * The workers' states and counts change under `lock`; producers look at the counts without it, and take the lock only
     * to wake, to start or to arm the watch. No foreign code runs under the lock.
     *
     * field      writers (under lock)            readers           mode
     * searching  whoever begins or ends a search all               volatile
     * awake      whoever wakes, becomes idle     all               volatile
     * blocked    who begins or ends to block     all               atomic, without `lock`
     * limit      growth, expiry                  all               volatile
     * unwatched  whoever finds no watcher        all               volatile
     * watch      as it says                      all               Watch
     * the rest   under lock                      under lock        plain, or volatile where read outside
     *
     * W1  A worker is AWAKE, IDLE (in `idle`), WATCHING (is `watcher`), or ENDING. AWAKE -> IDLE or WATCHING is done by
     *     itself, IDLE and WATCHING -> any other by whoever takes it out of `idle` or `watcher`, or by itself, under the
     *     lock; `awake` counts the first kind, starting ones included, and `searching` those of them that look for work.
     * W2  No wake-up is lost. A producer publishes its entry by a read-modify-write and then reads `searching`, `awake`
     *     and `blocked` (volatile). A worker lowers these and then reads the queue. Both orders are total, so either the
     *     producer sees the worker gone, or the worker sees the entry; in becomeIdle it then signals as a producer would.
     * W3  Whoever lowers `searching` to 0, for whatever reason, reads the queue afterwards and signals if there is work.
     * W4  While work is ready and fewer than `limit` unblocked workers are awake, somebody searches, or no idle worker
     *     exists and no thread can be had.
     * W5  While work is ready, `limit` workers are awake and `limit` < `max`, the watch is armed: a watching worker
     *     looks again and again whether anything was finished, and raises `limit` if not. It disarms before it looks at
     *     the queue a last time.
     * W6  threads <= max always: the count is raised under the lock before a thread is made.
     * W7  While timers exist, a worker watches the clock, or `unwatched` is set and awake workers look at the timers: between
     *     two entries when they have read the clock, and at the end of each quantum of a turn, which may go on for ever. Code
     *     of users runs in neither: what is due becomes ready.
     * W8  A single entry may be left to the worker that takes what it adds (ReadyQueue, P3): who leaves one when it goes out
     *     of service sets the watch to `attended`. From then on such an entry wakes nobody, but a watching worker looks every
     *     250 us, and clears `attended` before it looks at the queue. So W4 holds for such an entry, but that much later.
     * W9  A lane of a refused submit may become ready, for a marker, when the pool ends (LaneCore, L7). Who sets `terminated`
     *     then settles what is ready, and so does who finds no thread and sees it set. By the lock one of them sees the lane.
     *
     * Tests: WakeUpTest, ThreadsContractTest, CrewTest, QuiesceLincheckTest (W9); jcstress SignalAgainstPark,
     * AddAgainstUnwatch (W7); the model CrewModelTest.
     */
    private final WorkerPool pool;
    private final PoolConfig config;
    private final Timers timers;
    private final int max;
    private final CrewLock lock = new CrewLock();
    private final IdleWorkers idle;
    private final Roster roster = new Roster();
    private final Watch watch = new Watch();
    private final StartFailures failures = new StartFailures();

    private volatile int searching;
    private volatile int awake;
    private final AtomicInteger blocked = new AtomicInteger();
    private volatile int limit;
    private volatile boolean unwatched;
    private volatile @Nullable Worker watcher;
    private volatile int threads;
    private volatile int expiring; // those of the threads that are about to end after their keep-alive
    private volatile int core;
    private volatile int peakThreads;
    private volatile long growthEpisodes;
    private volatile long wakeUps;
    private boolean finishing;
    private volatile boolean terminated;

    Crew(WorkerPool pool, PoolConfig config, Timers timers) {
        this.pool = pool;
        this.config = config;
        this.timers = timers;
        max = config.max();
        core = config.core();
        limit = config.core();
        idle = new IdleWorkers(max);
    }

    // ---------------------------------------------------------------- wake-ups

    /** Sees that somebody will take what was published just before; false when there is no thread at all. */
    boolean signal() {
        if (searching > 0) {
            return true;
        }
        int bound = limit;
        boolean taken = awake - blocked.get() >= bound && (watch.isArmed() || bound >= max);
        return taken || slowSignal(true);
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
        lock.lock();
        try {
            if (searching > 0) {
                return true;
            }
            if (awake - blocked.get() < limit) {
                woken = idle.poll(); // the warmest; the coldest are left to expire
                if (woken == null && watch.isAttended() && !watch.isArmed()) {
                    woken = takeWatcher();
                }
                if (woken == null) {
                    started = mayStart ? reserve(Worker.AWAKE, now) : null;
                }
                if (woken == null && started == null) {
                    woken = takeWatcher();
                }
                if (woken == null && started == null) {
                    return threads > 0; // all are awake, and one of them will come to it
                }
                awake++;
                searching++;
                wakeUps += started == null ? 0 : 1;
                if (started != null && blocked.get() > 0 && threads > core) {
                    beginEpisode(); // beyond the core for blocked workers
                    grownTo = threads;
                }
                if (woken != null) {
                    woken.searching = true;
                }
            } else if (!watch.isArmed() && limit < max) {
                watch.arm(now, roster.beginLooking(), pool.queue().estimatedEnd());
                if (watcher == null) {
                    woken = idle.poll();
                    started = woken == null && mayStart ? reserve(Worker.WATCHING, now) : null;
                    watcher = woken == null ? started : woken;
                } else {
                    woken = watcher;
                }
                if (woken == null && started == null) {
                    watch.setArmed(threads >= max); // at the maximum there is nothing to add; else try again
                    return threads > 0;
                }
            } else {
                return true;
            }
            if (woken != null) {
                woken.state = woken == watcher ? Worker.WATCHING : Worker.AWAKE;
                wakeUps++;
            }
        } finally {
            lock.unlock();
        }
        Events.grewForBlocked(pool, grownTo, growthEpisodes);
        if (woken != null) {
            woken.unpark();
            return true;
        }
        return started == null || start(started);
    }

    /** Counts a thread that is about to be made (W6); null when there may be no more, or none could be had just now. */
    private @Nullable Worker reserve(int state, long now) {
        if (threads >= max || terminated || (threads > 0 && failures.keepOff(now))) {
            return null;
        }
        Worker worker;
        try {
            boolean auxiliary = config.auxiliaries() != null && threads >= core;
            worker = new Worker(pool, this, config.quantumNanos(), state, auxiliary);
        } catch (OutOfMemoryError e) {
            return null; // what is ready is accepted: go on with the threads there are
        }
        threads++;
        peakThreads = Math.max(peakThreads, threads);
        return worker;
    }

    private @Nullable Worker takeWatcher() {
        Worker taken = watcher;
        if (taken != null) {
            watcher = null;
            watch.endWithout(null);
            unwatched = !timers.isEmpty();
        }
        return taken;
    }

    private boolean start(Worker worker) {
        Throwable failure = worker.start(config, roster);
        if (failure == null) {
            failures.end();
            return true;
        }
        boolean first;
        boolean last;
        lock.lock();
        try {
            roster.remove(worker);
            wakeUps -= worker.state == Worker.AWAKE ? 1 : 0;
            last = countOut(worker);
            limit = Math.max(core, limit - 1); // the watch raises it again when work is stuck
            first = failures.note(pool.nanoTime());
        } finally {
            lock.unlock();
        }
        if (first) {
            config.host().threadFailed(failure);
        }
        tellEnd(last);
        return threads > 0 && (!pool.hasReady() || slowSignal(false)); // W3
    }

    /** Does {@code action} while no thread exists or can come up; false, without doing it, if one does. */
    boolean withoutThreads(BooleanSupplier action) {
        lock.lock();
        try {
            return threads == 0 && action.getAsBoolean();
        } finally {
            lock.unlock();
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
            lock.unlock();
        }
    }

    /** Ends the search of a worker that has found work. */
    void found(Worker worker) {
        lock.lock();
        try {
            searching--;
            worker.searching = false;
        } finally {
            lock.unlock();
        }
        signalIfReady(); // W3
    }

    // ---------------------------------------------------------------- idle workers

    /** Takes a worker without work out of service, until somebody wakes it. */
    void becomeIdle(Worker worker, boolean leavesAttended) {
        pool.tryTerminate();
        Worker other;
        lock.lock();
        try {
            searching -= worker.searching ? 1 : 0;
            worker.searching = false;
            if (leavesAttended && !finishing) {
                watch.leaveAttended(worker.now());
            }
            other = watcher;
            leaveService(worker);
        } finally {
            lock.unlock();
        }
        if (leavesAttended && other != null) {
            other.unpark(); // to look sooner
        }
        if (watch.isAttended() ? pool.queue().hasMore() : pool.hasReady()) {
            signal(); // W2, W3
        }
    }

    private void leaveService(Worker worker) {
        if (finishing) {
            worker.state = Worker.ENDING;
        } else if (watcher == null && (watch.isOn() || !timers.isEmpty())) {
            watcher = worker;
            unwatched = false;
            worker.state = Worker.WATCHING;
        } else {
            idle.add(worker);
            worker.state = Worker.IDLE;
        }
        awake--;
    }

    /** Returns whether more workers are awake than may be, since blocked ones have come back. */
    boolean hasSurplus() {
        return awake - blocked.get() > limit;
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
            lock.unlock();
        }
        signalIfReady();
        pool.tryTerminate(); // the others may have looked before the last work was taken
        return true;
    }

    /** Returns how long a worker without work may still live, or Long.MAX_VALUE. */
    long idleNanos(Worker worker, long lastWork) {
        return mayExpire(worker) ? lastWork + config.keepAliveNanos() - pool.nanoTime() : Long.MAX_VALUE;
    }

    private boolean mayExpire(Worker worker) {
        return config.auxiliaries() == null ? threads - expiring > core : worker.auxiliary;
    }

    /** Ends an idle worker whose keep-alive has passed, or an auxiliary that watches and can be replaced; false if not. */
    boolean expire(Worker worker) {
        Worker next = null;
        lock.lock();
        try {
            if (worker.state == Worker.WATCHING && worker.auxiliary) {
                next = idle.pollCore();
            }
            if (next != null) {
                next.state = Worker.WATCHING;
                watcher = next;
            } else if (worker.state == Worker.IDLE && mayExpire(worker)) {
                idle.remove(worker);
            } else {
                return false;
            }
            worker.expired = true;
            expiring++;
            worker.state = Worker.ENDING;
            limit = Math.max(core, limit - 1);
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.unpark();
        }
        return true;
    }

    void ended(Worker worker) {
        boolean last;
        lock.lock();
        try {
            last = countOut(worker);
            expiring -= worker.expired ? 1 : 0;
            roster.ended(worker);
        } finally {
            lock.unlock();
        }
        tellEnd(last);
        signalIfReady();
        if (unwatched) {
            watchTimers(false); // W7: while this thread was counted, there may have been none for it
        }
    }

    /** Counts out a worker that has ended, or could not be started; true if it is the last of a pool that ends. */
    private boolean countOut(Worker worker) {
        threads--;
        if (worker == watcher) {
            takeWatcher();
        } else if (worker.state == Worker.AWAKE) { // else it was counted out of service before
            awake--;
            searching -= worker.searching ? 1 : 0;
        }
        watch.endWithout(watcher); // who found the maximum reached, and so nobody to watch, has left it armed (W5)
        return endsPool();
    }

    // ---------------------------------------------------------------- the watch

    /** Returns whether awake workers have to look at the timers (W7). */
    boolean isUnwatched() {
        return unwatched;
    }

    /** Says that an awake worker has fired what was due. */
    void timersFired() {
        if (timers.isEmpty()) {
            unwatched = false;
            if (!timers.isEmpty()) {
                watchTimers(false);
            }
        }
    }

    /** Sees that somebody watches the timers, and looks `again` if need be; false when there is no thread for it. */
    boolean watchTimers(boolean again) {
        Worker woken = watcher;
        Worker started = null;
        if (woken != null && !again) {
            return true;
        }
        if (woken == null) {
            long now = pool.nanoTime();
            lock.lock();
            try {
                woken = watcher;
                if (woken == null) {
                    woken = idle.poll();
                    started = woken == null && !finishing ? reserve(Worker.WATCHING, now) : null;
                    watcher = woken == null ? started : woken;
                    unwatched = watcher == null;
                    if (woken != null) {
                        woken.state = Worker.WATCHING;
                    }
                }
            } finally {
                lock.unlock();
            }
        }
        if (woken != null) {
            woken.unpark();
            return true;
        }
        return started == null ? threads > 0 : start(started);
    }

    boolean hasThreads() {
        return threads > 0;
    }

    Watch watch() {
        return watch;
    }

    /** Ends the watch of {@code worker} if there is nothing to watch. */
    void stopWatching(Worker worker) {
        lock.lock();
        try {
            if (worker.state != Worker.WATCHING || watch.isOn()) {
                return;
            }
            watcher = null;
            worker.state = finishing ? Worker.ENDING : Worker.IDLE;
            if (!finishing) {
                idle.add(worker);
            }
        } finally {
            lock.unlock();
        }
        if (!timers.isEmpty()) {
            watchTimers(false);
        }
        pool.tryTerminate();
    }

    /** Looks whether work is stuck, and adds workers if so. For the watcher, while the watch is armed. */
    void look(Worker worker, long now) {
        if (watch.endsAttended(now, pool.queue(), worker.view) && pool.hasReady()) {
            signal(); // W8
        }
        if (!watch.isLookDue(now)) {
            return;
        }
        Roster.Look seen = roster.look();
        int missing = core + seen.stalled() - blocked.get() - limit;
        int add = watch.look(now, pool.queue().sight(seen.completed(), seen.allWait(), missing));
        if (add > 0) {
            grow(add, now);
        } else if (add == StuckCheck.QUIET && pool.hasReady()) {
            signal(); // W5
        }
    }

    private void grow(int add, long now) {
        List<Worker> woken = new ArrayList<>();
        List<Worker> started = new ArrayList<>();
        int before;
        lock.lock();
        try {
            before = threads;
            for (int i = 0; i < add && limit < max; i++) {
                Worker fresh = null;
                Worker next = idle.poll();
                if (next == null) {
                    fresh = reserve(Worker.AWAKE, now);
                    next = fresh == null && threads >= max ? takeWatcher() : fresh; // the last one there is
                }
                if (next == null) {
                    break;
                }
                (fresh == null ? woken : started).add(next);
                if (watch.beginsEpisode()) {
                    beginEpisode();
                }
                limit = Math.min(max, limit + 1); // the episode may have raised it
                awake++;
                searching++;
                next.searching = true;
            }
            woken.forEach(w -> w.state = Worker.AWAKE);
            wakeUps += woken.size() + started.size();
        } finally {
            lock.unlock();
        }
        int added = woken.size() + started.size();
        Events.grew(pool, before, before + started.size(), added, growthEpisodes);
        woken.forEach(Worker::unpark);
        started.forEach(this::start);
    }

    private void beginEpisode() {
        growthEpisodes++;
        int after = config.coreBumpAfter();
        if (after > 0 && growthEpisodes % after == 0 && core < max) {
            core++;
            limit = Math.max(limit, core);
        }
    }

    // ---------------------------------------------------------------- blocking

    /** Says that the calling worker is about to block: another may take its place. */
    void beginBlocking() {
        blocked.incrementAndGet();
        signalIfReady();
    }

    /** Says that the calling worker no longer blocks. */
    void endBlocking() {
        blocked.decrementAndGet();
    }

    // ---------------------------------------------------------------- end

    /** Ends all workers as soon as they have no work. */
    void finish() {
        List<Worker> ending;
        boolean last;
        lock.lock();
        try {
            finishing = true;
            ending = idle.drain();
            Worker w = takeWatcher();
            if (w != null) {
                ending.add(w);
            }
            ending.forEach(e -> e.state = Worker.ENDING);
            last = endsPool();
        } finally {
            lock.unlock();
        }
        ending.forEach(Worker::unpark);
        tellEnd(last);
    }

    private boolean endsPool() {
        boolean last = finishing && threads == 0 && !terminated;
        terminated |= last;
        return last;
    }

    private void tellEnd(boolean last) {
        if (last) {
            pool.settle(); // W9
            config.host().terminated();
        }
    }

    /** Returns whether the last thread has ended, and none will come. */
    boolean isTerminated() {
        return terminated;
    }

    Roster roster() {
        return roster;
    }

    /** Returns the counts of now. */
    Pool.Counts counts(int ready) {
        int now = threads;
        return new Pool.Counts(
                now,
                Math.max(now, peakThreads),
                core,
                Math.max(0, now - awake), // not under the lock: they may not be of the same moment
                ready,
                roster.total(),
                growthEpisodes,
                wakeUps);
    }
}
