// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.timer.Timers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** A graceful shutdown of a strand: shuts it down when it has been quiet for a time, or when a limit has passed. */
public final class GracefulShutdown {
    /*
     * A mark is a barrier in the lane: when the lane reaches it, all earlier tasks have ended, async tasks included.
     * Each submit is followed by a mark. Submits share marks: while one is in the lane, a submit only requests another
     * after it. When the lane reaches the last mark, the quiet time begins. If the quiet time passes without a submit,
     * another mark checks that no delayed task still runs, and then the strand is shut down. A submit is noted before
     * its push and after it, so the strand stays open while a task runs, regardless of what the task submits.
     *
     * field     writers                              readers  mode
     * begun     submitters                           all      under the monitor: submits that have not ended
     * marking   the sender of a mark, the last mark  all      under the monitor
     * again     submitters, the sender of a mark     all      under the monitor
     * quiet,    the last mark                        all      under the monitor
     * quietSince
     * over      the end of the strand                arm      volatile; read after a timer is added, and written before
     *                                                         timers are removed, so none is left (Timers-4)
     * decided   the end, the limit                   same     CAS; the winner determines the result
     * passed    the limit, before it removes tasks   all      volatile
     *
     * None of this runs on the thread that watches the clock, since cancelling futures calls user code. The action at
     * the limit, and the completion that follows, need no worker.
     *
     * Tests: GracefulShutdownTest.
     */
    private final Lanes lanes;
    private final LaneOwner owner;
    private final ExecutorService strand;
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

    /** Creates the shutdown of {@code strand}, which is represented by {@code owner} in {@code lanes}. */
    public GracefulShutdown(Lanes lanes, LaneOwner owner, ExecutorService strand, long quietNanos, long limitNanos) {
        this.lanes = lanes;
        this.owner = owner;
        this.strand = strand;
        pool = lanes.pool();
        this.quietNanos = quietNanos;
        this.limitNanos = limitNanos;
    }

    /** Returns a future that completes with the tasks removed at the limit when the strand has ended. */
    public CompletableFuture<List<Runnable>> end() {
        return end;
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

    /** Begins; {@code ended} completes when the strand has terminated. */
    public void begin(CompletableFuture<?> ended) {
        CompletableFuture<?> unused = ended.thenRun(this::hasEnded);
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
                boolean unused = timers().remove(quiet); // the timer of an earlier mark
                quiet = new DueTimer(this::quietPassed); // the earlier timer may be ready
                added = timers().add(quiet, now + quietNanos);
            }
        }
        if (more) {
            mark();
        } else if (!pool.timerAdded(added)) {
            strand.shutdown(); // there is no thread to act on the timer
        } else if (over) {
            removeQuiet();
        }
    }

    private synchronized void removeQuiet() {
        boolean unused = timers().remove(quiet);
    }

    private Timers timers() {
        return lanes.kernel().timers();
    }

    private void quietPassed() {
        long now = pool.nanoTime();
        synchronized (this) {
            if (marking || begun > 0 || now - quietSince < quietNanos) {
                return; // the next mark begins another quiet time, or has begun it already
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
            lanes.afterPending(owner, action);
        }
    }

    private void armLimit() {
        boolean unused = timers().add(limit, pool.nanoTime() + limitNanos, pool);
        if (over) { // S2
            timers().remove(limit);
        }
    }

    /** Removes the tasks that have not started, since the limit has passed. */
    private void takeAll() {
        if (decided.compareAndSet(false, true)) {
            passed = true;
            try {
                taken.complete(strand.shutdownNow());
            } catch (Throwable t) { // memory was exhausted
                taken.completeExceptionally(t);
                throw t;
            }
        }
    }

    private void hasEnded() {
        over = true;
        removeQuiet();
        timers().remove(limit);
        if (decided.compareAndSet(false, true)) { // else the limit has removed tasks, or is about to
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
                // not during the end of the lane; no worker ends before this has run
                pool.ready(new DueTimer(tell));
            }
        });
    }

    /** Completes the future on the thread that acts on limits, since all workers may be blocked (A3). */
    private void tellInTime(Runnable tell) {
        Lifetime lifetime = pool.lifetime();
        boolean held = lifetime.hold(); // false if the spindle has ended, but not the other thread
        pool.complete(new LimitTimer(() -> {
            tell.run();
            if (held) {
                lifetime.release();
            }
        }));
    }

    /** An action that a worker runs when it is due or made ready. */
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

    /** An action that the completer runs. */
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
