// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Checks each task of a lane, of a logical executor or of the pool when the task begins and ends. */
final class Place {
    private static final int UNLIMITED = 0;

    private final int limit;
    private final AtomicInteger inWork = new AtomicInteger();

    // The fields are deliberately plain. Each turn of a lane changes the fields, and only the lane orders these
    // accesses.
    private @Nullable Job inside;
    private int count;
    private volatile boolean terminated;

    /** Set before a shutdown begins. */
    volatile boolean closing;
    /** Set after a shutdown has returned, if no quiet period follows. */
    volatile boolean closed;
    /**
     * Set before a shutdown with a quiet period begins; during the period, tasks of the lane may submit to the lane.
     */
    volatile boolean graceful;
    /** Set before a {@code shutdownNow} begins, which may interrupt any task. */
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

    /** Creates a place that may run at most {@code tasks} tasks at a time. */
    static Place of(int tasks) {
        return new Place(tasks);
    }

    /** Records the beginning of a task; returns bits for {@code Log.seen}. */
    int enter(Job job, Log log, int task) {
        if (limit == UNLIMITED) {
            return 0;
        }
        if (limit > 1) {
            return inWork.incrementAndGet() > limit ? Log.OVER_LIMIT : 0;
        }
        Job other = inside;
        inside = job;
        if (!job.step().op().isPeriodic()) { // the log has one position per task
            count++;
            log.position[task] = count;
        }
        return (terminated ? Log.AFTER_END : 0) | (other == null ? 0 : overlap(job, other));
    }

    /** Records the termination of the strand, after which no task may run. */
    void terminated() {
        terminated = true;
    }

    /** Records the end of a task; returns bits for {@code Log.seen}. */
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
