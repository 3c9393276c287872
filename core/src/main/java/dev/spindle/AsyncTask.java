// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.LaneCore;
import dev.spindle.internal.Pool;
import dev.spindle.internal.Runner;
import dev.spindle.internal.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A task that holds its lane, but no worker, until its stage completes or its time limit has passed. */
@SuppressWarnings("NullAway") // as TaskFuture
final class AsyncTask<T extends @Nullable Object> extends TaskFuture<T> {
    private final Supplier<? extends CompletionStage<T>> supplier;
    private final long limitNanos;
    private final Timers timers;
    private final AtomicBoolean open = new AtomicBoolean();
    private volatile @Nullable CompletionStage<T> stage;

    /** Creates a task; {@code limitNanos} is 0 for no limit. */
    AsyncTask(
            Pool pool,
            LaneHandle lane,
            Supplier<? extends CompletionStage<T>> supplier,
            long limitNanos,
            Timers timers) {
        super(pool, lane, supplier, null);
        this.supplier = supplier;
        this.limitNanos = limitNanos;
        this.timers = timers;
    }

    @Override
    void work() {
        LaneCore lane = Runner.current().lane();
        CompletionStage<T> started = supplier.get();
        if (started == null) {
            throw new NullPointerException(
                    "the async task " + supplier + " of " + lane + " returned null instead of a CompletionStage");
        }
        stage = started;
        open.set(true);
        lane.hold();
        Limit limit = limitNanos == 0 ? null : new Limit(lane);
        if (limit != null) {
            pool.addTimer(limit, pool.nanoTime() + limitNanos);
        }
        if (isCancelled()) {
            cancelStage(); // cancelled before `stage` was there to be seen
        }
        try {
            listen(started, lane, limit);
        } catch (Throwable t) {
            close(lane); // a stage of the user's that does not let itself be listened to
            throw t;
        }
    }

    private void listen(CompletionStage<T> started, LaneCore lane, @Nullable Limit limit) {
        started.whenComplete((value, failure) -> {
            if (limit != null) {
                timers.remove(limit);
            }
            if (failure == null) {
                complete(value);
            } else {
                completeExceptionally(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            }
            close(lane);
        });
    }

    /** Lets the lane go on, once. */
    private void close(LaneCore lane) {
        if (open.compareAndSet(true, false)) {
            lane.release();
        }
    }

    /** Cancels the future, and the stage if it lets itself be cancelled; the lane is held until the stage completes. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            cancelStage();
        }
        return cancelled;
    }

    private void cancelStage() {
        CompletionStage<T> started = stage;
        if (started instanceof CompletableFuture<?> future) {
            try {
                future.cancel(true);
            } catch (RuntimeException e) {
                return; // one that refuses goes on, and the lane with it
            }
        }
    }

    private final class Limit extends Timers.Timer {
        private final LaneCore lane;

        Limit(LaneCore lane) {
            this.lane = lane;
        }

        @Override
        public void turn(Runner r) {
            if (!isDone()) {
                completeExceptionally(new TimeoutException("the async task of " + lane + " did not complete in "
                        + Duration.ofNanos(limitNanos) + "; its lane goes on without it"));
            }
            close(lane);
        }
    }
}
