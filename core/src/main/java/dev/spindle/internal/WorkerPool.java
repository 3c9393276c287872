// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An elastic pool of workers over one ready queue: starts workers when work is stuck behind blocked ones and gives them
 * back. Entries are taken oldest first, so plain tasks and lanes share one order of service.
 */
public final class WorkerPool extends Pool {
    /*
     * The pool joins the ready queue, the timers and the crew of workers; the protocol of wake-ups is the crew's.
     *
     * field     writers            readers  mode
     * recent    whoever reads the  all      opaque: a clock reading that is good enough for statistics
     *           clock
     * stopping  shutdown           all      volatile, only to true
     */
    private static final long RECENT_NANOS = 200_000;
    /** About what a wake-up costs. */
    private static final long SEARCH_NANOS = 20_000;

    /** How late a timer may be before workers that are awake look themselves. */
    private static final long LATE_NANOS = 1_000_000;

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final PoolConfig config;
    private final TimerQueue timers;
    private final ReadyQueue queue;
    private final Crew crew;
    private final FirstThread first; // the crew's: each submit looks
    private final AtomicLong recent;
    private final SearchHabit habit;
    private final BooleanSupplier ready = this::hasReady;
    private final Patience patience;
    private volatile boolean stopping;

    /** Returns the pool of an executor: that which its thread factory stands for, if it does, or else one without threads yet. */
    public static Pool create(PoolConfig config, TimerQueue timers) {
        return config.threads() instanceof Pool.Maker maker
                ? maker.newPool(config, timers)
                : new WorkerPool(config, timers);
    }

    /** Creates a pool without threads. */
    public WorkerPool(PoolConfig config, TimerQueue timers) {
        this.config = config;
        queue = new ReadyQueue(config.name());
        this.timers = timers;
        crew = new Crew(this, config, timers);
        first = crew.first;
        recent = new AtomicLong(config.clock().getAsLong());
        habit = new SearchHabit(PROCESSORS, config.clock(), config.yields());
        patience = new Patience(PROCESSORS, config.clock());
    }

    @Override
    public String name() {
        return config.name();
    }

    // ---------------------------------------------------------------- entries

    @Override
    public boolean ensureThread() {
        return first.isThere() || crew.ensureThread();
    }

    @Override
    public void ready(Object entry) {
        if (offerOwn(entry)) {
            VarHandle.fullFence(); // partner: who becomes idle lowers `awake`, then looks at the queues (Crew, W2)
            if (crew.watch().isAttended() && Runner.current() instanceof Worker own && queue.isNext(own.view)) {
                return; // the fence's partner here: who ends it looks at the queues afterwards (W8)
            }
        } else {
            queue.offer(entry);
        }
        for (; ; ) {
            try {
                if (!crew.signal() && !crew.mayHaveTasks()) {
                    settle();
                }
                return;
            } catch (OutOfMemoryError e) {
                Thread.yield(); // the entry is accepted, so this is not the submitter's failure
            }
        }
    }

    @Override
    public void readyAgain(ReadyEntry entry) {
        if (!offerOwn(entry)) {
            queue.offer(entry);
        }
    }

    private boolean offerOwn(Object entry) {
        try {
            return Runner.current() instanceof Worker own
                    && own.scheduler() == this
                    && own.state == Worker.AWAKE // else it would not come to it soon
                    && !(entry instanceof Withdrawable)
                    && queue.offerOwn(own.view, entry);
        } catch (OutOfMemoryError e) {
            return false; // offer() knows what to do
        }
    }

    @Override
    public boolean hasReady() {
        return queue.hasReady();
    }

    @Override
    public boolean mayGoOn() {
        if (looksAtTimers(recentNanos())) {
            fireTimers(nanoTime()); // W7
        }
        return !hasReady();
    }

    /** Returns whether one worker goes on searching while there is no work. */
    boolean spins() {
        return config.spins() && !stopping;
    }

    /**
     * Sees to the lanes that are ready in a pool without tasks (W9). Of those that come too late their submitters see
     * to.
     */
    void settle() {
        for (Object ready = nextLane(); ready != null; ready = nextLane()) {
            ((ReadyEntry) ready).settle();
        }
    }

    private @Nullable Object nextLane() {
        return queue.removeFirst(entry -> entry instanceof ReadyEntry ready && ready.key() != null);
    }

    @Override
    public @Nullable Object removeFirst(Predicate<Object> wanted) {
        return queue.removeFirst(wanted);
    }

    @Override
    public List<Object> removeAll(Predicate<Object> wanted) {
        return queue.removeAll(wanted);
    }

    /** Returns the workers as one. */
    Crew crew() {
        return crew;
    }

    /** Returns where the workers take their entries. */
    ReadyQueue queue() {
        return queue;
    }

    @Override
    public long nanoTime() {
        long now = config.clock().getAsLong();
        if (now - recent.getOpaque() > RECENT_NANOS) {
            recent.setOpaque(now);
        }
        return now;
    }

    @Override
    public long recentNanos() {
        return recent.getOpaque();
    }

    @Override
    public void failed(@Nullable Object key, Runnable task, Throwable failure) {
        config.host().taskFailed(key, task, failure);
    }

    void troubled(Throwable failure) {
        config.host().threadFailed(failure);
    }

    /** Returns whether a worker that runs dry should look around for a moment. */
    boolean searchPays() {
        return spins() || habit.isWorthwhile();
    }

    /** Looks around for a moment; returns whether anything is ready. */
    boolean search() {
        return habit.search(ready, SEARCH_NANOS);
    }

    @Override
    public void stayAwake(BooleanSupplier done, long nanos) {
        patience.await(done, nanos);
    }

    // ---------------------------------------------------------------- timers

    @Override
    public boolean timerAdded(Added added) {
        return switch (added) {
            // Whoever added the first may be about to start a thread for it; or it will fail, and this timer has none.
            case LATER -> crew.hasThreads() || crew.watchTimers(false);
            case FIRST -> crew.watchTimers(false);
            case EARLIER -> crew.watchTimers(true);
        };
    }

    /** Returns whether awake workers have to look at the timers: nobody watches, or the watcher is late (Crew, W7). */
    boolean looksAtTimers(long now) {
        return crew.isUnwatched() || timers.isOverdue(now, LATE_NANOS);
    }

    void fireTimers(long now) {
        timers.fire(now, this);
        crew.timersFired();
    }

    /** Watches the clock until {@code worker} is needed otherwise, or there is nothing to watch. */
    void watch(Worker worker) {
        while (worker.state == Worker.WATCHING) {
            Thread.interrupted();
            long now = worker.readClock();
            timers.fire(now, this);
            Long look = crew.watch().nextLook();
            if (look != null && look - now <= 0) {
                crew.look(worker, now);
                continue;
            }
            long wait = timers.untilNext(now);
            if (timers.isEmpty() && look == null) {
                crew.stopWatching(worker);
                continue;
            }
            if (look != null) {
                wait = Math.min(wait, look - now);
            } else if (worker.auxiliary) {
                long left = worker.idleNanos();
                if (left <= 0 && crew.expire(worker)) {
                    continue;
                }
                wait = Math.min(wait, left > 0 ? left : config.keepAliveNanos()); // all others work: look again later
            }
            if (wait > 0 && worker.state == Worker.WATCHING) {
                worker.noteParking();
                LockSupport.parkNanos(this, wait);
            }
        }
    }

    // ---------------------------------------------------------------- blocking

    @Override
    public void beginBlocking() {
        crew.beginBlocking();
    }

    @Override
    public void endBlocking() {
        crew.endBlocking();
    }

    // ---------------------------------------------------------------- shutdown

    @Override
    public void stop() {
        stopping = true;
        if (hasReady()) {
            crew.signal(); // perhaps no thread could be had before
        }
        tryTerminate();
    }

    @Override
    public void tryTerminate() {
        if (stopping && config.host().isQuiescent() && !hasReady()) {
            crew.finish();
        }
    }

    @Override
    public void forEachRunner(Consumer<Runner> action) {
        crew.roster().forEach(action);
    }

    @Override
    public void interruptAll() {
        crew.roster().interruptAwake();
    }

    // ---------------------------------------------------------------- statistics

    @Override
    public long estimatedPlain() {
        return queue.estimatedCount(Pool::isPlain);
    }

    @Override
    public Counts counts() {
        return crew.counts(queue.estimatedSize());
    }
}
