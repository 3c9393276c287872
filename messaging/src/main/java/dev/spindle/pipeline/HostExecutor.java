// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.SpindlePart;
import dev.spindle.messaging.OwnTasks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The spindle on which a pipeline runs. This class runs callbacks of users, such as the dependents of a future, each in
 * its own plain task. So a callback that blocks delays no stage, no publisher and no other callback.
 */
final class HostExecutor {
    private final @Nullable Pool pool;
    private final @Nullable Lifetime lifetime;

    /** @param executor the spindle; null to run callbacks in the calling thread */
    HostExecutor(@Nullable ExecutorService executor) {
        pool = executor == null ? null : Pool.of(executor);
        lifetime = executor == null ? null : Pool.lifetimeOf(executor);
    }

    /** Returns the pool of the spindle; null if there is none. */
    @Nullable
    Pool pool() {
        return pool;
    }

    /** Adds {@code part} to the parts of the spindle, which refers to it weakly. */
    void register(SpindlePart part) {
        if (pool != null) {
            pool.parts().add(part);
        }
    }

    /**
     * Registers {@code part}, which is referred to weakly, for notifications of shutdowns. Notifies {@code part} at
     * once if a shutdown has begun.
     *
     * @return an action that removes the registration
     */
    Runnable listen(Lifetime.Part part) {
        Lifetime of = lifetime;
        if (of == null) {
            return () -> {};
        }
        Runnable listener = of.listenWeakly(part);
        if (of.isShut()) {
            part.shut();
        }
        return () -> of.forget(listener);
    }

    /** Keeps the executor from terminating until {@link #release}. Returns false if the executor has terminated. */
    boolean hold() {
        return lifetime == null || lifetime.hold();
    }

    /** Ends one {@link #hold}. Called without a lock. */
    void release() {
        if (lifetime != null) {
            lifetime.release();
        }
    }

    /** Returns whether a {@code shutdownNow} has begun. */
    boolean isHalted() {
        return lifetime != null && lifetime.isHalted();
    }

    /** Returns whether a shutdown of the executor or its spindle has begun. */
    boolean isShut() {
        return lifetime != null && lifetime.isShut();
    }

    /** Returns whether the calling thread is a worker of the spindle. A worker runs accepted tasks only. */
    boolean isWorking() {
        return pool != null && pool.isWorking();
    }

    /**
     * In a simulation, runs tasks until {@code done} returns true, for at most {@code nanos}. On a spindle with
     * threads, returns at once.
     *
     * @param withdraw an action that withdraws the wait, called if no remaining task can end the wait; returns false if
     *     the wait has ended
     * @return the time left to wait, as in {@link Pool#await}
     * @throws IllegalStateException if the wait was withdrawn
     */
    long await(BooleanSupplier done, long nanos, BooleanSupplier withdraw) {
        try {
            return pool == null ? nanos : pool.await(done, nanos, true);
        } catch (IllegalStateException e) {
            if (withdraw.getAsBoolean()) {
                throw e;
            }
            return nanos;
        }
    }

    /** Returns a reading of the spindle's clock, or 0 if there is no spindle. */
    long nanoTime() {
        return pool == null ? 0 : pool.nanoTime();
    }

    /**
     * Runs {@code action} in a task, or in the calling thread if no thread can run a task or the executor has
     * terminated.
     */
    void run(OwnTasks.Action action) {
        if (pool == null || lifetime == null) { // PublisherGate-4
            action.run(false);
        } else {
            OwnTasks.run(pool, lifetime, action);
        }
    }

    /** Returns a future for a user that completes as {@code internal} does. */
    <T extends @Nullable Object> CompletableFuture<T> stageOf(CompletableFuture<T> internal) {
        CompletableFuture<T> stage = new CompletableFuture<>();
        if (internal.isDone()) {
            copy(internal, stage); // in this thread: the new future has no dependents, so no user code runs
        } else {
            CompletableFuture<T> unused = internal.whenComplete((result, failure) -> run(own -> copy(internal, stage)));
        }
        return stage;
    }

    private static <T extends @Nullable Object> void copy(CompletableFuture<T> from, CompletableFuture<T> to) {
        CompletableFuture<T> unused = from.whenComplete((result, failure) -> {
            if (failure == null) {
                to.complete(result);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }
}
