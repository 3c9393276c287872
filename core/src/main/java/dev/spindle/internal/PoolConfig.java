// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import dev.spindle.WaitEdge;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a pool.
 *
 * @param name the name for threads and messages
 * @param core the number of core threads, which do not end while the pool is open. While no worker waits, the smaller
 *     of this number and the number of processors is the limit of awake workers
 * @param coreIsDefault true if the user did not set the number of core threads
 * @param max the maximum number of workers
 * @param keepAliveNanos the time after which a worker in excess of the core ends if it has no work
 * @param coreBumpAfter the number of growth episodes after which the core grows by one thread; 0 if it never grows
 * @param quantumNanos the time for which a lane may keep a worker while other entries are ready
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
        ThreadFactory threads,
        @Nullable ThreadFactory auxiliaries,
        boolean spins,
        boolean yields,
        LongSupplier clock,
        Host host) {

    /** Creates a configuration whose core was set. */
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
                threads,
                auxiliaries,
                spins,
                yields,
                clock,
                host);
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

        /** Returns whether an async task is open. Takes time in proportion to the number of lanes. */
        default boolean isAsyncOpen() {
            return false;
        }

        /** Returns whether no accepted task is left outside the pool's own queue and workers. */
        boolean isQuiescent();

        /** Called once after a shutdown, when no worker is left. */
        void terminated();
    }
}
