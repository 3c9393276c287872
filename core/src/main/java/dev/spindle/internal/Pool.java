// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Executes ready entries: on workers, or in a simulation while the calling thread waits. A class and not an interface,
 * so that calls are cheap while there is one kind of pool.
 */
public abstract class Pool implements Scheduler {
    /** A thread factory that provides a pool instead of threads. */
    public interface Factory extends ThreadFactory {
        /** Returns the clock of the spindle, or null for the system's. */
        default @Nullable LongSupplier clock() {
            return null;
        }

        /** Returns the pool. */
        Pool newPool(PoolConfig config, TimerQueue timers);
    }

    /** The consequence of an added timer for the clock thread. */
    public enum Added {
        /** None: the clock thread wakes in time. */
        LATER,
        /** The timer is the only timer: a clock thread has to exist, but an existing thread need not be woken. */
        FIRST,
        /** A clock thread has to exist, and has to be woken if it sleeps. */
        EARLIER
    }

    /**
     * Counts of a pool; not an atomic snapshot. The counts of tasks are read before the queues, so that a task that is
     * counted as waiting is not also counted as started.
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

    private static volatile @Nullable Function<Object, Lifetime> finder;

    private final OrderedSet<Runnable> onHalt = new OrderedSet<>();
    private final WaitSources waits = new WaitSources();

    @SuppressWarnings("this-escape") // Lifetime only stores the reference
    private final Lifetime lifetime = new Lifetime(this);

    /** Creates a pool. */
    protected Pool() {}

    /** Sets the function that finds a lifetime; called when the class of all executors is initialized. */
    public static void findBy(Function<Object, Lifetime> found) {
        finder = found;
    }

    /**
     * Returns the lifetime of {@code executor}, a spindle, a strand or a lane; for any other executor, the lifetime of
     * its spindle.
     */
    public static Lifetime lifetimeOf(Object executor) {
        return Objects.requireNonNull(finder, "no executor was made").apply(executor);
    }

    /** Returns the pool of {@code executor}, a spindle, a strand or a logical executor. */
    public static Pool of(Object executor) {
        return Objects.requireNonNull(lifetimeOf(executor).pool());
    }

    /** Begins a {@code shutdownNow}: accepted tasks that have not started are not to run. */
    public final void halt() {
        lifetime.shut(true);
        onHalt.inOrder().forEach(Runnable::run);
        lifetime.tell();
    }

    /**
     * Registers an action that the thread of each later {@link #halt} runs, until {@link #forgetHalt}. It is for parts
     * of the library that hold tasks or messages without an entry in this pool. The action finds {@link #isHalted}
     * true.
     */
    public final void onHalt(Runnable action) {
        onHalt.add(action);
    }

    /** Ends {@link #onHalt}. */
    public final void forgetHalt(Runnable action) {
        boolean unused = onHalt.remove(action);
    }

    /** Returns true if {@link #halt} was called; parts of the library then return the tasks that they hold. */
    public final boolean isHalted() {
        return lifetime.isHalted();
    }

    /** Returns the lifetime of the spindle. */
    public final Lifetime lifetime() {
        return lifetime;
    }

    /** Prevents workers from spinning while there is no work. Called for a strand's own pool after a shutdown. */
    public void endSpinning() {}

    /**
     * Returns whether the calling thread is a worker of this pool, and so runs an accepted entry that has not ended.
     */
    public final boolean isWorking() {
        WorkerContext worker = WorkerContext.current();
        return worker != null && worker.scheduler() == this;
    }

    /** Returns the owner of this pool, for other parts of the library. */
    public abstract PoolConfig.Host host();

    /** Returns the parts of the library that can list waits. */
    public final WaitSources waits() {
        return waits;
    }

    @Override
    public abstract String name();

    /**
     * Ensures that there is a thread before a task is accepted; starts the first thread if needed. So an accepted task
     * runs even if no submit follows.
     *
     * @return false if there is no thread, and none could be started
     */
    public abstract boolean ensureThread();

    /** Removes {@code entry}; false if it was taken. */
    public boolean remove(Object entry) {
        return removeFirst(e -> e == entry) != null;
    }

    /** Removes and returns an entry that {@code wanted} accepts, or null; of entries from outside, the oldest. */
    public abstract @Nullable Object removeFirst(Predicate<Object> wanted);

    /** Removes and returns the oldest entry that a bound may drop, or null. */
    public @Nullable Object removeOldestDroppable() {
        return removeFirst(CancellableEntry.Droppable.class::isInstance);
    }

    /** Removes, in one pass, all entries that {@code wanted} accepts; entries from outside are returned in order. */
    public abstract List<Object> removeAll(Predicate<Object> wanted);

    /**
     * Ensures that a thread watches the clock for an added timer; false if there is no thread, and none could be
     * started.
     */
    public abstract boolean timerAdded(Added added);

    /**
     * Waits until {@code done} returns true, if this pool runs its entries while other threads wait (a simulation);
     * called by a thread that is about to wait for a result of this pool.
     *
     * @param done the condition that ends the wait; a {@link WaitParty} if the party is known
     * @param nanos the maximum wait in nanoseconds, or {@link Long#MAX_VALUE} for no limit
     * @param interruptible true if an interrupt ends the wait; the interrupt status stays set
     * @return the time that the caller still has to wait; negative if {@code done} became true only after the time, and
     *     any value if it became true before
     */
    public long await(BooleanSupplier done, long nanos, boolean interruptible) {
        return nanos;
    }

    /** As {@link #await}, for a result that threads outside the pool may bring too. */
    public long awaitOutside(BooleanSupplier done, long nanos, boolean interruptible) {
        return nanos;
    }

    /**
     * Called when {@code future} is about to fail with the exception of its task.
     *
     * @param seen true if a stage depends on the failed future
     */
    public void futureFails(CompletableFuture<?> future, Throwable failure, boolean seen) {}

    /** Called when a caller that has a simulation has observed the failure of {@code future}. */
    public void failureSeen(CompletableFuture<?> future) {}

    /** Spins for a moment in a thread that is about to wait for the future of a task, if that is likely to pay. */
    public void stayAwake(BooleanSupplier done, long nanos) {}

    /** Returns a random number from 0 to {@code bound} - 1; in a simulation, its seed determines the number. */
    public int draw(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }

    /** Ends the pool once no accepted task is left. */
    public abstract void stop();

    /** Ends the pool if {@link #stop} was called and no task is left. Called whenever the last task may have ended. */
    public abstract void tryTerminate();

    /** Passes every worker to {@code action}. */
    public abstract void forEachWorker(Consumer<WorkerContext> action);

    /** Interrupts every thread that runs a task. */
    public abstract void interruptAll();

    /** Returns an estimate of the number of waiting plain tasks, in time proportional to the length of the queue. */
    public abstract long estimatedPlain();

    /** Returns the current counts. Takes no lock. */
    public abstract Counts counts();

    /** Returns whether {@code entry} is a plain task. */
    protected static boolean isPlain(Object entry) {
        return ReadyEntry.of(entry) == null;
    }
}
