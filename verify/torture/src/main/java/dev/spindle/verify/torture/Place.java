// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A lane, a logical executor or the pool itself, as its tasks see it. */
final class Place {
    private static final int UNLIMITED = 0;

    private final int limit;
    private final AtomicInteger inWork = new AtomicInteger();

    // Plain on purpose. Every turn of a lane changes them, and only the lane orders the accesses.
    private @Nullable Job inside;
    private int count;
    private volatile boolean terminated;

    /** True if a shutdown is about to begin or has begun. */
    volatile boolean closing;
    /** True if a shutdown has returned. */
    volatile boolean closed;
    /** True if a shutdown with a quiet period is about to begin or has begun: tasks of the lane may still submit. */
    volatile boolean graceful;
    /** True if a {@code shutdownNow} is about to begin or has begun: any task may be interrupted. */
    volatile boolean interrupting;

    private Place(int limit) {
        this.limit = limit;
    }

    static Place unlimited() {
        return new Place(UNLIMITED);
    }

    static Place serial() {
        return new Place(1);
    }

    /** Creates a place that runs at most this many tasks at once. */
    static Place of(int tasks) {
        return new Place(tasks);
    }

    /** Records that a task begins; returns the errors, as bits. */
    int enter(Job job, Log log, int task) {
        if (limit == UNLIMITED) {
            return 0;
        }
        if (limit > 1) {
            return inWork.incrementAndGet() > limit ? Log.OVER_LIMIT : 0;
        }
        Job other = inside;
        inside = job;
        if (!job.step().op().isPeriodic()) { // a task has room for one number
            count++;
            log.position[task] = count;
        }
        return (terminated ? Log.AFTER_END : 0) | (other == null ? 0 : overlap(job, other));
    }

    /** Records the termination of the strand, after which no task may run. */
    void terminated() {
        terminated = true;
    }

    /** Records that a task ends; returns the errors, as bits. */
    int leave(Job job) {
        if (limit > 1) {
            inWork.decrementAndGet();
        }
        if (limit != 1) {
            return 0;
        }
        Job last = inside;
        inside = null;
        return last == job ? 0 : overlap(job, last == null ? job : last);
    }

    private static int overlap(Job one, Job other) {
        boolean async = one.step().op() == Op.LANE_ASYNC || other.step().op() == Op.LANE_ASYNC;
        return async ? Log.OVERLAP_ASYNC : Log.OVERLAP;
    }
}
