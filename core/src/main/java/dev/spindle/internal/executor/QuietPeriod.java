// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.timer.Timers;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The quiet period of a graceful shutdown, which shuts the strand down once no task was submitted for a given time. */
public final class QuietPeriod {
    /*
     * A mark is a barrier in the lane. When the lane reaches a mark, all earlier tasks have ended, async tasks
     * included. After its task, a submit pushes a mark. If a mark is already in the lane, the submit only sets `again`,
     * and that mark pushes another mark. When the lane reaches a mark and `again` is not set, the quiet period begins.
     * If the period passes without a submit, a further mark ensures that no delayed task still runs, and then the
     * strand is shut down. A submit is counted in `begun` before its push and sets `again` after its push, so the
     * strand is not shut down during a submit.
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
     * The clock thread runs none of this code, since a shutdown cancels futures and so calls user code.
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
     * @param shutdown the action that shuts the strand down at once
     * @param isShutdown a condition that is true once the strand or its spindle has been shut down
     */
    public QuietPeriod(Lanes lanes, LaneOwner owner, Runnable shutdown, BooleanSupplier isShutdown, long nanos) {
        this.lanes = lanes;
        this.owner = owner;
        this.shutdown = shutdown;
        this.isShutdown = isShutdown;
        pool = lanes.pool();
        this.nanos = nanos;
    }

    /** Begins the wait for a quiet period. */
    public void begin() {
        QuietPeriod unused = submit(() -> this); // pushes the first mark
    }

    /** Removes the timer. Called when the strand is shut down for any reason. */
    public void end() {
        over = true;
        removeTimer(); // S2
    }

    /** Performs {@code submit} and returns its result. The wait for a quiet period then starts again. */
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
                boolean unused = timers().remove(timer); // set by an earlier mark
                timer = new DueTimer(this::passed); // the earlier timer may be queued already
                added = timers().add(timer, now + nanos);
            }
        }
        if (more) {
            mark();
        } else if (!pool.timerAdded(added)) {
            shutdown.run(); // no thread would act on the timer
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
                return; // the next mark begins, or has begun, another quiet period
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
            lanes.afterPending(lanes.strands(), owner, action);
        }
    }

    /** The timer that ends the quiet period on a worker. */
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
