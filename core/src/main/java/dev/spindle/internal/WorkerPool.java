// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.VarHandle;
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
public final class WorkerPool implements Scheduler {
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

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final PoolConfig config;
    private final Timers timers;
    private final ReadyQueue queue;
    private final Crew crew;
    private final AtomicLong recent;
    private final SearchHabit habit;
    private final BooleanSupplier ready = this::hasReady;
    private final Patience patience;
    private volatile boolean stopping;

    /** Creates a pool without threads. */
    public WorkerPool(PoolConfig config, Timers timers) {
        Rehearsal.hasTakenPlace();
        this.config = config;
        queue = new ReadyQueue(config.name());
        this.timers = timers;
        crew = new Crew(this, config, timers);
        recent = new AtomicLong(config.clock().getAsLong());
        habit = new SearchHabit(PROCESSORS, config.clock());
        patience = new Patience(PROCESSORS, config.clock());
    }

    /** Returns the name of the executor that this pool belongs to. */
    public String name() {
        return config.name();
    }

    // ---------------------------------------------------------------- entries

    @Override
    public boolean ready(Object entry) {
        if (offerOwn(entry)) {
            VarHandle.fullFence(); // partner: who becomes idle lowers `awake`, then looks at the queues (Crew, W2)
        } else {
            queue.offer(entry);
        }
        for (; ; ) {
            try {
                return crew.signal();
            } catch (OutOfMemoryError e) {
                Thread.yield(); // the entry is accepted, so this is not the submitter's failure
            }
        }
    }

    @Override
    public void readyAgain(LaneCore lane) {
        if (!offerOwn(lane)) {
            queue.offer(lane);
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

    /** Returns whether one worker goes on searching while there is no work. */
    boolean spins() {
        return config.spins() && !stopping;
    }

    @Override
    public boolean takeBack(Object entry) {
        try {
            return crew.withoutThreads(() -> remove(entry));
        } catch (OutOfMemoryError e) {
            return false; // so it stays accepted, and runs when a thread can be had
        }
    }

    /** Removes {@code entry} if no worker has taken it. */
    public boolean remove(Object entry) {
        return removeFirst(e -> e == entry) != null;
    }

    /** Removes and returns an entry that {@code wanted} accepts, or null; of those from outside, the oldest. */
    public @Nullable Object removeFirst(Predicate<Object> wanted) {
        return queue.removeFirst(wanted);
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

    /** Returns how threads outside the pool wait for the futures of its tasks. */
    public Patience patience() {
        return patience;
    }

    // ---------------------------------------------------------------- timers

    /** Adds a timer and sees that somebody watches for it; false when there is no thread and none could be started. */
    public boolean addTimer(Timers.Timer timer, long due) {
        return switch (timers.add(timer, due)) {
            // Whoever added the first may be about to start a thread for it; or it will fail, and this timer has none.
            case LATER -> crew.hasThreads() || crew.watchTimers(false);
            case FIRST -> crew.watchTimers(false);
            case EARLIER -> crew.watchTimers(true);
        };
    }

    void fireTimers(long now) {
        timers.fire(now);
        crew.timersFired();
    }

    /** Watches the clock until {@code worker} is needed otherwise, or there is nothing to watch. */
    void watch(Worker worker) {
        while (worker.state == Worker.WATCHING) {
            Thread.interrupted();
            long now = worker.readClock();
            timers.fire(now);
            Long look = crew.nextLook();
            if (look != null && look - now <= 0) {
                crew.look(now);
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

    /** Says that the calling worker is about to block: another may take its place. */
    public void beginBlocking() {
        crew.beginBlocking();
    }

    /** Says that the calling worker no longer blocks. */
    public void endBlocking() {
        crew.endBlocking();
    }

    // ---------------------------------------------------------------- shutdown

    /** Ends the workers when nothing is left to do. */
    public void stop() {
        stopping = true;
        if (hasReady()) {
            crew.signal(); // perhaps no thread could be had before
        }
        tryTerminate();
    }

    /** Ends the pool if it is to stop and nothing is left. Called whenever that may have come true. */
    public void tryTerminate() {
        if (stopping && config.host().isQuiescent() && !hasReady()) {
            crew.finish();
        }
    }

    /** Hands every runner to {@code action}. */
    public void forEachRunner(Consumer<Runner> action) {
        crew.forEachRunner(action);
    }

    /** Interrupts every worker that is awake. */
    public void interruptAll() {
        crew.interruptAll();
    }

    // ---------------------------------------------------------------- statistics

    /**
     * Counts of a pool; not one snapshot in time. Those of tasks are read first, so that a task which is still waiting when
     * the queues are looked at afterwards has not been counted as started.
     */
    public record Counts(
            int threads,
            int peakThreads,
            int core,
            int idle,
            int ready,
            Counters all,
            long growthEpisodes,
            long wakeUps) {}

    /** Returns about how many plain tasks wait; takes time in proportion to the length of the queue. */
    public long estimatedPlain() {
        return queue.estimatedCount(e -> !(e instanceof ReadyEntry) && !(e instanceof Chore));
    }

    /** Returns the counts of now. Takes no lock. */
    public Counts counts() {
        return crew.counts(queue.estimatedSize());
    }
}
