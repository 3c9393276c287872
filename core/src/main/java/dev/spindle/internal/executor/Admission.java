// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.AdaptiveSpin;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.limit.FairPermits;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the permits for a submit that has found a bound without a free permit, according to the policy of that bound.
 * While the submit waits at one bound, it holds no permit of the other bound. A submit that drops a task takes over the
 * permits of that task, so a submit drops at most one task. Used by one thread.
 */
public final class Admission {
    private final Pool pool;
    private final Executor executor;
    private final @Nullable LaneName lane;
    private long began; // the start of the first wait, valid if `waited` is true
    private boolean waited;
    private @Nullable Runnable dropped;
    private @Nullable Bound full; // the bound at which the task was dropped

    /** The executor to which a task is submitted. */
    public interface Executor {
        /** Returns true if tasks of {@code lane}, or plain tasks if {@code lane} is null, are no longer accepted. */
        boolean isShut(@Nullable LaneName lane);

        /** Counts a rejection and returns its exception; {@code why} is null if the executor's state is the reason. */
        RejectedExecutionException rejected(@Nullable LaneName lane, @Nullable String why);
    }

    /** Receives each task dropped to make room. */
    public interface DropListener {
        void dropped(@Nullable LaneName lane, Runnable task, String bound);
    }

    /** The actions of a submit that finds no free permit. */
    public enum Kind {
        /** The submit is rejected. */
        REJECT,
        /** The submitter waits. */
        BLOCK,
        /** The oldest waiting task is dropped. */
        DROP_OLDEST,
        /** The submitter runs its task. */
        CALLER_RUNS
    }

    /**
     * The policy that a user has chosen for a bound.
     *
     * @param nanos the maximum time for which a submitter waits, used only by {@link Kind#BLOCK}
     */
    public record Policy(Kind kind, long nanos) {
        @Override
        public String toString() {
            return kind == Kind.BLOCK ? "block(" + Duration.ofNanos(nanos) + ")" : kind.toString();
        }
    }

    /**
     * A bound with its policy.
     *
     * @param full the message of the rejection when the bound is reached
     * @param oldest a function that removes and returns the oldest task that holds permits, and leaves these permits to
     *     the caller; returns null if there is no such task
     * @param passing true if the permits that no droppable task holds become free within a moment, so that a submitter
     *     may spin
     */
    public record Bound(
            FairPermits room, Policy onFull, String full, Supplier<@Nullable Runnable> oldest, boolean passing) {}

    /** Creates the admission of one submit. */
    public Admission(Pool pool, Executor executor, @Nullable LaneName lane) {
        this.pool = pool;
        this.executor = executor;
        this.lane = lane;
    }

    /**
     * Takes a permit of each bound.
     *
     * @return false, without a permit, if the submitter has to run its task itself
     * @throws RejectedExecutionException if the submit is rejected
     */
    public boolean admit(Bound first, @Nullable Bound second) {
        Bound at = first;
        Bound other = second;
        boolean holdsOther = false;
        try {
            for (; ; ) {
                if (!at.room.tryTake()) {
                    if (executor.isShut(lane)) {
                        throw executor.rejected(lane, null);
                    }
                    switch (at.onFull.kind) {
                        case REJECT -> throw rejected(at, "; make it larger, or choose another OnFull than reject()");
                        case CALLER_RUNS -> {
                            return false;
                        }
                        case BLOCK -> {
                            FairPermits.Submitter waiter = join(at);
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
            if (holdsOther && other != null) { // F4
                other.room.giveBack();
            }
        }
    }

    private RejectedExecutionException rejected(Bound at, String why) {
        return executor.rejected(
                lane, at.full + (executor.isShut(lane) ? ", and the shutdown ended the wait for a place" : why));
    }

    // ---------------------------------------------------------------- block

    private FairPermits.Submitter join(Bound at) {
        WorkerContext worker = WorkerContext.current();
        if (worker != null && worker.scheduler() == pool) {
            throw rejected(at, ", and a worker of this spindle must not wait for a place");
        }
        long now = pool.nanoTime();
        if (!waited) {
            waited = true;
            began = now;
        }
        return at.room.join(now, () -> executor.isShut(lane));
    }

    /** Waits for a permit. The time limit begins with the first wait of this submit. */
    private void await(Bound at, FairPermits.Submitter waiter) {
        boolean in;
        boolean left = false;
        try {
            long nanos = pool.await(waiter::isOver, Math.max(0, at.onFull.nanos - (pool.nanoTime() - began)), true);
            nanos = AdaptiveSpin.yieldUntil(waiter::isOver, nanos, pool::nanoTime);
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
        if (in && executor.isShut(lane)) {
            at.room.giveBack(); // a shutdown frees permits, but accepts no task
            in = false;
        }
        if (!in) {
            throw rejected(at, " and no place came free within " + at.onFull);
        }
    }

    // ---------------------------------------------------------------- drop

    /**
     * Drops the oldest task, or takes a permit that has become free. Returns true if a task was dropped; this submit
     * then holds the permits of that task.
     */
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
            if (executor.isShut(lane)) {
                throw executor.rejected(lane, null);
            }
            if (!at.passing) {
                throw rejected(at, " by others, and no task can be dropped");
            }
            Thread.yield(); // the tasks that hold the permits are being queued or have just been removed
        }
    }

    /** Reports the dropped task, if any, to {@code listener}. Called at the end of the submit. */
    public void tellDropped(DropListener listener) {
        Runnable task = dropped;
        Bound at = full;
        if (task != null && at != null) {
            dropped = null;
            listener.dropped(lane, task, at.full);
        }
    }
}
