// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.timer.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A task that holds its lane, but no worker, until its stage completes or its time limit has passed. */
@SuppressWarnings("NullAway") // as TaskFuture
final class AsyncTask<T extends @Nullable Object> extends TaskFuture<T> {
    /*
     * A stage that never completes keeps what listens to it, that is this: so all that leads from here to the executor
     * is let go when the future is done (TaskFuture), and when the lane goes on (close).
     */
    private final long limitNanos;
    private final AtomicReference<@Nullable LaneCore> held = new AtomicReference<>();
    private volatile @Nullable Timers timers;
    private volatile @Nullable Limit limit;
    private volatile @Nullable CompletionStage<T> stage;

    private AsyncTask(
            LaneHandle lane, Supplier<? extends CompletionStage<T>> supplier, long limitNanos, Spindle spindle) {
        super(spindle.pool(), lane, supplier, null);
        this.limitNanos = limitNanos;
        this.timers = spindle.timers();
    }

    /**
     * Returns a new task, as what the caller hands on, so that to verify the caller takes no look at this class; {@code
     * limitNanos} is 0 for no limit.
     */
    static <T extends @Nullable Object> TaskFuture<T> of(
            LaneHandle lane, Supplier<? extends CompletionStage<T>> supplier, long limitNanos, Spindle spindle) {
        return new AsyncTask<>(lane, supplier, limitNanos, spindle);
    }

    @Override
    @SuppressWarnings("unchecked")
    void work() {
        LaneCore lane = LaneCore.current();
        Pool pool = pool();
        var supplier = (Supplier<? extends CompletionStage<T>>) user();
        if (supplier == null || pool == null) {
            return; // cancelled just now
        }
        CompletionStage<T> started = supplier.get();
        WorkerContext.clearInterruptOfWorker(); // callbacks of the future may come next
        if (started == null) {
            throw new NullPointerException(
                    "the async task " + supplier + " of " + lane + " returned null instead of a CompletionStage");
        }
        stage = started;
        held.set(lane);
        lane.hold(pool.recentNanos());
        if (limitNanos != 0 && !hasEnded(started)) {
            Limit timer = new Limit(this);
            limit = timer;
            timers.add(timer, pool.nanoTime() + limitNanos, pool);
        }
        if (isDone()) { // before `stage` was there to be seen
            stage = null;
            cancelIfCancelled(started);
        }
        try {
            listen(started);
        } catch (Throwable t) {
            close(); // a stage of the user's that does not let itself be listened to
            throw t;
        }
    }

    /** Returns whether a stage is known to have ended: it is in time, however late it is looked at. */
    private static boolean hasEnded(CompletionStage<?> stage) {
        // Subclasses may refuse to say.
        return stage.getClass() == CompletableFuture.class && ((CompletableFuture<?>) stage).isDone();
    }

    private void listen(CompletionStage<T> started) {
        started.whenComplete((value, failure) -> {
            Limit timer = limit;
            Timers own = timers;
            if (timer != null && own != null) {
                own.remove(timer);
            }
            if (failure == null) {
                complete(value);
            } else {
                completeExceptionally(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            }
            close();
        });
    }

    /** Lets the lane go on, once. */
    private void close() {
        LaneCore lane = held.getAndSet(null);
        if (lane != null) {
            limit = null;
            timers = null;
            lane.release();
        }
    }

    /**
     * A future that is cancelled cancels the stage if it lets itself be cancelled; the lane is held until that
     * completes.
     */
    @Override
    void ended() {
        CompletionStage<T> started = stage;
        if (started != null) {
            stage = null;
            cancelIfCancelled(started);
        }
        super.ended();
    }

    private void cancelIfCancelled(CompletionStage<T> started) {
        if (isCancelled() && started instanceof CompletableFuture<?> future) {
            try {
                future.cancel(true);
            } catch (RuntimeException e) {
                return; // one that refuses goes on, and the lane with it
            }
        }
    }

    private static final class Limit extends Timers.Limit {
        private final AsyncTask<?> task;

        Limit(AsyncTask<?> task) {
            this.task = task;
        }

        @Override
        protected void act() {
            task.passLimit();
        }
    }

    private void passLimit() {
        LaneCore lane = held.get();
        if (lane != null && !isDone()) {
            completeExceptionally(new TimeoutException("the async task of " + lane + " did not complete in "
                    + Duration.ofNanos(limitNanos) + "; its lane goes on without it"));
        }
        close();
    }
}
