// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.timer.Timers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Shuts a strand down when it has been quiet for a while, or a limit has passed. */
final class GracefulShutdown {
    /*
     * A mark is a barrier in the lane: when the lane comes to it, what was submitted before has ended, async tasks
     * included. After each submit there is a mark, but one for many: while one is under way, a submit only has another
     * follow it. When the lane comes to the last, the quiet time begins. When that has passed without a submit, another
     * mark finds out whether a delayed task still runs, and then the strand is shut down. A submit is noted before its
     * push and after it; so the strand is open while a task runs, whatever that submits.
     *
     * field     writers                              readers  mode
     * begun     submitters                           all      under the monitor: submits that have not ended
     * marking   who sends a mark, the last mark      all      under the monitor
     * again     submitters, who sends a mark         all      under the monitor
     * quiet,    the last mark                        all      under the monitor
     * quietSince
     * over      the end of the strand                arm      volatile; read after a timer is added, and written before
     *                                                         timers are removed, so none is left (Timers-4)
     * decided   whoever says what was taken          same     atomic
     * passed    the limit, before it takes           all      volatile
     *
     * Nothing of this runs on the thread that watches the clock: it may call back users, whose futures are cancelled.
     * The limit, and what is told after it, needs no worker.
     *
     * Tests: GracefulShutdownTest.
     */
    private final Strand strand;
    private final Pool pool;
    private final long quietNanos;
    private final long limitNanos;
    private final CompletableFuture<List<Runnable>> end = new CompletableFuture<>();
    private final CompletableFuture<List<Runnable>> taken = new CompletableFuture<>();
    private final AtomicBoolean decided = new AtomicBoolean();
    private DueTimer quiet = new DueTimer(this::quietPassed);
    private final LimitTimer limit = new LimitTimer(this::takeAll);
    private int begun;
    private boolean marking;
    private boolean again;
    private long quietSince;
    private volatile boolean over;
    private volatile boolean passed;

    GracefulShutdown(Strand strand, long quietNanos, long limitNanos) {
        this.strand = strand;
        this.pool = strand.spindle().pool();
        this.quietNanos = quietNanos;
        this.limitNanos = limitNanos;
    }

    /** Completes when the strand has ended, with the tasks that were taken away at the limit. */
    CompletableFuture<List<Runnable>> end() {
        return end;
    }

    /** Does a submit, and returns what it returns. */
    <R> R submit(Supplier<R> submit) {
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
            if (marking) {
                return;
            }
            marking = true;
        }
        mark();
    }

    void begin() {
        CompletableFuture<?> unused = strand.ended().thenRun(this::hasEnded);
        armLimit();
        if (quietNanos == 0) {
            strand.shutdown();
        } else {
            GracefulShutdown unusedSelf = submit(() -> this); // for the first mark
        }
    }

    private void mark() {
        synchronized (this) {
            again = false;
        }
        afterPending(this::marked);
    }

    private void marked() {
        if (strand.isShutdown()) {
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
                boolean unused = timers().remove(quiet); // of a mark before
                quiet = new DueTimer(this::quietPassed); // the one before may be ready
                added = timers().add(quiet, now + quietNanos);
            }
        }
        if (more) {
            mark();
        } else if (!pool.timerAdded(added)) {
            strand.shutdown(); // there is no thread to wait on
        } else if (over) {
            removeQuiet();
        }
    }

    private synchronized void removeQuiet() {
        boolean unused = timers().remove(quiet);
    }

    private Timers timers() {
        return strand.spindle().timers();
    }

    private void quietPassed() {
        long now = pool.nanoTime();
        synchronized (this) {
            if (marking || begun > 0 || now - quietSince < quietNanos) {
                return; // the next mark begins another quiet time, or has begun it
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
            strand.shutdown();
        }
    }

    private void afterPending(Runnable action) {
        if (!strand.isShutdown()) {
            strand.spindle().lanes().afterPending(strand.laneKey(), action);
        }
    }

    private void armLimit() {
        boolean unused = timers().add(limit, pool.nanoTime() + limitNanos, pool);
        if (over) {
            timers().remove(limit);
        }
    }

    /** Takes away what has not started, since the limit has passed. */
    private void takeAll() {
        if (decided.compareAndSet(false, true)) {
            passed = true;
            try {
                taken.complete(strand.shutdownNow());
            } catch (Throwable t) { // no memory for the list
                taken.completeExceptionally(t);
                throw t;
            }
        }
    }

    private void hasEnded() {
        over = true;
        removeQuiet();
        timers().remove(limit);
        if (decided.compareAndSet(false, true)) { // else the limit has taken tasks, or is about to say which
            taken.complete(List.of());
        }
        CompletableFuture<?> unused = taken.whenComplete((tasks, failure) -> {
            Runnable tell = () -> {
                if (failure == null) {
                    end.complete(taken.join());
                } else {
                    end.completeExceptionally(failure);
                }
            };
            if (!pool.isWorking()) {
                tell.run();
            } else if (passed) {
                tellInTime(tell);
            } else {
                // not amid the end of the lane; no worker ends before it has come to this
                pool.ready(new DueTimer(tell));
            }
        });
    }

    /** Has the thread that acts on limits do what follows from one, since all workers may be stuck (contract A3). */
    private void tellInTime(Runnable tell) {
        Lifetime lifetime = pool.lifetime();
        boolean held = lifetime.hold(); // else the spindle has ended, but not that thread
        pool.complete(new LimitTimer(() -> {
            tell.run();
            if (held) {
                lifetime.release();
            }
        }));
    }

    /** Something that a worker does: when its time has come, or as soon as it is made ready. */
    private static final class DueTimer extends Timers.Timer {
        private final Runnable action;

        DueTimer(Runnable action) {
            this.action = action;
        }

        @Override
        public void turn(WorkerContext r) {
            boolean unused = Thread.interrupted(); // that other code has left: this may be code of users
            action.run();
        }
    }

    /** Something that the thread which acts on limits does. */
    private static final class LimitTimer extends Timers.Limit {
        private final Runnable action;

        LimitTimer(Runnable action) {
            this.action = action;
        }

        @Override
        protected void act() {
            action.run();
        }
    }
}
