// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a pool is told when it is made.
 *
 * @param name for thread names and messages
 * @param core how many workers run while no work is stuck
 * @param max how many workers there may be
 * @param keepAliveNanos how long a worker beyond the core lives after its last work
 * @param coreBumpAfter the number of growth episodes after which the core grows by one, or 0
 * @param quantumNanos how long a lane may keep a worker while other work is ready
 * @param threads makes the workers' threads
 * @param clock nanoseconds, as {@link System#nanoTime}
 * @param host is told of what happens
 */
public record PoolConfig(
        String name,
        int core,
        int max,
        long keepAliveNanos,
        int coreBumpAfter,
        long quantumNanos,
        ThreadFactory threads,
        LongSupplier clock,
        Host host) {

    /** Who owns the pool. Its methods are called outside every lock, by any thread, and never throw. */
    public interface Host {
        /** A task threw; {@code key} is null for a plain task. */
        void taskFailed(@Nullable Object key, Runnable task, Throwable failure);

        /** No thread could be had; told once until one starts again. */
        void threadFailed(Throwable failure);

        /** Returns whether nothing is left but what is in the pool's own queue and hands. */
        boolean isQuiescent();

        /** The last worker has ended after a shutdown. */
        void terminated();
    }
}
