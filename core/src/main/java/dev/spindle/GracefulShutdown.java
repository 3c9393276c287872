// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.DefaultThreads;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.timer.Timers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Shuts a strand down when it has been quiet for a while, or a limit has passed. */
final class GracefulShutdown {
    /*
     * It goes in rounds. A round sends a barrier through the lane; when the lane comes to it, what was accepted before
     * has ended, async tasks included, and the quiet time begins. After that, another barrier finds out what was
     * accepted meanwhile, and when the lane comes to that one, the round is over: if a submit has been noted since it
     * began, another one follows, else the strand is shut down. A submit is noted before its push. If it was noted
     * before the round began and pushed after the first barrier, the second is behind it; so the strand is open while a
     * task runs, whatever that submits. Periodic tasks hold up a barrier for one run only.
     *
     * field      writers                      readers  mode
     * submitted  submitters; round() clears   decide   volatile
     * over       the end of the strand        arm      volatile; read after a timer is added, and written before
     *                                                  timers are removed, so none is left (Timers-4)
     * decided    whoever says what was taken  same     atomic
     *
     * Nothing of this runs on the thread that watches the clock: it may call back users, whose futures are cancelled.
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
    private final DueTimer quiet = new DueTimer(() -> afterPending(this::decide));
    private final DueTimer limit = new DueTimer(this::takeAll);
    private volatile boolean submitted;
    private volatile boolean over;

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

    /** Called before a submit. */
    void noteSubmit() {
        if (!submitted) {
            submitted = true;
        }
    }

    void begin() {
        CompletableFuture<?> unused = strand.ended().thenRun(this::hasEnded);
        if (!strand.isAlone() || !startThreadForLimit()) {
            boolean unusedAnswer = arm(limit, limitNanos);
        }
        if (quietNanos == 0) {
            strand.shutdown();
        } else {
            round();
        }
    }

    private void round() {
        submitted = false;
        afterPending(() -> {
            if (!strand.isShutdown() && !arm(quiet, quietNanos)) {
                strand.shutdown(); // there is no thread to wait on
            }
        });
    }

    private void decide() {
        if (submitted) {
            round();
        } else {
            strand.shutdown();
        }
    }

    private void afterPending(Runnable action) {
        if (!strand.isShutdown()) {
            strand.spindle().lanes().afterPending(strand.laneKey(), action);
        }
    }

    private boolean arm(DueTimer dueTimer, long nanos) {
        boolean watched = strand.spindle().timers().add(dueTimer, pool.nanoTime() + nanos, pool);
        if (over) {
            strand.spindle().timers().remove(dueTimer);
        }
        return watched;
    }

    /** Takes away what has not started, since the limit has passed. */
    private void takeAll() {
        if (decided.compareAndSet(false, true)) {
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
        strand.spindle().timers().remove(quiet);
        strand.spindle().timers().remove(limit);
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
            WorkerContext worker = WorkerContext.current();
            if (worker != null && worker.scheduler() == pool) {
                // not amid the end of the lane; no worker ends before it has come to this
                pool.ready(new DueTimer(tell));
            } else {
                tell.run();
            }
        });
    }

    /** The only thread of such a strand may be stuck in a task: then it does not look at the clock. */
    private boolean startThreadForLimit() {
        try {
            DefaultThreads.waiter(this::awaitLimit, strand.key() + "-limit").start();
            return true;
        } catch (Throwable t) { // no thread, or no memory
            return false;
        }
    }

    private void awaitLimit() {
        try {
            strand.ended().get(limitNanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            takeAll();
        } catch (InterruptedException e) {
            boolean unusedAnswer = arm(limit, limitNanos);
        } catch (ExecutionException e) {
            throw new AssertionError("termination does not fail", e);
        }
    }

    /** Something that a worker does: when its time has come, or as soon as it is made ready. */
    private static final class DueTimer extends Timers.Timer {
        private final Runnable action;

        DueTimer(Runnable action) {
            this.action = action;
        }

        @Override
        public void turn(WorkerContext r) {
            action.run();
        }
    }
}
