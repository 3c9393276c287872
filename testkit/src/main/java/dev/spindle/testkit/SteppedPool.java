// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import dev.spindle.internal.CallersSimulation;
import dev.spindle.internal.Counters;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.TimerQueue;
import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A pool whose entries run when the test waits, one at a time, in the order that an {@link Order} chooses. */
final class SteppedPool extends Pool {
    /*
     * Only the running thread of the simulation (Schedule-1) accesses the fields that change, except `failures`,
     * `unseen`, `made`, `stopping` and the numbers of threads.
     */
    private static final int MOST_FAILURES = 1_000;

    private final PoolConfig config;
    private int max; // guarded by this, as are the next two
    private int chosenCore; // the core that the user has set, or 0
    private int core;
    private final TimerQueue timers;
    private final ManualClock clock;
    private final Order order;
    private final Schedule schedule;
    private final List<Throwable> failures = new ArrayList<>(); // guarded by itself
    private final IdentityHashMap<Object, Throwable> unseen = new IdentityHashMap<>(); // guarded by `failures`
    private final Map<ReadyEntry, Integer> made = new WeakHashMap<>(); // guarded by itself
    private int nextMade; // guarded by `made`
    private volatile boolean stopping;
    private boolean terminated;
    private long nextStuckLook;

    SteppedPool(PoolConfig config, TimerQueue timers, ManualClock clock, Order order) {
        this.config = config;
        max = config.max();
        chosenCore = config.coreIsDefault() ? 0 : config.core();
        core = config.core();
        this.timers = timers;
        this.clock = clock;
        this.order = order;
        schedule = new Schedule(this, config.host(), timers, clock, order);
        CallersSimulation.add(this);
        nextStuckLook = clock.nanoTime() + config.host().stuckLookNanos();
    }

    // ---------------------------------------------------------------- calls of the test

    /** Runs one entry. Returns false if nothing is ready. */
    boolean step() {
        requireOwner();
        long before = schedule.steps();
        schedule.park(newWait(() -> schedule.steps() > before, Wait.FOREVER).untilIdle(othersHaveEnded()));
        return schedule.steps() > before;
    }

    /** Runs entries until nothing is ready, and returns their number. */
    long runAll() {
        requireOwner();
        long before = schedule.steps();
        schedule.park(newWait(() -> false, Wait.FOREVER).untilIdle(othersHaveEnded()));
        return schedule.steps() - before;
    }

    /** Returns a condition that is true if no turn is open; always true if the caller is a task. */
    private BooleanSupplier othersHaveEnded() {
        return isWorking() ? () -> true : schedule.turns()::isEmpty;
    }

    /** Advances the clock by {@code nanos}, and runs each entry that is ready or becomes due. */
    void advance(long nanos) {
        requireOwner();
        schedule.park(newWait(() -> false, nanos).patient());
    }

    private void requireOwner() {
        if (!schedule.isOwn()) {
            throw new IllegalStateException("spindle " + name() + " is simulated by the thread "
                    + schedule.owner().getName() + ", which created it, and not by "
                    + Thread.currentThread().getName());
        }
    }

    @Override
    public long await(BooleanSupplier done, long nanos, boolean interruptible) {
        return schedule.isOwn() ? await(newWait(done, nanos).interruptible(interruptible)) : nanos;
    }

    @Override
    public long awaitOutside(BooleanSupplier done, long nanos, boolean interruptible) {
        return schedule.isOwn()
                ? await(newWait(done, nanos).interruptible(interruptible).outside())
                : nanos;
    }

    private long await(Wait wait) {
        schedule.park(wait);
        return wait.isLate() ? -1 : wait.left(clock.nanoTime());
    }

    private Wait newWait(BooleanSupplier done, long nanos) {
        SimulatedThread task = isWorking() && Thread.currentThread() instanceof SimulatedThread t ? t : null;
        return new Wait(schedule, task, done, clock.nanoTime(), nanos);
    }

    @Override
    public int draw(int bound) {
        schedule.awaitControl();
        return order.draw(bound);
    }

    /** Removes and returns the failures, except those of inspected futures that are not assertion errors. */
    List<Throwable> takeFailures() {
        synchronized (failures) {
            List<Throwable> taken = List.copyOf(failures);
            failures.clear();
            unseen.clear();
            return taken;
        }
    }

    /** Makes the calling worker wait, as one of the ready entries, if the order allows other entries to run first. */
    @Override
    public void letOthers() {
        schedule.awaitControl();
        if (isWorking() && order.overtakes()) {
            schedule.park(newWait(() -> true, Wait.FOREVER));
        }
    }

    // ---------------------------------------------------------------- entries

    @Override
    public PoolConfig.Host host() {
        return config.host();
    }

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public void ready(Object entry) {
        schedule.add(entry, false);
    }

    @Override
    public void readyForOthers(ReadyEntry entry) {
        ready(entry);
        letOthers();
    }

    @Override
    public void readyAgain(ReadyEntry entry, WorkerContext worker) {
        ready(entry);
    }

    @Override
    public void complete(ReadyEntry entry) {
        schedule.add(entry, true);
    }

    @Override
    public boolean ensureThread() {
        return true;
    }

    /** Returns true, so that no worker spins, which would take real time. */
    @Override
    public boolean hasReady() {
        return true;
    }

    @Override
    public boolean mayGoOn(@Nullable WorkerContext worker) {
        schedule.awaitControl();
        long now = clock.nanoTime();
        timers.fire(now, this); // the task may have advanced the clock
        if (!(Thread.currentThread() instanceof SimulatedThread thread)) {
            return false;
        }
        boolean timeUp = thread.countTask() >= WorkerContext.QUANTUM || thread.turnNanos(now) >= config.quantumNanos();
        return !timeUp && !schedule.isCallOver() && !(worker != null && schedule.othersCanRun() && worker.isHurried());
    }

    @Override
    public @Nullable Object removeFirst(Predicate<Object> wanted) {
        return schedule.removeFirst(wanted);
    }

    @Override
    public List<Object> removeAll(Predicate<Object> wanted) {
        return schedule.removeAll(wanted);
    }

    @Override
    public void made(ReadyEntry entry) {
        synchronized (made) {
            made.put(entry, nextMade++);
        }
    }

    @Override
    public <E extends ReadyEntry> Collection<E> inOrder(Collection<E> entries) {
        List<E> all = new ArrayList<>(entries);
        synchronized (made) {
            all.sort(Comparator.comparing(entry -> made.getOrDefault(entry, Integer.MAX_VALUE)));
        }
        return all;
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public long recentNanos() {
        return clock.nanoTime();
    }

    @Override
    public void failed(@Nullable Object key, Runnable task, Throwable failure) {
        boolean unused = noteFailure(failure);
        config.host().taskFailed(key, task, failure);
    }

    /** Records the failure of a future. An assertion error stays recorded even if the future is inspected. */
    @Override
    public void futureFails(CompletableFuture<?> future, Throwable failure, boolean seen) {
        if (failure instanceof AssertionError) {
            boolean unused = noteFailure(failure);
        } else if (!seen && noteFailure(failure)) {
            synchronized (failures) {
                unseen.put(future, failure);
            }
        }
    }

    @Override
    public void failureSeen(CompletableFuture<?> future) {
        synchronized (failures) {
            Throwable seen = unseen.remove(future);
            failures.removeIf(failure -> failure == seen);
        }
    }

    /** Records a failure. Returns false if it was recorded before, or the maximum number of failures is recorded. */
    boolean noteFailure(Throwable failure) {
        synchronized (failures) {
            return failures.size() < MOST_FAILURES
                    && failures.stream().noneMatch(noted -> noted == failure)
                    && failures.add(failure);
        }
    }

    @Override
    public boolean timerAdded(Added added) {
        return true;
    }

    /** Looks for stuck work if such a look is due. */
    void lookForStuck(long now) {
        long period = config.host().stuckLookNanos();
        if (period != 0 && now - nextStuckLook >= 0) {
            long next = config.host().lookForStuck(now, true, schedule.turns().isEmpty());
            nextStuckLook = now + (next > 0 ? next : period);
        }
    }

    // ---------------------------------------------------------------- shutdown

    @Override
    public void stop() {
        stopping = true;
        tryTerminate();
    }

    @Override
    public void tryTerminate() {
        if (stopping && schedule.isOwn() && schedule.turns().isEmpty() && !terminated) {
            long look = lifetime().look();
            boolean quiescent = schedule.size() == 0
                    && config.host().isQuiescent()
                    && lifetime().isFree();
            InternalTask last = quiescent ? lifetime().callLast() : null;
            if (last != null) {
                ready(last);
                return;
            }
            terminated = quiescent && lifetime().end(look);
            if (terminated) {
                config.host().terminated();
            }
        }
    }

    @Override
    public void forEachWorker(Consumer<WorkerContext> action) {
        schedule.workers().forEach(action);
    }

    /** Interrupts the running task and the waiting tasks. */
    @Override
    public void interruptAll() {
        List.copyOf(schedule.turns()).forEach(Thread::interrupt);
    }

    // ---------------------------------------------------------------- numbers of threads, which have no effect here

    @Override
    public synchronized int maxThreads() {
        return max;
    }

    @Override
    public synchronized void setMaxThreads(int threads) {
        PoolConfig.requireCoreWithin(threads, chosenCore);
        max = threads;
        core = Math.min(threads, chosenCore == 0 ? config.core() : core);
    }

    @Override
    public synchronized void setCoreThreads(int threads) {
        PoolConfig.requireCoreWithin(max, threads);
        chosenCore = threads;
        core = threads;
    }

    private synchronized int core() {
        return core;
    }

    // ---------------------------------------------------------------- statistics

    @Override
    public long estimatedPlain() {
        return schedule.count(Pool::isPlain);
    }

    @Override
    public Counts counts() {
        Counters all = new Counters();
        schedule.workers().forEach(all::addAll);
        return new Counts(0, 0, core(), 0, schedule.size(), all, 0, 0);
    }
}
