// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import dev.spindle.Activity;
import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.internal.Counters.What;
import dev.spindle.internal.Pool;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Tells whether a spindle is live, ready or stalled, for the probes of a platform and for a load balancer.
 *
 * <pre>{@code
 * SpindleHealth health = new SpindleHealth(spindle);
 * boolean serve = health.check().isReady();
 * }</pre>
 *
 * <p>A spindle is <i>stalled</i> if work has been ready for the time limit and no task has ended. The watch for stuck
 * work ({@link SpindleBuilder#stuckAfter}) looks for this once a second, or more often if its limit is below 4 s, so a
 * single check finds a stall. Without that watch only the checks look, so call {@link #check} regularly. A stalled
 * spindle is not <i>ready</i>, and neither is a spindle that has been shut down. A spindle is <i>live</i> unless it is
 * stalled with its maximum number of threads, so that only the end of a task, or a restart of the process, helps. A
 * spindle that has been shut down is live, so that a platform lets it run what it has accepted.
 *
 * <p>A check takes time in proportion to the number of ready entries, and none of a task. Thread-safe.
 */
public final class SpindleHealth {
    /** The time limit by default. Not measured. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Spindle spindle;
    private final Pool pool;
    private final long limitNanos;

    // guarded by this
    private long progress = -1; // the number of steps at the last check, or -1 before the first
    private long since;

    /** Creates the health of {@code spindle} with a time limit of 30 s. */
    public SpindleHealth(Spindle spindle) {
        this(spindle, LIMIT);
    }

    /**
     * Creates the health of {@code spindle}.
     *
     * @param stalledAfter the time without an end of a task after which a spindle with ready work is stalled
     * @throws IllegalArgumentException if {@code stalledAfter} is not positive
     */
    public SpindleHealth(Spindle spindle, Duration stalledAfter) {
        this.spindle = Objects.requireNonNull(spindle, "spindle");
        if (stalledAfter.isNegative() || stalledAfter.isZero()) {
            throw new IllegalArgumentException("stalledAfter must be positive, is " + stalledAfter);
        }
        pool = Pool.of(spindle);
        limitNanos = stalledAfter.toSeconds() > Integer.MAX_VALUE ? Long.MAX_VALUE : stalledAfter.toNanos();
    }

    /** Checks the spindle now. */
    public Status check() {
        Pool.Counts counts = pool.counts();
        long ended = counts.all().get(What.COMPLETED) + counts.all().get(What.STEPS);
        long now = spindle.nanoTime();
        long stalledNanos;
        boolean moved;
        synchronized (this) {
            moved = counts.ready() == 0 || (progress >= 0 && ended != progress);
            if (moved || progress < 0) {
                progress = ended;
                since = now;
            }
            stalledNanos = now - since;
        }
        if (!moved) {
            stalledNanos = Math.max(stalledNanos, pool.host().stalledNanos());
        }
        boolean stalled = stalledNanos >= limitNanos;
        boolean hopeless = stalled && counts.threads() >= spindle.stats().maxThreads();
        return new Status(
                !hopeless, !stalled && !spindle.isShutdown(), stalled, describe(counts, stalledNanos, stalled));
    }

    private String describe(Pool.Counts counts, long stalledNanos, boolean stalled) {
        if (stalled) {
            List<Activity> stuck = pool.host().stuck();
            return spindle + ": " + counts.ready() + " ready entries, and no task has ended for "
                    + Duration.ofNanos(stalledNanos)
                    + (stuck.isEmpty() ? "" : "; " + stuck.size() + " reported as stuck, first " + stuck.get(0));
        }
        return spindle.toString();
    }

    /**
     * Returns what has run, or has been open, for longer than the time limit, the longest first. Other tasks may go on
     * all the same, so this does not change the health. Takes time in proportion to the number of lanes.
     */
    public List<Activity> stuck() {
        return spindle.running().stream()
                .filter(activity -> {
                    Duration time = activity.runningFor();
                    return time != null && time.compareTo(Duration.ofNanos(limitNanos)) >= 0;
                })
                .toList();
    }

    /** What a check has found. Immutable. */
    public static final class Status {
        private final boolean live;
        private final boolean ready;
        private final boolean stalled;
        private final String detail;

        private Status(boolean live, boolean ready, boolean stalled, String detail) {
            this.live = live;
            this.ready = ready;
            this.stalled = stalled;
            this.detail = detail;
        }

        /** Returns false if only the end of a task, or a restart of the process, helps. */
        public boolean isLive() {
            return live;
        }

        /** Returns whether the spindle accepts tasks and is not stalled. */
        public boolean isReady() {
            return ready;
        }

        /** Returns whether work has been ready for the time limit and no task has ended. */
        public boolean isStalled() {
            return stalled;
        }

        /** Returns a line for a person: the spindle, and what is wrong with it. */
        public String detail() {
            return detail;
        }

        /** Returns a string with all of it. */
        @Override
        public String toString() {
            return (live ? "live" : "not live") + ", " + (ready ? "ready" : "not ready")
                    + (stalled ? ", stalled: " : ": ") + detail;
        }
    }
}
