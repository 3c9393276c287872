// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Pool;
import dev.spindle.internal.Runner;
import dev.spindle.internal.TokenCore;
import dev.spindle.internal.TokenCore.Arrival;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The bound of a logical executor: gets submits their places, as the policy says. */
final class Admission {
    private final TokenCore core;
    private final Pool pool;
    private final OnFull onFull;
    private final int capacity;
    private final Rejections rejections;
    private final Consumer<Runnable> dropped;

    /** Makes the exceptions. */
    interface Rejections {
        /** Counts and makes a rejection; {@code why} is null for the state of the executor itself. */
        RejectedExecutionException rejected(@Nullable String why, @Nullable Throwable cause);
    }

    Admission(
            TokenCore core, Pool pool, OnFull onFull, int capacity, Rejections rejections, Consumer<Runnable> dropped) {
        this.core = core;
        this.pool = pool;
        this.onFull = onFull;
        this.capacity = capacity;
        this.rejections = rejections;
        this.dropped = dropped;
    }

    /**
     * Gets the task of a submit its place; false when the submitter is to run it.
     *
     * @throws RejectedExecutionException if it gets none
     */
    boolean admit() {
        for (; ; ) {
            Arrival arrival = core.arrive();
            if (arrival == Arrival.ADMITTED) {
                return true;
            }
            if (arrival == Arrival.SHUT) {
                throw rejections.rejected(null, null);
            }
            switch (onFull.kind) {
                case REJECT -> throw rejections.rejected(full() + "; make it larger or choose another OnFull", null);
                case CALLER_RUNS -> {
                    return false;
                }
                case BLOCK -> {
                    waitForRoom();
                    return true;
                }
                case DROP_OLDEST -> dropOldest();
            }
        }
    }

    /** Says that the bound is reached. */
    String full() {
        return "the capacity, " + capacity + " waiting tasks, is used up";
    }

    private void waitForRoom() {
        Runner runner = Runner.current();
        if (runner != null && runner.scheduler() == pool) {
            throw rejections.rejected(full() + ", and a worker of its spindle must not wait for it", null);
        }
        Arrival arrival;
        try {
            arrival = core.arrive(pool.await(() -> !core.isFull(), onFull.nanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw rejections.rejected(full() + ", and the submitter was interrupted while it waited", null);
        }
        if (arrival == Arrival.FULL) {
            throw rejections.rejected(full() + " and nothing left it within " + onFull, null);
        }
        if (arrival == Arrival.SHUT) {
            throw rejections.rejected(null, null);
        }
    }

    private void dropOldest() {
        boolean[] due = new boolean[1];
        Runnable oldest = core.takeFirst(entry -> {
            boolean delayed = entry instanceof DelayedTask<?> || (entry instanceof ContextTask c && c.isDelayed());
            due[0] |= delayed; // it was accepted long ago, and has no place of its own to give
            return !delayed;
        });
        if (oldest != null) {
            dropped.accept(oldest);
        } else if (due[0]) {
            throw rejections.rejected(full() + " by delayed tasks that are due, and nothing can be dropped", null);
        } else {
            Thread.yield(); // the tasks that have the places are just being queued, or have been taken
        }
    }
}
