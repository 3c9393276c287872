// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolLookup;
import dev.spindle.internal.WaitSource;
import dev.spindle.messaging.OwnTasks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs code of users for which nobody waits, above all by completing their stages: each time in a plain task of its own
 * on the spindle. So a callback that blocks holds up a worker, which another one stands in for, and neither a stage,
 * nor a sender, nor another callback. Never called under a lock or inside a half-done step.
 */
final class Callbacks {
    private final @Nullable Pool pool;
    private final @Nullable Lifetime lifetime;

    /** @param executor a spindle or strand on whose threads to run; null: in the calling thread */
    Callbacks(@Nullable ExecutorService executor) {
        pool = executor == null ? null : PoolLookup.of(executor);
        lifetime = executor == null ? null : PoolLookup.lifetime(executor);
    }

    /** Returns the spindle whose context hook is asked; null: none. */
    @Nullable
    Pool pool() {
        return pool;
    }

    /** Has the spindle ask {@code source} who waits, as long as another object refers to that. */
    void register(WaitSource source) {
        if (pool != null) {
            pool.waits().add(source);
        }
    }

    /**
     * Tells {@code part} of shutdowns, as long as another object refers to it; also of one that has begun.
     *
     * @return ends that
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

    /** Keeps the executor from terminating until {@link #release}; false if it has. */
    boolean hold() {
        return lifetime == null || lifetime.hold();
    }

    /** Ends one {@link #hold}; not under a lock. */
    void release() {
        if (lifetime != null) {
            lifetime.release();
        }
    }

    /** Returns whether the executor was shut down at once. */
    boolean isHalted() {
        return lifetime != null && lifetime.isHalted();
    }

    /** Returns whether a shutdown has begun, of the executor or of its spindle. */
    boolean isShut() {
        return lifetime != null && lifetime.isShut();
    }

    /** Returns whether work that was accepted may hand in nothing more: only after a shutdown of the spindle it may. */
    boolean endsAtOnce() {
        return lifetime != null && (lifetime.isHalted() || lifetime.isShutItself());
    }

    /** Returns whether the calling thread is a worker of the executor: then what it runs was accepted. */
    boolean isWorking() {
        return pool != null && pool.isWorking();
    }

    /** Waits, interruptibly, until {@code done} as far as the spindle has its own way to, in a simulation. */
    void await(CompletableFuture<?> done) {
        long unused = await(done::isDone, Long.MAX_VALUE, () -> true);
    }

    /**
     * Waits until {@code done}, likewise, for {@code nanos} at most.
     *
     * @param withdraw ends what waits if nothing else would ever end it; false if it is over after all
     * @return for how long it still has to wait, as {@link Pool#await}
     * @throws IllegalStateException if that is so
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

    /** Returns a reading of the spindle's clock. */
    long nanoTime() {
        return pool == null ? 0 : pool.nanoTime();
    }

    /**
     * Runs {@code action} soon; in the calling thread where there is no thread or no memory for it, and when the
     * executor has terminated.
     */
    void run(OwnTasks.Action action) {
        if (pool == null || lifetime == null) {
            action.run(false);
        } else {
            OwnTasks.run(pool, lifetime, action);
        }
    }

    /** Returns a stage of a user's own that completes as {@code internal} does. */
    <T extends @Nullable Object> CompletableFuture<T> stageOf(CompletableFuture<T> internal) {
        CompletableFuture<T> stage = new CompletableFuture<>();
        if (internal.isDone()) {
            copy(internal, stage); // nobody has it yet
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
