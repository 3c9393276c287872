// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a pool.
 *
 * @param name the name for threads and messages
 * @param core the number of threads that are kept; while no worker waits, as many workers run, at most one for each
 *     processor
 * @param coreIsDefault true if the core was not set and is the number of processors at creation
 * @param max the maximum number of workers
 * @param keepAliveNanos the time after which a worker in excess of the core ends if it has no work
 * @param coreBumpAfter the number of episodes with more workers than the core after which the core grows by one, or 0
 * @param quantumNanos the time for which a lane may keep a worker while other entries are ready
 * @param threads the factory of the threads of workers
 * @param auxiliaries the factory of the threads of workers in excess of the core, or null for {@code threads}
 * @param spins true if one worker keeps searching while there is no work
 * @param yields true if a searching worker yields its processor between two looks
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

    /** Returns a new thread for a worker. Throws what the factory throws, or if the thread cannot be started. */
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
     * The owner of the pool. Its methods may be called by any thread, are called without a lock held, and never throw.
     */
    public interface Host {
        /** Called when a task threw; {@code key} is null for a plain task. */
        void taskFailed(@Nullable Object key, Runnable task, Throwable failure);

        /**
         * Called by each worker that has run out of work after its first tasks, while it is still in service: may do
         * the work that was deferred at the start.
         */
        default void prepare() {}

        /** Returns the carrier of contexts, or null. */
        default @Nullable ContextCarrier contexts() {
            return null;
        }

        /**
         * Sets a time limit for a part of the library, also after a shutdown. Its action starts like that of any time
         * limit (contract A3, A4), and at once in a {@code shutdownNow}.
         *
         * @param atShutdown the action that a shutdown runs instead to end the limit, or null if a shutdown does not
         *     end the limit. The action must neither block nor throw
         * @throws java.util.concurrent.RejectedExecutionException after the termination
         */
        default TimeLimit limit(long nanos, Runnable action, @Nullable Runnable atShutdown) {
            throw new UnsupportedOperationException();
        }

        /**
         * Sets a time limit whose action counts as work: a shutdown waits for it, and a {@code shutdownNow} runs it at
         * once.
         *
         * @throws java.util.concurrent.RejectedExecutionException after a shutdown
         */
        default TimeLimit workLimit(long nanos, Runnable action) {
            throw new UnsupportedOperationException();
        }

        /** Called when a thread could not be started; called again only after a later start has succeeded. */
        void threadFailed(Throwable failure);

        /** Returns whether an async task is open. Takes time in proportion to the number of lanes. */
        default boolean isAsyncOpen() {
            return false;
        }

        /** Returns whether no accepted task is left outside the pool's own queue and workers. */
        boolean isQuiescent();

        /** Called when the last worker has ended after a shutdown. */
        void terminated();
    }
}
