// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Pool;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneGate;
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
final class AsyncTask<T extends @Nullable Object> extends TaskFuture<T> implements LaneGate.OpenTask {
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
    @Nullable
    Object work() {
        var supplier = (Supplier<?>) user();
        if (supplier == null) {
            return null; // completed just now
        }
        Object started = supplier.get();
        if (started == null) {
            throw new NullPointerException("the async task " + supplier + " of " + LaneCore.current()
                    + " returned null instead of a CompletionStage");
        }
        return started;
    }

    @Override
    @SuppressWarnings("unchecked")
    void worked(@Nullable Object given) {
        CompletionStage<T> started = (CompletionStage<T>) given;
        LaneCore lane = LaneCore.current();
        LaneHandle handle = lane();
        Pool pool = pool();
        if (started == null || lane == null || handle == null || pool == null) {
            cancelIfCancelled(started); // completed just now
            return;
        }
        stage = started;
        held.set(lane);
        lane.opens(this);
        lane.hold(pool.recentNanos());
        setLimit(started, pool);
        if (isDone()) { // before `held` was there to be seen
            ended();
        } else if (handle.lifetime().isHalted()) { // read after the hold: the shutdown reads that after it says so
            halt();
        }
        if (!isDone()) {
            try {
                listen(started);
            } catch (Throwable t) {
                close(); // a stage of the user's that does not let itself be listened to
                throw t;
            }
        }
    }

    @Override
    void cancelled(@Nullable Object given) {
        super.cancelled(given);
        cancelIfCancelled((CompletionStage<?>) given);
    }

    private void setLimit(CompletionStage<T> started, Pool pool) {
        Timers own = timers;
        if (limitNanos == 0 || own == null || hasEnded(started)) {
            return;
        }
        Limit timer = new Limit(this);
        limit = timer;
        own.add(timer, pool.nanoTime() + limitNanos, pool);
        if (held.get() == null) {
            own.remove(timer); // closed in between
        }
    }

    /** Returns whether a stage is known to have ended: it is in time, however late it is looked at. */
    private static boolean hasEnded(CompletionStage<?> stage) {
        // Subclasses may refuse to say.
        return stage.getClass() == CompletableFuture.class && ((CompletableFuture<?>) stage).isDone();
    }

    private void listen(CompletionStage<T> started) {
        started.whenComplete((value, failure) -> {
            if (failure == null) {
                complete(value);
            } else {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
                noteFailure(cause == null ? failure : cause);
                completeExceptionally(cause == null ? failure : cause);
            }
            close();
        });
    }

    /** Lets the lane go on, once. */
    private void close() {
        LaneCore lane = held.getAndSet(null);
        if (lane == null) {
            return;
        }
        Limit timer = limit;
        Timers own = timers;
        limit = null;
        timers = null;
        try {
            if (timer != null && own != null) {
                own.remove(timer);
            }
        } finally {
            lane.release();
        }
    }

    /** Called when the future has completed, in whatever way: cancels the stage with it, and lets the lane go on. */
    @Override
    void ended() {
        CompletionStage<T> started = stage;
        stage = null;
        try {
            cancelIfCancelled(started);
        } finally {
            close();
            timers = null;
            super.ended();
        }
    }

    /** The stage's task as well: to cancel the stage comes after what depends on this. */
    @Override
    void interruptRun() {
        super.interruptRun();
        if (stage instanceof TaskFuture<?> task) {
            task.interruptRun();
        }
    }

    private void cancelIfCancelled(@Nullable CompletionStage<?> started) {
        if (started instanceof CompletableFuture<?> future && isCancelled()) {
            try {
                future.cancel(true);
            } catch (Throwable t) { // code of the user's, amid the end of this, and of others in a shutdownNow
                return; // one that refuses goes on without the lane
            }
        }
    }

    @Override
    public void halt() {
        boolean unused = cancel(true);
    }

    @Override
    public @Nullable Object awaited() {
        return stage instanceof TaskFuture<?> task ? task.party() : null;
    }

    @Override
    public boolean isLimited() {
        return limitNanos != 0;
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
