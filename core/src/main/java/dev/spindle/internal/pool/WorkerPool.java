// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.AdaptiveSpin;
import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.TimerQueue;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.pool.wake.WorkerStates;
import dev.spindle.internal.pool.watch.Completer;
import dev.spindle.internal.pool.watch.WatchedPool;
import dev.spindle.internal.queue.ReadyQueue;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An elastic pool of workers over one ready queue. The pool starts additional workers when work is stuck behind blocked
 * workers, and ends them later. Entries are taken oldest first, so plain tasks and lanes share one order of service.
 */
public final class WorkerPool extends WatchedPool implements BooleanSupplier {
    /*
     * The pool connects the ready queue, the timers and the worker set. WorkerSet describes the protocol of wake-ups.
     *
     * field     writers           readers  mode
     * recent    readers of the    all      volatile: a clock reading that is recent enough for statistics
     *           clock
     * stopping  shutdown          all      volatile, only to true
     */
    /** The time for which a reading of the clock is recent enough for statistics. Not measured. */
    private static final long RECENT_NANOS = 200_000;
    /** The time by which a timer must be overdue for awake workers to fire it. Not measured. */
    private static final long LATE_NANOS = 1_000_000;

    /** True if the process is prepared or a preparation is ready. Here, so that Preparation is loaded later. */
    static final AtomicBoolean PREPARED = new AtomicBoolean();

    private final PoolConfig config;
    private final LongSupplier clock;
    private final boolean spins;
    private final TimerQueue timers;
    private final ReadyQueue queue;
    private final WorkerSet workers;
    private final WorkerStates states;
    private final Watchdog watchdog;
    private final @Nullable ServiceThreads serviceThreads;
    private final Completer completer;
    private final AdaptiveSpin workerSpin;
    private final AdaptiveSpin waiterSpin;
    private volatile boolean stopping;
    private volatile long recent;
    private final AtomicReference<@Nullable InternalTask> lastCall = new AtomicReference<>();
    private volatile boolean calm; // true if workers no longer spin

    /** Creates a pool without threads. */
    public WorkerPool(PoolConfig config, TimerQueue timers) {
        this(config, timers, null);
    }

    /** Creates a pool whose threads that run no tasks are made by {@code serviceThreads}, in tests. */
    WorkerPool(PoolConfig config, TimerQueue timers, @Nullable ServiceThreads serviceThreads) {
        this.serviceThreads = serviceThreads;
        this.config = config;
        clock = config.clock();
        spins = config.spins();
        queue = new ReadyQueue(config.name(), config.clock(), config.sampleOneIn());
        this.timers = timers;
        completer = new Completer(this, config.quantumNanos());
        workers = new WorkerSet(this, config, timers);
        states = workers.states();
        watchdog = workers.watchdog();
        recent = clock.getAsLong();
        workerSpin = AdaptiveSpin.ofWorkers(clock, config.yields());
        waiterSpin = AdaptiveSpin.ofWaiters(clock);
    }

    @Override
    public PoolConfig.Host host() {
        return config.host();
    }

    @Override
    public String name() {
        return config.name();
    }

    // ---------------------------------------------------------------- entries

    @Override
    public boolean ensureThread() {
        if (states.running() > 0) {
            return true;
        }
        Headroom.require();
        return workers.starter().ensureThread();
    }

    @Override
    public void ready(Object entry) {
        Worker own = adder(entry);
        if (own == null) {
            queue.offer(entry);
        } else {
            queue.offerOwn(own.view, entry);
            if (watchdog.state().isOwnerAffine() && queue.isNext(own.view)) { // WorkerSet-8
                return; // no wake-up: the clock thread clears the flag, then reads the queues (WorkerSet-8)
            }
        }
        wake(); // WorkerSet-2
    }

    /** Returns the calling worker if it adds {@code entry} to its own run queue, or null. */
    private @Nullable Worker adder(Object entry) {
        return WorkerContext.current() instanceof Worker own
                        && own.scheduler() == this
                        && own.state().isInService() // a worker in another state would not take the entry soon
                        && !(entry instanceof CancellableEntry.Droppable)
                ? own
                : null;
    }

    @Override
    public void readyForOthers(ReadyEntry entry) {
        queue.offer(entry);
        wake();
    }

    @Override
    public void complete(ReadyEntry entry) {
        completer.add(entry); // A3
        if (!watchdog.clock().isCurrent()) {
            boolean unused = watchdog.clock().ensure(true); // the clock thread checks whether a worker must help
        }
    }

    @Override
    protected Thread serviceThread(Runnable body, String role) {
        String threadName = name() + role;
        return serviceThreads == null ? DefaultThreads.waiter(body, threadName) : serviceThreads.of(body, threadName);
    }

    /** Returns the completer, which acts on due time limits. */
    Completer completer() {
        return completer;
    }

    /** Returns whether the calling thread runs no tasks; such a thread must not call a user's thread factory. */
    boolean isOnThreadWithoutTasks() {
        return watchdog.clock().isCurrent() || completer.isCurrent();
    }

    private void wake() {
        if (!workers.signal() && !workers.mayHaveTasks()) { // LaneCore-7
            endWithoutThreads();
        }
    }

    @Override
    public void readyAgain(ReadyEntry entry, WorkerContext worker) {
        if (worker instanceof Worker own) {
            queue.offerOwn(
                    own.view, entry); // ends like offer() with a full fence, so a look that disarms sees the entry
        } else {
            queue.offer(entry);
        }
        if (!watchdog.state().isArmed() && watchdog.isFull()) {
            wake(); // arms the watch: without it, no other worker would wake if this worker blocks
        }
    }

    @Override
    public boolean hasReady() {
        return queue.hasReady();
    }

    @Override
    public boolean mayGoOn(@Nullable WorkerContext worker) {
        if (worker instanceof Worker own) {
            own.look(); // T3
            if (own.givesWay()) {
                return false;
            }
        }
        return !hasReady() && !watchdog.hasSurplus();
    }

    /** Returns whether one worker searches all the time while there is no work. */
    boolean spins() {
        return spins && !calm;
    }

    @Override
    public void endSpinning() {
        calm = true;
    }

    /**
     * Ends the ready lanes of a pool without threads (WorkerSet-9), up to a lane that has a task: a thread has then
     * started. A lane that becomes ready later is ended by its submitter.
     */
    void endWithoutThreads() {
        Object ready = nextLane();
        while (ready != null && ((ReadyEntry) ready).endWithoutThread()) {
            ready = nextLane();
        }
    }

    private @Nullable Object nextLane() {
        return !hasReady()
                ? null
                : queue.removeFirst(new Predicate<>() {
                    @Override
                    public boolean test(Object entry) {
                        ReadyEntry ready = ReadyEntry.of(entry);
                        return ready != null && ready.lane() != null;
                    }
                });
    }

    @Override
    public @Nullable Object removeFirst(Predicate<Object> wanted) {
        return queue.removeFirst(wanted);
    }

    @Override
    public @Nullable Object removeOldestDroppable() {
        return queue.removeOldestDroppable();
    }

    @Override
    public List<Object> removeAll(Predicate<Object> wanted) {
        return queue.removeAll(wanted);
    }

    /** Returns the worker set. */
    WorkerSet workers() {
        return workers;
    }

    /** Returns the queue from which the workers take entries. */
    ReadyQueue queue() {
        return queue;
    }

    @Override
    public long nanoTime() {
        long now = clock.getAsLong();
        if (now - recent > RECENT_NANOS) {
            recent = now;
        }
        return now;
    }

    @Override
    public long recentNanos() {
        return recent;
    }

    @Override
    public void failed(@Nullable Object party, Runnable task, Throwable failure) {
        config.host().taskFailed(party, task, failure);
    }

    /** Returns true if the process is prepared or a preparation is ready. */
    public static boolean isPrepared() {
        return PREPARED.get();
    }

    /** Returns true if no pool has prepared the process, and no shutdown of this pool has begun. */
    boolean mayPrepare() {
        return !PREPARED.get() && !lifetime().isShutItself();
    }

    /** Makes a {@link Preparation} ready, unless the process is prepared. */
    void beginPreparation() {
        if (PREPARED.compareAndSet(false, true)) {
            Preparation.makeReady(this, PREPARED);
        }
    }

    @Override
    protected void troubled(Throwable failure) {
        config.host().troubled(failure);
    }

    /** Returns true if a worker without work should search. */
    boolean searchPays() {
        return (spins && !calm) || workerSpin.isWorthwhile();
    }

    /** Searches for a short time. Returns whether an entry is ready. */
    boolean search() {
        return workerSpin.spin(this);
    }

    /** Does what {@link #hasReady} does, for a search. */
    @Override
    public boolean getAsBoolean() {
        return hasReady();
    }

    @Override
    public void stayAwake(BooleanSupplier done, long nanos) {
        waiterSpin.await(done, nanos);
    }

    // ---------------------------------------------------------------- timers

    @Override
    public boolean timerAdded(Added added) {
        // This call is made for LATER as well, since the thread that added the first timer may have failed before this
        // call.
        boolean unused = watchdog.clock().ensure(added == Added.EARLIER);
        return workers.hasThreads() || workers.starter().ensureThread();
    }

    /** Returns whether the clock thread is so late that awake workers have to fire timers. */
    boolean isLate(long now) {
        return timers.isOverdue(now, LATE_NANOS); // WorkerSet-7
    }

    void fireTimers(long now) {
        timers.fire(now, this);
        if (watchdog.isUnwatched()) {
            watchdog.clock().ensureIfNeeded(); // a new start of the clock thread may succeed
        }
    }

    @Override
    protected void look(long now) {
        watchdog.look(now);
        watchdog.lookForStuck(now);
    }

    @Override
    public void runAside(Runnable code) {
        serviceThread(code, "-stuck").start();
    }

    @Override
    protected void lookYourselves() {
        workers.lookYourselves();
    }

    @Override
    protected boolean isUnwatched() {
        return watchdog.isUnwatched();
    }

    @Override
    protected boolean isTerminated() {
        return workers.isTerminated();
    }

    @Override
    protected void countOther() {
        workers.registry().countOther();
    }

    // ---------------------------------------------------------------- blocking

    @Override
    public void beginBlocking() {
        if (WorkerContext.current() instanceof Worker own) { // the thread of the completer is not counted as a worker
            own.announced = true;
            queue.giveUp(own.view);
            workers.beginBlocking();
        }
    }

    @Override
    public void endBlocking() {
        if (WorkerContext.current() instanceof Worker) {
            workers.endBlocking();
        }
    }

    // ---------------------------------------------------------------- shutdown

    @Override
    public void stop() {
        stopping = true;
        calm = true;
        if (hasReady()) {
            workers.signal(); // an earlier start of a thread may have failed
        }
        tryTerminate();
    }

    @Override
    public void tryTerminate() {
        if (stopping && isQuiescent()) {
            workers.finish();
            InternalTask last = lastCall.getAndSet(null);
            if (last != null) {
                ready(last); // Lifetime-4
            }
        }
    }

    private boolean isQuiescent() {
        return lifetime().isFree() && config.host().isQuiescent() && !hasReady();
    }

    /**
     * Ends the pool's lifetime, so that no entry is accepted any more. Returns false, and ends nothing, if an entry, a
     * task or a hold is left, if a hold began during the call, or if the actions of {@code Lifetime.atEnd} have not run
     * (Lifetime-4). Called under the worker set's lock, while no worker is in service.
     */
    boolean end() {
        long look = lifetime().look(); // before the other conditions, so that end() notices a later hold (Lifetime-1)
        if (!isQuiescent()) {
            return false;
        }
        InternalTask last = lifetime().callLast();
        if (last != null) {
            lastCall.set(last); // tryTerminate submits this task, outside the lock
            return false;
        }
        return lifetime().end(look);
    }

    @Override
    public void forEachWorker(Consumer<WorkerContext> action) {
        workers.registry().forEach(action);
    }

    @Override
    public void interruptAll() {
        workers.registry().interruptAwake();
    }

    // ---------------------------------------------------------------- statistics

    @Override
    public long estimatedPlain() {
        return queue.estimatedCount(Pool::isPlain);
    }

    @Override
    public int maxThreads() {
        return states.max();
    }

    @Override
    public void setMaxThreads(int threads) {
        workers.setMax(threads);
    }

    @Override
    public void setCoreThreads(int threads) {
        workers.setCore(threads);
    }

    @Override
    public Times times() {
        return new Times(config.sampleOneIn(), workers.registry().total().runTimes(), queue.waits());
    }

    @Override
    public Counts counts() {
        return workers.counts(queue.estimatedSize());
    }
}
