// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Pool;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneGate;
import dev.spindle.internal.stage.StageFuture;
import dev.spindle.internal.timer.Timers;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A task that holds its lane, but no worker, until its stage or its future completes. A time limit completes the
 * future.
 */
@SuppressWarnings("NullAway") // see TaskFuture
final class AsyncTask<T extends @Nullable Object> extends TaskFuture<T> implements LaneGate.OpenTask {
    /*
     * A stage that never completes keeps its listener, this task, reachable. So the task clears its references to the
     * executor when its future is done (ended) and when its lane continues (close).
     */
    private final long limitNanos;
    private final AtomicReference<@Nullable LaneCore> held = new AtomicReference<>();
    private volatile @Nullable Timers timers;
    private volatile @Nullable Limit limit;
    private volatile @Nullable CompletionStage<T> stage;
    private @Nullable Thread ending; // a thread that completes this future; racy, but each thread sees its own write

    private AsyncTask(
            LaneHandle lane, Callable<? extends CompletionStage<T>> task, long limitNanos, ExecutorKernel kernel) {
        super(lane.origin(), lane, task);
        this.limitNanos = limitNanos;
        this.timers = kernel.timers();
    }

    /**
     * Returns a new task; {@code limitNanos} is 0 for no limit. The return type is the superclass, so that the
     * verification of a caller does not load this class.
     */
    static <T extends @Nullable Object> TaskFuture<T> of(
            LaneHandle lane, Callable<? extends CompletionStage<T>> task, long limitNanos, ExecutorKernel kernel) {
        return new AsyncTask<>(lane, task, limitNanos, kernel);
    }

    @Override
    @Nullable
    Object work() throws Exception {
        var task = (Callable<?>) user();
        if (task == null) {
            return null; // completed concurrently
        }
        Object started = task.call();
        if (started == null) {
            throw new NullPointerException("the async task " + task + " of " + LaneCore.current()
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
            cancelIfCancelled(started); // completed concurrently
            return;
        }
        if (started instanceof StageFuture<?> own && !own.isDone() && own.existingLane() == lane) { // K6
            throw new IllegalStateException("the async task of " + lane + " returned a stage of its own lane, which"
                    + " cannot run before the async task has ended");
        }
        stage = started;
        lane.opens(this);
        lane.hold(pool.recentNanos());
        held.set(lane); // after the hold, which a thread that finds this lane ends
        setLimit(started, pool);
        if (isDone()) { // the thread that has completed this future may have found `held` null
            ended();
            // D1
        } else if (handle.lifetime().isHalted()) {
            halt(); // shutdownNow sets the flag, then reads the holds, and may have missed this hold
        }
        if (!isDone()) {
            try {
                listen(started);
            } catch (Throwable t) {
                close(); // whenComplete of the user's stage threw
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
            own.remove(timer); // closed concurrently
        }
    }

    /** Returns true if the stage is known to have completed, so that no time limit is needed. */
    private static boolean hasEnded(CompletionStage<?> stage) {
        // isDone() of a subclass may throw
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

    /** Releases the lane; only the first call has an effect. */
    private void close() {
        LaneCore lane = held.getAndSet(null); // A1
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

    /** Called when the future is done. Cancels the stage if the future was cancelled, and releases the lane. */
    @Override
    void ended() {
        CompletionStage<T> started = stage;
        stage = null; // U3
        try {
            cancelIfCancelled(started);
        } finally {
            close();
            timers = null;
            super.ended();
        }
    }

    /**
     * Interrupts this run and, if the stage is the future of a task, the run of that task. The stage itself is
     * cancelled only after the dependents of this future have run.
     */
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
            } catch (Throwable t) { // thrown by the user's stage
                return; // the stage continues, and the lane does not wait for it
            }
        }
    }

    @Override
    public boolean complete(T value) {
        boolean begun = beginEnd();
        try {
            return super.complete(value);
        } finally {
            finishEnd(begun);
        }
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        boolean begun = beginEnd();
        try {
            return super.completeExceptionally(failure);
        } finally {
            finishEnd(begun);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean begun = beginEnd();
        try {
            return super.cancel(mayInterruptIfRunning);
        } finally {
            finishEnd(begun);
        }
    }

    private boolean beginEnd() {
        boolean first = ending == null && !isDone();
        if (first) {
            ending = Thread.currentThread();
        }
        return first;
    }

    private void finishEnd(boolean begun) {
        if (begun) {
            ending = null;
        }
    }

    @Override
    public boolean isEndedByCaller() {
        return ending == Thread.currentThread();
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
    public long limitNanos() {
        return limitNanos;
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
                    + Duration.ofNanos(limitNanos) + "; its lane continues without it"));
        }
        close();
    }
}
