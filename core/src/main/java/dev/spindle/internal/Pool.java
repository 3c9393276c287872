// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Executes ready entries: on workers, or in tests while the calling thread waits. A class, so that calls cost nothing
 * where there is one kind of pool.
 */
public abstract class Pool implements Scheduler {
    /** A thread factory that provides a pool instead of threads. */
    public interface Factory extends ThreadFactory {
        /** Returns the pool. */
        Pool newPool(PoolConfig config, TimerQueue timers);
    }

    /** The consequence of an added timer for the thread that watches the clock. */
    public enum Added {
        /** None: a thread will look in time. */
        LATER,
        /** There was no timer before: a thread has to watch the clock, but one that does so need not be woken. */
        FIRST,
        /** A thread has to watch the clock, and one that does so has to look again. */
        EARLIER
    }

    /**
     * Counts of a pool; not one snapshot in time. Those of tasks are read first, so that a task which is still waiting
     * when the queues are looked at afterwards has not been counted as started.
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

    private final OrderedSet<Runnable> onHalt = new OrderedSet<>();
    private final WaitSources waits = new WaitSources();

    @SuppressWarnings("this-escape") // it only keeps the reference
    private final Lifetime lifetime = new Lifetime(this);

    /** Creates a pool. */
    protected Pool() {}

    /** Says that what was accepted and has not begun is not to run: a {@code shutdownNow}. */
    public final void halt() {
        lifetime.shut(true);
        onHalt.inOrder().forEach(Runnable::run);
        lifetime.tell();
    }

    /**
     * Runs {@code action} in the thread of each {@link #halt} to come, until {@link #forgetHalt}: for parts of the
     * library that hold something no entry of this pool stands for. The action finds {@link #isHalted} true.
     */
    public final void onHalt(Runnable action) {
        onHalt.add(action);
    }

    /** Ends {@link #onHalt}. */
    public final void forgetHalt(Runnable action) {
        boolean unused = onHalt.remove(action);
    }

    /** Returns whether {@link #halt} was called: parts of the library then give back what they hold. */
    public final boolean isHalted() {
        return lifetime.isHalted();
    }

    /** Returns the shutdown and the termination of the spindle. */
    public final Lifetime lifetime() {
        return lifetime;
    }

    /** Has no worker spin for work that comes seldom from now on: of a strand's own pool, after a shutdown. */
    public void endSpinning() {}

    /**
     * Returns whether the calling thread is a worker of this pool: then what it runs was accepted, and has not ended.
     */
    public final boolean isWorking() {
        WorkerContext worker = WorkerContext.current();
        return worker != null && worker.scheduler() == this;
    }

    /** Returns the owner of this pool, for parts of the library that use it. */
    public abstract PoolConfig.Host host();

    /** Returns the parts of the library that know who waits for whom. */
    public final WaitSources waits() {
        return waits;
    }

    @Override
    public abstract String name();

    /**
     * Ensures that there is a thread before a task is accepted; starts the first one if there is none. From then on
     * what is accepted runs without the help of later submits.
     *
     * @return false if there is none, and none could be started
     */
    public abstract boolean ensureThread();

    /** Removes {@code entry} if nobody has taken it. */
    public boolean remove(Object entry) {
        return removeFirst(e -> e == entry) != null;
    }

    /** Removes and returns an entry that {@code wanted} accepts, or null; of those from outside, the oldest. */
    public abstract @Nullable Object removeFirst(Predicate<Object> wanted);

    /** Removes and returns the oldest entry that a bound may drop, or null. */
    public @Nullable Object removeOldestDroppable() {
        return removeFirst(DroppableEntry.class::isInstance);
    }

    /** Removes all entries that {@code wanted} accepts; of those from outside, in order. One pass over the queue. */
    public abstract List<Object> removeAll(Predicate<Object> wanted);

    /**
     * Ensures that a thread watches the clock for an added timer; false if there is no thread and none could be
     * started.
     */
    public abstract boolean timerAdded(Added added);

    /**
     * Called by a thread that is about to wait for something that this pool has to do: waits for it, if the pool runs
     * its entries while other threads wait.
     *
     * @param done a {@link WaitParty}, where that is known
     * @param nanos how long the thread would wait at most, {@link Long#MAX_VALUE} for ever
     * @param interruptible whether an interrupt ends the wait; it stays set
     * @return for how long it still has to wait; negative if {@code done} came when the time had passed, else anything
     *     if {@code done}
     */
    public long await(BooleanSupplier done, long nanos, boolean interruptible) {
        return nanos;
    }

    /** The same for something that other threads may do as well. */
    public long awaitOutside(BooleanSupplier done, long nanos, boolean interruptible) {
        return nanos;
    }

    /**
     * Called when {@code future} is about to fail with what its task has thrown.
     *
     * @param seen whether a stage depends on it
     */
    public void futureFails(CompletableFuture<?> future, Throwable failure, boolean seen) {}

    /** Called when a caller has seen that {@code future} has failed, and the caller has a simulation. */
    public void failureSeen(CompletableFuture<?> future) {}

    /** Spins for a moment in a thread that is about to wait for the future of a task, where that pays. */
    public void stayAwake(BooleanSupplier done, long nanos) {}

    /** Returns a random number from 0 to {@code bound} - 1; in a simulation, one that its seed chooses. */
    public int draw(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }

    /** Ends the pool when nothing is left to do. */
    public abstract void stop();

    /** Ends the pool if it is to stop and nothing is left. Called whenever that may have come true. */
    public abstract void tryTerminate();

    /** Hands every worker to {@code action}. */
    public abstract void forEachWorker(Consumer<WorkerContext> action);

    /** Interrupts every thread that runs a task. */
    public abstract void interruptAll();

    /** Returns about how many plain tasks wait; takes time in proportion to the length of the queue. */
    public abstract long estimatedPlain();

    /** Returns the counts of now. Takes no lock. */
    public abstract Counts counts();

    /** Returns whether {@code entry} is a plain task. */
    protected static boolean isPlain(Object entry) {
        return ReadyEntry.of(entry) == null;
    }
}
