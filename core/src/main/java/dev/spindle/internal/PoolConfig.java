// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import dev.spindle.Activity;
import dev.spindle.Unfinished;
import dev.spindle.WaitEdge;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The configuration with which a pool begins.
 *
 * @param name the name for threads and messages
 * @param core the number of core threads, which do not end while the pool is open. While no worker waits, the smaller
 *     of this number and the number of processors is the limit of awake workers
 * @param coreIsDefault true if the user did not set the number of core threads
 * @param max the maximum number of workers
 * @param keepAliveNanos the time after which a worker in excess of the core ends if it has no work
 * @param coreBumpAfter the number of growth episodes after which the core grows by one thread; 0 if it never grows
 * @param quantumNanos the time for which a lane may keep a worker while other entries are ready
 * @param sampleOneIn the number of tasks, a power of two, of which one is measured; 0 to measure none
 * @param threads the factory of worker threads
 * @param auxiliaries the factory of the threads in excess of the core, or null if {@code threads} creates these
 * @param spins true if one worker searches all the time while there is no work
 * @param yields true if a searching worker yields its processor between two checks of the queues
 * @param clock a clock in nanoseconds, such as {@link System#nanoTime}
 * @param host the owner of the pool
 */
public record PoolConfig(
        String name,
        int core,
        boolean coreIsDefault,
        int max,
        long keepAliveNanos,
        int coreBumpAfter,
        long quantumNanos,
        int sampleOneIn,
        ThreadFactory threads,
        @Nullable ThreadFactory auxiliaries,
        boolean spins,
        boolean yields,
        LongSupplier clock,
        Host host) {
    /** The minimum time between two looks for stuck work. Not measured. */
    private static final long LEAST_LOOK_NANOS = 1_000_000;
    /** The maximum time between two looks for stuck work, unless a look takes long. Not measured. */
    private static final long MOST_LOOK_NANOS = 1_000_000_000;

    /** Creates a configuration whose core was set, and that measures no times. */
    public PoolConfig(
            String name,
            int core,
            int max,
            long keepAliveNanos,
            int coreBumpAfter,
            long quantumNanos,
            ThreadFactory threads,
            @Nullable ThreadFactory auxiliaries,
            boolean spins,
            boolean yields,
            LongSupplier clock,
            Host host) {
        this(
                name,
                core,
                false,
                max,
                keepAliveNanos,
                coreBumpAfter,
                quantumNanos,
                0,
                threads,
                auxiliaries,
                spins,
                yields,
                clock,
                host);
    }

    /** Throws an exception if the number of core threads is above the maximum number of threads. */
    public static void requireCoreWithin(int max, int core) {
        if (core > max) {
            throw new IllegalArgumentException("maxThreads must be at least coreThreads, is " + max
                    + " with coreThreads " + core + "; raise maxThreads or lower coreThreads");
        }
    }

    /**
     * Returns a new thread for a worker. Throws what the factory throws, or an exception if the factory has returned
     * null or a thread that was started before.
     */
    public Thread newThread(Runnable worker, boolean auxiliary) {
        ThreadFactory factory = auxiliary && auxiliaries != null ? auxiliaries : threads;
        Thread thread = factory.newThread(worker);
        if (thread == null) {
            throw new IllegalStateException("the thread factory " + factory + " returned null");
        }
        if (wasStarted(thread)) {
            throw new IllegalThreadStateException(
                    "the thread factory " + factory + " returned a thread that was started before");
        }
        return thread;
    }

    private static boolean wasStarted(Thread thread) {
        try {
            return thread.getState() != Thread.State.NEW;
        } catch (Throwable t) { // thrown by a user's subclass; Thread.start() checks the state again
            return false;
        }
    }

    /** The limit and the log of the closes of a spindle and its parts. */
    public interface Closes {
        /** Returns the maximum time of a close without a limit of its own; {@link Long#MAX_VALUE} for no limit. */
        long closeNanos();

        /** Logs what the halt of {@code closed}, the spindle or a part, has left at the time limit. */
        void closed(String closed, Unfinished<?> left);

        /** Logs what runs, when the close of {@code closed} has waited for 10 s. */
        void closing(String closed, List<Activity> running);
    }

    /**
     * The owner of the pool. Any thread may call its methods. Except for {@link #isQuiescent}, the methods are called
     * without a lock held. Only {@link #limit} and {@link #workLimit} may throw.
     */
    public interface Host {
        /** Called when a task threw; {@link Scheduler#failed} has the same parameters. */
        void taskFailed(@Nullable Object party, Runnable task, Throwable failure);

        /**
         * Called by one worker of the process, in a turn, when it has had no work for a while. Does the initialization
         * that was deferred in order not to delay the first task.
         */
        default void prepare() {}

        /** Returns the user's task decorator, or null if there is none. */
        default @Nullable UnaryOperator<Runnable> taskDecorator() {
            return null;
        }

        /**
         * Sets a time limit for a part of the library. May be called until the spindle has terminated.
         * {@link TimeLimit} describes how the action runs.
         *
         * @param atShutdown the action that a shutdown runs instead of {@code action}; the action must neither block
         *     nor throw. If null, a {@code shutdown} does not end the limit, and a {@code shutdownNow} runs
         *     {@code action} at once
         * @throws java.util.concurrent.RejectedExecutionException after the termination
         */
        default TimeLimit limit(long nanos, Runnable action, @Nullable Runnable atShutdown) {
            throw new UnsupportedOperationException();
        }

        /**
         * Sets a time limit whose action counts as work: a {@code shutdown} waits for the action, and a
         * {@code shutdownNow} runs the action at once.
         *
         * @throws java.util.concurrent.RejectedExecutionException after a shutdown
         */
        default TimeLimit workLimit(long nanos, Runnable action) {
            throw new UnsupportedOperationException();
        }

        /**
         * Called when messages were accepted in excess of capacities, in order to end a cycle of full mailboxes.
         *
         * @param cycle the names of the actors of the cycle
         * @param messages the number of these messages
         */
        default void overdraft(String cycle, int messages) {}

        /** Called when a thread could not be started. Consecutive failed starts of workers are reported once. */
        void threadFailed(Throwable failure);

        /** Called when a thread of the pool has caught a throwable that is not of a task. */
        default void troubled(Throwable failure) {
            threadFailed(failure);
        }

        /** Returns the longest current wait of {@code party}, a party of a {@link WaitList}; null if there is none. */
        default @Nullable WaitEdge waitOf(Object party) {
            return null;
        }

        /** Returns the age at which work is stuck, in nanoseconds, or 0 if nothing looks for stuck work. */
        default long stuckNanos() {
            return 0;
        }

        /** Returns the time between two looks for stuck work in nanoseconds, or 0 if there are none. */
        default long stuckLookNanos() {
            long nanos = stuckNanos();
            return nanos == 0 ? 0 : Math.max(LEAST_LOOK_NANOS, Math.min(MOST_LOOK_NANOS, nanos / 4));
        }

        /**
         * Looks for stuck work. Called by the thread that watches the clock, so this method must not block.
         *
         * @param used true if a worker has begun to work since the last look
         * @param atRest true if no worker works
         * @return the time until the next look in nanoseconds; negative if nothing runs, waits or is open
         */
        default long lookForStuck(long now, boolean used, boolean atRest) {
            return -1;
        }

        /** Returns what runs now, the longest first: {@link dev.spindle.Spindle#running}. */
        default List<Activity> running() {
            return List.of();
        }

        /** Returns the stuck and late work that the last look found, the longest first. */
        default List<Activity> stuck() {
            return List.of();
        }

        /**
         * Returns for how long work has been ready at each look for stuck work, and no step has ended; 0 if nothing
         * looks for stuck work.
         */
        default long stalledNanos() {
            return 0;
        }

        /** Returns whether the name of a worker's thread has the key of the task that the worker runs. */
        default boolean isKeyInThreadName() {
            return false;
        }

        /** Returns the limit and the log of the closes of the spindle and its parts. */
        default Closes closes() {
            throw new UnsupportedOperationException();
        }

        /** Adds the figures of the spindle, its key spaces and its logical executors to {@code list}. */
        default void listFigures(SpindlePart.FigureList list) {}

        /** Returns whether an async task is open. Takes time in proportion to the number of lanes. */
        default boolean isAsyncOpen() {
            return false;
        }

        /**
         * Passes every lane to {@code reader}, in time proportional to the numbers of lanes and waiting tasks. Returns
         * the number of superseded tasks that no worker has counted.
         */
        default long readLanes(LaneReader reader) {
            return 0;
        }

        /** Returns whether no accepted task is left outside the pool's own queue and workers. */
        boolean isQuiescent();

        /** Called once after a shutdown, when no worker is left. */
        void terminated();
    }

    /** Receives the lanes of {@link Host#readLanes}, on the thread that reads. The values are racy. */
    @FunctionalInterface
    public interface LaneReader {
        /**
         * Receives a lane.
         *
         * @param lane the lane, the same object while the lane has work
         * @param pending the number of waiting tasks
         * @param waitMillis the wait of the oldest task, or 0
         * @param worker the worker that runs the lane, or null
         * @param asyncMillis the duration of the open async task, or -1 if none is open
         */
        void lane(
                LaneName lane,
                int pending,
                int waitMillis,
                @Nullable WorkerContext worker,
                long asyncMillis,
                boolean isPaused);
    }
}
