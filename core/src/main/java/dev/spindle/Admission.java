// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.limit.FairPermits;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The policy at a bound: acquires room for a submit, or rejects it. */
final class Admission {
    /** Returned by {@link #enter} when the submitter is to run its task itself. */
    static final long CALLER_RUNS = -1;

    private final Pool pool;
    private final OnFull onFull;

    /** The executor, or the lane, that a task was submitted to. */
    interface Executor {
        /** Returns whether no task of {@code key}, or no plain one if that is null, is accepted any more. */
        boolean isShut(@Nullable Object key);

        /** Counts and makes a rejection; {@code why} is null for the state of the executor itself. */
        RejectedExecutionException rejected(@Nullable Object key, @Nullable String why);
    }

    /**
     * A submit that found no room.
     *
     * @param full says which bound is reached
     * @param dropOldest drops the oldest of the tasks that take up the room; false if there is none to be dropped
     */
    record Submit(Executor executor, @Nullable Object key, String full, BooleanSupplier dropOldest) {
        boolean isShut() {
            return executor.isShut(key);
        }

        RejectedExecutionException rejected(String why) {
            return executor.rejected(key, full + (isShut() ? ", and the shutdown ended the wait for it" : why));
        }
    }

    Admission(Pool pool, OnFull onFull) {
        this.pool = pool;
        this.onFull = onFull;
    }

    /** Returns for how long a submitter may wait. */
    long limit() {
        return onFull.nanos;
    }

    /**
     * Gets {@code submit} its room.
     *
     * @param nanos how long it may wait
     * @return what is left of {@code nanos}, or {@link #CALLER_RUNS} without room
     * @throws RejectedExecutionException if it gets none
     */
    long enter(FairPermits room, Submit submit, long nanos) {
        if (submit.isShut()) {
            throw submit.executor.rejected(submit.key, null);
        }
        switch (onFull.kind) {
            case REJECT -> throw submit.rejected("; make it larger, or choose another OnFull than reject()");
            case CALLER_RUNS -> {
                return CALLER_RUNS;
            }
            case BLOCK -> {
                return await(room, submit, nanos);
            }
            case DROP_OLDEST -> dropUntilFree(room, submit);
        }
        return nanos;
    }

    private long await(FairPermits room, Submit submit, long nanos) {
        WorkerContext worker = WorkerContext.current();
        if (worker != null && worker.scheduler() == pool) {
            throw submit.rejected(", and a worker of this spindle must not wait for it");
        }
        long begin = pool.nanoTime();
        boolean in;
        try {
            in = room.await(pool.await(() -> room.isFree() || submit.isShut(), nanos), begin, submit::isShut);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw submit.rejected(", and the submitter was interrupted while it waited");
        }
        if (in && submit.isShut()) {
            room.giveBack(); // the shutdown itself may have made it
            in = false;
        }
        if (!in) {
            throw submit.rejected(" and nothing left it within " + onFull);
        }
        return Math.max(0, nanos - (pool.nanoTime() - begin));
    }

    private static void dropUntilFree(FairPermits room, Submit submit) {
        while (!room.tryTake()) {
            if (submit.isShut()) {
                throw submit.executor.rejected(submit.key, null);
            }
            if (!submit.dropOldest().getAsBoolean()) {
                if (room.tryTake()) {
                    return;
                }
                throw submit.rejected(" by others, and nothing can be dropped");
            }
        }
    }
}
