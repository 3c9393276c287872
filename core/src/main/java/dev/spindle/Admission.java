// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.limit.FairPermits;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A submit that has found a bound reached: gets it a place of each bound, as their policies say. While it waits at one
 * bound it holds no place of the other: it joins the one queue, then gives back what it holds. A place that it drops
 * the oldest task for passes from that task to it, and so does that task's place of the other bound: so one submit
 * drops one task at most, and those that wait get no less. For one thread.
 */
final class Admission {
    private final Pool pool;
    private final Executor executor;
    private final @Nullable Object key;
    private long began; // waiting, when `waited`
    private boolean waited;
    private @Nullable Runnable dropped;
    private @Nullable Bound full; // at which it was dropped

    /** The executor, or the lane, that a task was submitted to. */
    interface Executor {
        /** Returns whether no task of {@code key}, or no plain one if that is null, is accepted any more. */
        boolean isShut(@Nullable Object key);

        /** Counts and makes a rejection; {@code why} is null for the state of the executor itself. */
        RejectedExecutionException rejected(@Nullable Object key, @Nullable String why);
    }

    /** Receives each task that was dropped to make room. */
    interface DropListener {
        void dropped(@Nullable Object key, Runnable task, String bound);
    }

    /**
     * A bound.
     *
     * @param full says that it is reached
     * @param oldest removes the oldest of the tasks that hold places, which pass to the caller; null if there is none
     * @param passing whether a place without a task to be dropped is free in a moment
     */
    record Bound(FairPermits room, OnFull onFull, String full, Supplier<@Nullable Runnable> oldest, boolean passing) {}

    Admission(Pool pool, Executor executor, @Nullable Object key) {
        this.pool = pool;
        this.executor = executor;
        this.key = key;
    }

    /**
     * Gets the submit a place of both bounds.
     *
     * @return false, without a place, if the submitter is to run its task itself
     * @throws RejectedExecutionException if it gets none
     */
    boolean admit(Bound first, @Nullable Bound second) {
        Bound at = first;
        Bound other = second;
        boolean holdsOther = false;
        try {
            for (; ; ) {
                if (!at.room.tryTake()) {
                    if (executor.isShut(key)) {
                        throw executor.rejected(key, null);
                    }
                    switch (at.onFull.kind) {
                        case REJECT -> throw rejected(at, "; make it larger, or choose another OnFull than reject()");
                        case CALLER_RUNS -> {
                            return false;
                        }
                        case BLOCK -> {
                            FairPermits.Waiter waiter = join(at);
                            if (holdsOther && other != null) {
                                holdsOther = false;
                                other.room.giveBack();
                            }
                            await(at, waiter);
                        }
                        case DROP_OLDEST -> {
                            if (drop(at)) {
                                return true;
                            }
                        }
                    }
                }
                if (other == null || holdsOther || other.room.tryTake()) {
                    holdsOther = false;
                    return true;
                }
                Bound reached = other;
                other = at;
                at = reached;
                holdsOther = true;
            }
        } finally {
            if (holdsOther && other != null) {
                other.room.giveBack();
            }
        }
    }

    private RejectedExecutionException rejected(Bound at, String why) {
        return executor.rejected(
                key, at.full + (executor.isShut(key) ? ", and the shutdown ended the wait for it" : why));
    }

    // ---------------------------------------------------------------- block

    private FairPermits.Waiter join(Bound at) {
        WorkerContext worker = WorkerContext.current();
        if (worker != null && worker.scheduler() == pool) {
            throw rejected(at, ", and a worker of this spindle must not wait for it");
        }
        long now = pool.nanoTime();
        if (!waited) {
            waited = true;
            began = now;
        }
        return at.room.join(now, () -> executor.isShut(key));
    }

    /** Waits until it is let in; the limit counts from when the submit began to wait, at whatever bound. */
    private void await(Bound at, FairPermits.Waiter waiter) {
        boolean in;
        boolean left = false;
        try {
            long nanos = pool.await(waiter::isOver, Math.max(0, at.onFull.nanos - (pool.nanoTime() - began)), true);
            left = true;
            in = at.room.await(waiter, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw rejected(at, ", and the submitter was interrupted while it waited");
        } finally {
            if (!left) {
                at.room.withdraw(waiter);
            }
        }
        if (in && executor.isShut(key)) {
            at.room.giveBack(); // the shutdown itself may have made it
            in = false;
        }
        if (!in) {
            throw rejected(at, " and nothing left it within " + at.onFull);
        }
    }

    // ---------------------------------------------------------------- drop

    /** Drops the oldest task; returns true if the places of both bounds passed from it, false if one has come free. */
    private boolean drop(Bound at) {
        for (; ; ) {
            Runnable oldest = at.oldest.get();
            if (oldest != null) {
                dropped = oldest;
                full = at;
                return true;
            }
            if (at.room.tryTake()) {
                return false;
            }
            if (executor.isShut(key)) {
                throw executor.rejected(key, null);
            }
            if (!at.passing) {
                throw rejected(at, " by others, and nothing can be dropped");
            }
            Thread.yield(); // the tasks that have the places are just being queued, or have been taken
        }
    }

    /** Tells {@code listener} of the task that was dropped, if one was; to be called when the submit is done. */
    void tellDropped(DropListener listener) {
        Runnable task = dropped;
        Bound at = full;
        if (task != null && at != null) {
            dropped = null;
            listener.dropped(key, task, at.full);
        }
    }
}
