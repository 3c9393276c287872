// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.timer.Timers;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The quiet period of a strand's shutdown: shuts the strand down when nothing was submitted for a time. */
public final class QuietPeriod {
    /*
     * A mark is a barrier in the lane: when the lane reaches it, all earlier tasks have ended, async tasks included.
     * Each submit is followed by a mark. Submits share marks: while one is in the lane, a submit only requests another
     * after it. When the lane reaches the last mark, the quiet period begins. If it passes without a submit, another
     * mark checks that no delayed task still runs, and then the strand is shut down. A submit is noted before its push
     * and after it, so the strand stays open while a task runs, regardless of what the task submits.
     *
     * field     writers                              readers  mode
     * begun     submitters                           all      under the monitor: submits that have not ended
     * marking   the sender of a mark, the last mark  all      under the monitor
     * again     submitters, the sender of a mark     all      under the monitor
     * timer,    the last mark                        all      under the monitor
     * quietSince
     * over      the shutdown of the strand           marks    volatile; read after a timer is added, and written before
     *                                                         timers are removed, so none is left (Timers-4)
     *
     * None of this runs on the thread that watches the clock, since a shutdown cancels futures, which calls user code.
     *
     * Tests: QuietPeriodTest.
     */
    private final Lanes lanes;
    private final LaneOwner owner;
    private final Runnable shutdown;
    private final BooleanSupplier isShutdown;
    private final Pool pool;
    private final long nanos;
    private DueTimer timer = new DueTimer(this::passed);
    private int begun;
    private boolean marking;
    private boolean again;
    private long quietSince;
    private volatile boolean over;

    /**
     * Creates the quiet period of the strand that {@code owner} represents.
     *
     * @param shutdown shuts the strand down at once
     * @param isShutdown true when the strand or its spindle has been shut down
     */
    public QuietPeriod(Lanes lanes, LaneOwner owner, Runnable shutdown, BooleanSupplier isShutdown, long nanos) {
        this.lanes = lanes;
        this.owner = owner;
        this.shutdown = shutdown;
        this.isShutdown = isShutdown;
        pool = lanes.pool();
        this.nanos = nanos;
    }

    /** Begins to wait for the quiet period. */
    public void begin() {
        QuietPeriod unused = submit(() -> this); // for the first mark
    }

    /** Called when the strand is shut down, also by another call. Leaves no timer. */
    public void end() {
        over = true;
        removeTimer(); // S2
    }

    /** Performs a submit and returns its result. */
    public <R> R submit(Supplier<R> submit) {
        synchronized (this) {
            begun++;
        }
        try {
            return submit.get();
        } finally {
            submitted();
        }
    }

    private void submitted() {
        synchronized (this) {
            begun--;
            again = true;
            if (marking) { // D1
                return;
            }
            marking = true;
        }
        mark();
    }

    private void mark() {
        synchronized (this) {
            again = false;
        }
        afterPending(this::marked);
    }

    private void marked() {
        if (isShutdown.getAsBoolean()) {
            return;
        }
        boolean more;
        Pool.Added added = Pool.Added.LATER;
        long now = pool.nanoTime();
        synchronized (this) {
            more = again;
            if (!more) {
                marking = false;
                quietSince = now;
                boolean unused = timers().remove(timer); // the timer of an earlier mark
                timer = new DueTimer(this::passed); // the earlier timer may be ready
                added = timers().add(timer, now + nanos);
            }
        }
        if (more) {
            mark();
        } else if (!pool.timerAdded(added)) {
            shutdown.run(); // there is no thread that would act on the timer
        } else if (over) {
            removeTimer();
        }
    }

    private synchronized void removeTimer() {
        boolean unused = timers().remove(timer);
    }

    private Timers timers() {
        return lanes.kernel().timers();
    }

    private void passed() {
        long now = pool.nanoTime();
        synchronized (this) {
            if (marking || begun > 0 || now - quietSince < nanos) {
                return; // the next mark begins another quiet period, or has begun it already
            }
            marking = true;
            again = false;
        }
        afterPending(this::decide);
    }

    private void decide() {
        boolean submitted;
        boolean more;
        synchronized (this) {
            more = again;
            submitted = more || begun > 0;
            marking = more;
        }
        if (more) {
            mark();
        } else if (!submitted) {
            shutdown.run();
        }
    }

    private void afterPending(Runnable action) {
        if (!isShutdown.getAsBoolean()) {
            lanes.afterPending(owner, action);
        }
    }

    /** The end of the quiet time, on a worker. */
    private static final class DueTimer extends Timers.Timer {
        private final Runnable action;

        DueTimer(Runnable action) {
            this.action = action;
        }

        @Override
        public void turn(WorkerContext r) {
            boolean unused = Thread.interrupted(); // an interrupt of earlier code must not reach the action
            action.run();
        }
    }
}
