// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a pool.
 *
 * @param name for thread names and messages
 * @param core how many threads are kept; up to the processors, as many workers run while none waits
 * @param coreIsDefault whether the core is only the number of processors when the executor was made
 * @param max how many workers there may be
 * @param keepAliveNanos how long a worker beyond the core lives after its last work
 * @param coreBumpAfter the number of episodes of more workers than the core after which that grows by one, or 0
 * @param quantumNanos how long a lane may keep a worker while other work is ready
 * @param threads makes the workers' threads
 * @param auxiliaries makes the threads of the workers beyond the core, or null if {@code threads} does that too
 * @param spins whether one worker goes on searching while there is no work
 * @param yields whether a worker that searches lets others have its processor between two looks
 * @param clock nanoseconds, as {@link System#nanoTime}
 * @param host is told of what happens
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

    /** Creates a configuration with a core that was set. */
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

    /** Returns a new thread for a worker. Throws what the factory throws, and if it returns what cannot be started. */
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
        } catch (Throwable t) { // a class of the user's: then to start it tells
            return false;
        }
    }

    /** The owner of the pool. Its methods are called outside every lock, by any thread, and never throw. */
    public interface Host {
        /** Called when a task threw; {@code key} is null for a plain task. */
        void taskFailed(@Nullable Object key, Runnable task, Throwable failure);

        /**
         * Called by each worker that has run dry after its first tasks, while it is still in service: may do what was
         * left undone at the start.
         */
        default void prepare() {}

        /** Returns what carries contexts, or null if nothing does. */
        default @Nullable ContextCarrier contexts() {
            return null;
        }

        /**
         * Sets a time limit for a part of the library, also after a shutdown. Its action begins as that of any time
         * limit does (contract A3, A4), and at once in a {@code shutdownNow}.
         *
         * @param atShutdown runs instead, in the thread of a shutdown, which ends the limit; or null if a shutdown does
         *     not. Must neither block nor throw
         * @throws java.util.concurrent.RejectedExecutionException after the termination
         */
        default PartLimit limit(long nanos, Runnable action, @Nullable Runnable atShutdown) {
            throw new UnsupportedOperationException();
        }

        /** Called when no thread could be started; once until one starts again. */
        void threadFailed(Throwable failure);

        /** Returns whether an async task is open. Takes time in proportion to all lanes. */
        default boolean isAsyncOpen() {
            return false;
        }

        /** Returns whether nothing is left but what is in the pool's own queue and hands. */
        boolean isQuiescent();

        /** Called when the last worker has ended after a shutdown. */
        void terminated();
    }
}
