// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lane: its tasks run one at a time, in the order of their submits, on the workers of a {@link Spindle}. Either the
 * lane of a key ({@link Keyed#at}) or one of its own, a {@link Strand}. A handle keeps no thread and may be kept for
 * good.
 *
 * <p>Thread-safe. A submit never runs the task itself, not even from inside a turn of the same lane, and waits only
 * where {@link OnFull#block} says so.
 *
 * <p><b>Memory consistency effects:</b> actions in a thread before it submits a task happen-before the task; every turn
 * of a lane happens-before the next turn of that lane, on whichever threads they run; a turn happens-before the
 * completion of its future.
 *
 * <p>All submits throw {@link NullPointerException} for a null argument and {@link
 * java.util.concurrent.RejectedExecutionException} after a shutdown, at a bound, or when there is no thread at all and
 * none can be started.
 */
public interface Lane extends Executor {
    /** Returns the key, or the name of a strand. */
    Object key();

    /**
     * Runs {@code task} after everything that the lane has accepted. Its failure goes to the {@link FailureHandler}.
     */
    @Override
    void execute(Runnable task);

    /**
     * Runs {@code task} as {@link #execute} and returns a future for its result. Waiting for that future in a turn of
     * this lane throws {@link IllegalStateException}.
     */
    <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> task);

    /** As {@link #submit(Callable)}; the future completes with null. */
    CompletableFuture<?> submit(Runnable task);

    /**
     * Runs {@code task} in its turn, and keeps the lane until the stage that it returns, or the future that this
     * returns, completes, in any way. Meanwhile no worker is held. A null stage is a failure.
     */
    <T extends @Nullable Object> CompletableFuture<T> submitAsync(Supplier<? extends CompletionStage<T>> task);

    /**
     * As {@link #submitAsync(Supplier)}, but when {@code limit} has passed since the task returned its stage the future
     * fails with {@link java.util.concurrent.TimeoutException} and the lane goes on.
     *
     * @throws IllegalArgumentException if {@code limit} is not positive
     */
    <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Supplier<? extends CompletionStage<T>> task, Duration limit);

    /**
     * Runs {@code task} unless a newer one is coalesced before it starts: that one then takes its place in the lane. At
     * most one waits at a time, and the last one always runs.
     */
    Coalesced coalesce(Runnable task);

    /** As {@link #coalesce(Runnable)}, with one place for each {@code slot}; slots compare by {@code equals}. */
    Coalesced coalesce(Object slot, Runnable task);

    /**
     * Submits {@code task} when {@code delay} has passed. The future completes when it ran. Of tasks that are due at
     * nearly the same time, any may come first: several threads may submit what is due.
     */
    ScheduledFuture<?> schedule(Runnable task, Duration delay);

    /**
     * Submits {@code task} again and again, {@code period} apart, never before the run before it has ended.
     *
     * @throws IllegalArgumentException if {@code period} is not positive
     */
    ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period);

    /**
     * Submits {@code task} again and again, {@code delay} after the end of the run before it.
     *
     * @throws IllegalArgumentException if {@code delay} is not positive
     */
    ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration initialDelay, Duration delay);

    /**
     * Lets no further task start; the one that runs, or is just about to, ends, and submits are still accepted.
     * Counted.
     */
    void pause();

    /**
     * Takes back one {@link #pause}.
     *
     * @throws IllegalStateException if the lane is not paused
     */
    void resume();

    /**
     * Takes away all tasks that wait, cancels their futures, and returns the tasks as they were handed in, in order. A
     * {@code Callable} or an async task is represented by its future.
     */
    List<Runnable> cancelPending();

    /** Returns a future that completes when everything accepted before this call has ended. */
    CompletableFuture<@Nullable Void> quiesce();

    /** Returns a picture of the lane. */
    LaneSnapshot snapshot();
}
