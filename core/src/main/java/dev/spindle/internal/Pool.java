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
 * Executes ready entries, on workers or in a simulation. This is a class and not an interface, so that calls are cheap
 * while only one subclass is loaded.
 */
public abstract class Pool implements Scheduler {
    /** A thread factory that provides a pool instead of threads. */
    public interface Factory extends ThreadFactory {
        /** Returns the clock of the spindle, or null for the system clock. */
        default @Nullable LongSupplier clock() {
            return null;
        }

        /** Returns the pool. */
        Pool newPool(PoolConfig config, TimerQueue timers);
    }

    /** The consequence of an added timer for the clock thread. */
    public enum Added {
        /** The clock thread already wakes in time for the timer. */
        LATER,
        /** The timer is the only timer. A clock thread has to exist, but an existing thread need not be woken. */
        FIRST,
        /** A clock thread has to exist, and a sleeping clock thread has to be woken. */
        EARLIER
    }

    /** Counts of a pool. The counts are read one after the other, and are not an atomic snapshot. */
    public record Counts(
            int threads,
            int peakThreads,
            int core,
            int idle,
            int ready,
            Counters all,
            long growthEpisodes,
            long wakeUps) {}

    /** Measured times, in buckets of {@link Counters}; an array is empty if nothing was measured. */
    public static final class Times {
        private final int sampleOneIn;
        private final long[] runs;
        private final long[] waits;

        /** Creates an object with the given times. */
        public Times(int sampleOneIn, long[] runs, long[] waits) {
            this.sampleOneIn = sampleOneIn;
            this.runs = runs;
            this.waits = waits;
        }

        /** Returns the number of tasks of which one is measured; 0 if none is. */
        public int sampleOneIn() {
            return sampleOneIn;
        }

        /** Returns the run times of tasks. */
        public long[] runs() {
            return runs.clone();
        }

        /** Returns the waits, for a worker, of the entries that other threads than workers have made ready. */
        public long[] waits() {
            return waits.clone();
        }
    }

    private static volatile @Nullable Function<Object, Lifetime> finder;
    private static volatile @Nullable Consumer<Object> onCreate;

    private final OrderedSet<Runnable> onHalt = new OrderedSet<>();
    private final SpindleParts parts = new SpindleParts();

    @SuppressWarnings("this-escape") // Lifetime only stores the reference
    private final Lifetime lifetime = new Lifetime(this);

    /** Creates a pool. */
    protected Pool() {}

    /**
     * Sets the function that returns the lifetime of an executor. Called when the superclass of all executors is
     * initialized.
     */
    public static void findBy(Function<Object, Lifetime> found) {
        finder = found;
    }

    /**
     * Makes each later creation of a spindle pass the spindle to {@code action}, for a command that shows the spindles
     * that it runs; null ends this.
     */
    public static void onCreate(@Nullable Consumer<Object> action) {
        onCreate = action;
    }

    /** Called when a builder has created {@code spindle}. */
    public static void created(Object spindle) {
        Consumer<Object> action = onCreate;
        if (action != null) {
            action.accept(spindle);
        }
    }

    /**
     * Returns the lifetime of {@code executor}. For a logical executor or the lane of a key, this is the lifetime of
     * its spindle.
     */
    public static Lifetime lifetimeOf(Object executor) {
        return Objects.requireNonNull(finder, "no executor was made").apply(executor);
    }

    /** Returns the pool that runs the tasks of {@code executor}. */
    public static Pool of(Object executor) {
        return Objects.requireNonNull(lifetimeOf(executor).pool());
    }

    /** Begins a {@code shutdownNow}, and runs the actions of {@link #onHalt}. */
    public final void halt() {
        lifetime.shut(true);
        onHalt.inOrder().forEach(Runnable::run);
        lifetime.tell();
    }

    /**
     * Registers an action that each later {@link #halt} runs, until {@link #forgetHalt}. Parts of the library that hold
     * tasks or messages outside the queues of this pool register such actions. {@link #isHalted} is true when the
     * action runs.
     */
    public final void onHalt(Runnable action) {
        onHalt.add(action);
    }

    /** Removes an action that {@link #onHalt} registered. */
    public final void forgetHalt(Runnable action) {
        boolean unused = onHalt.remove(action);
    }

    /** Returns true if {@link #halt} was called. */
    public final boolean isHalted() {
        return lifetime.isHalted();
    }

    /** Returns the lifetime of the spindle. */
    public final Lifetime lifetime() {
        return lifetime;
    }

    /** Prevents workers from spinning while there is no work. Called when a strand with its own thread is shut down. */
    public void endSpinning() {}

    /** Returns whether the calling thread is a worker of this pool. */
    public final boolean isWorking() {
        WorkerContext worker = WorkerContext.current();
        return worker != null && worker.scheduler() == this;
    }

    /** Returns the owner of this pool. */
    public abstract PoolConfig.Host host();

    /** Returns the parts of the library that other modules have added. */
    public final SpindleParts parts() {
        return parts;
    }

    /**
     * Adds the figures of the spindle, of its key spaces and logical executors, and of its {@link #parts} to
     * {@code list}. Takes time in proportion to the numbers of lanes, pending tasks and parts; visits each lane once.
     */
    public final void listFigures(SpindlePart.FigureList list) {
        host().listFigures(list);
        parts.listFigures(list);
    }

    @Override
    public abstract String name();

    /**
     * Starts the first thread if there is no thread. Called before a task is accepted, so that the task runs even if no
     * further submit follows.
     *
     * @return false if there is no thread, and none could be started
     */
    public abstract boolean ensureThread();

    /** Removes {@code entry}. Returns false if the entry is no longer in a queue. */
    public boolean remove(Object entry) {
        return removeFirst(e -> e == entry) != null;
    }

    /**
     * Removes and returns an entry that {@code wanted} accepts, or null if there is none. If {@code wanted} accepts
     * several entries that threads outside the pool have submitted, removes the oldest of these.
     */
    public abstract @Nullable Object removeFirst(Predicate<Object> wanted);

    /** Removes and returns the oldest entry that a bound may drop, or null. */
    public @Nullable Object removeOldestDroppable() {
        return removeFirst(CancellableEntry.Droppable.class::isInstance);
    }

    /**
     * Removes all entries that {@code wanted} accepts, in one pass. Returns the entries that threads outside the pool
     * have submitted in the order of the submits.
     */
    public abstract List<Object> removeAll(Predicate<Object> wanted);

    /**
     * Ensures that a thread watches the clock for an added timer. Returns false if there is no thread, and none could
     * be started.
     */
    public abstract boolean timerAdded(Added added);

    /**
     * Waits in a simulation until {@code done} returns true; any other pool returns at once. Called by a thread that is
     * about to wait for a result of this pool.
     *
     * @param done the condition that ends the wait; a {@link CancellableEntry} if the party is known
     * @param nanos the maximum wait in nanoseconds, or {@link Long#MAX_VALUE} for no limit
     * @param interruptible true if an interrupt ends the wait; the interrupt status stays set
     * @return the nanoseconds that the caller may still wait; negative if {@code done} became true only after
     *     {@code nanos} had passed. If {@code done} became true in time, the value has no meaning
     */
    public long await(BooleanSupplier done, long nanos, boolean interruptible) {
        return nanos;
    }

    /** Does what {@link #await} does, for a result that a thread outside the pool may produce. */
    public long awaitOutside(BooleanSupplier done, long nanos, boolean interruptible) {
        return nanos;
    }

    /**
     * Called when {@code future} is about to fail with the exception of its task.
     *
     * @param seen true if a stage depends on the failed future
     */
    public void futureFails(CompletableFuture<?> future, Throwable failure, boolean seen) {}

    /** Called when a thread that has created a simulation has observed the failure of {@code future}. */
    public void failureSeen(CompletableFuture<?> future) {}

    /**
     * Spins for a short time until {@code done} returns true, if a spin is likely to pay. Called by a thread that is
     * about to wait for the future of a task, for at most {@code nanos}.
     */
    public void stayAwake(BooleanSupplier done, long nanos) {}

    /**
     * Returns a random number from 0 to {@code bound} - 1. In a simulation, the seed of the simulation determines the
     * number.
     */
    public int draw(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }

    /**
     * Runs {@code code}, which may block, aside from the tasks and the time limits: on a thread of its own, or, in a
     * simulation, as one of the entries. Throws if no thread could be started.
     */
    public void runAside(Runnable code) {
        ready(new Aside(code));
    }

    private static final class Aside extends ReadyEntry {
        private final Runnable code;

        Aside(Runnable code) {
            this.code = code;
        }

        @Override
        public void turn(WorkerContext r) {
            code.run();
        }
    }

    /** Makes the pool end when no accepted task is left. */
    public abstract void stop();

    /** Ends the pool if {@link #stop} was called and no task is left. Called whenever the last task may have ended. */
    public abstract void tryTerminate();

    /** Passes every worker to {@code action}. */
    public abstract void forEachWorker(Consumer<WorkerContext> action);

    /** Interrupts every thread that runs a task. */
    public abstract void interruptAll();

    /** Returns an estimate of the number of waiting plain tasks, in time proportional to the length of the queue. */
    public abstract long estimatedPlain();

    /** Returns the maximum number of workers. */
    public abstract int maxThreads();

    /**
     * Changes the maximum number of workers; {@link dev.spindle.Spindle#setMaxThreads} describes the effect.
     *
     * @throws IllegalArgumentException if {@code threads} is less than the number of core threads that was set
     */
    public void setMaxThreads(int threads) {
        throw hasNoThreads();
    }

    /**
     * Changes the number of core threads; {@link dev.spindle.Spindle#setCoreThreads} describes the effect.
     *
     * @throws IllegalArgumentException if {@code threads} is more than {@link #maxThreads}
     */
    public void setCoreThreads(int threads) {
        throw hasNoThreads();
    }

    private RuntimeException hasNoThreads() {
        return new UnsupportedOperationException(name() + " has no threads of its own");
    }

    /** Returns the measured times. */
    public Times times() {
        return new Times(0, new long[0], new long[0]);
    }

    /** Returns the current counts. Takes no lock. */
    public abstract Counts counts();

    /** Returns whether {@code entry} is a plain task. */
    protected static boolean isPlain(Object entry) {
        return ReadyEntry.of(entry) == null;
    }
}
