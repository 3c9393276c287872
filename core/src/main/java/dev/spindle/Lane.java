// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * An executor that runs its tasks one at a time, in the order of their submits, on the workers of a {@link Spindle}. A
 * lane belongs to a key ({@link Keyed#at}) or is a {@link Strand}. The object for the lane of a key stays valid even if
 * the spindle removes the idle lane.
 *
 * <p><b>Stages.</b> The {@code Async} stages of the futures that this lane returns, such as that of
 * {@code thenApplyAsync(function)}, run on this lane, in the order in which they were attached to their future, and in
 * the context of their attachment. So do those of derived futures. A stage is accepted until the executor has
 * terminated, even at a bound; a later stage fails with the rejection, and its function is not called. A close waits
 * for an attached stage, also while the stage waits for a future from elsewhere, as after {@code thenCompose}.
 * {@link #cancelPending} and a {@code shutdownNow} cancel waiting stages. Other dependents run in the thread that
 * completes the future or, if the future is done, in the thread that attaches them. A future keeps its key reachable.
 *
 * <p><b>Delayed tasks</b> are submitted when they are due. Tasks that are due at nearly the same time may run in any
 * order, since several threads may submit them. Runs of a periodic task never overlap.
 *
 * <p><b>Shutdown.</b> The lane of a key ends with its spindle. Its {@code shutdown}, {@code shutdownNow} and
 * {@code close} have no effect, as on {@link java.util.concurrent.ForkJoinPool#commonPool}. Its
 * {@code awaitTermination} waits until the lane has no tasks, and returns true only if the spindle has terminated. A
 * {@link Strand} has its own shutdown.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread, even within tasks of this lane. A submit never runs
 * the task itself, not even inside a turn of the same lane, and blocks only if {@link OnFull#block} is chosen.
 *
 * <p><b>Rejection.</b> All submits throw {@link NullPointerException} for a null argument, and
 * {@link java.util.concurrent.RejectedExecutionException} after a shutdown, at a bound, or if no thread exists and none
 * can be started.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it submits a task happen-before the task. Every turn
 * of a lane happens-before the next turn of that lane, even on another thread. A task happens-before the completion of
 * its future.
 */
public interface Lane extends ScheduledExecutorService {
    /** Returns the key, or the name of a strand. */
    Object key();

    /**
     * Runs {@code task} after all tasks that the lane accepted earlier. A failure of the task goes to the
     * {@link SpindleBuilder#onFailure failure handler}.
     */
    @Override
    void execute(Runnable task);

    /**
     * Runs {@code task} as {@link #execute} does and returns a future of its result. Waiting for that future, or for
     * one derived from it, in a turn of this lane throws {@link IllegalStateException}. If the result is a
     * {@link CompletionStage}, the lane does not wait for the stage, and a warning is logged once for each class of
     * task. {@link #submitAsync(Callable)} makes the lane wait. As in the JDK, a reference to an overloaded method is
     * ambiguous; a lambda is not.
     */
    @Override
    <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> task);

    /** Does what {@link #submit(Callable)} does; the future completes with null. */
    @Override
    CompletableFuture<?> submit(Runnable task);

    /** Does what {@link #submit(Callable)} does; the future completes with {@code result}. */
    @Override
    <T extends @Nullable Object> CompletableFuture<T> submit(Runnable task, T result);

    /**
     * Runs {@code task}, which then holds the lane, but no worker. The lane continues when the stage that {@code task}
     * returned, or the future that this method returned, has completed in any way. If the stage is null, the task
     * fails.
     */
    <T extends @Nullable Object> CompletableFuture<T> submitAsync(Callable<? extends CompletionStage<T>> task);

    /**
     * Does what {@link #submitAsync(Callable)} does, with a timeout, which begins when the task returns its stage. When
     * the timeout has elapsed, the future fails with {@link java.util.concurrent.TimeoutException} and the lane
     * continues.
     *
     * @throws IllegalArgumentException if {@code timeout} is not positive
     */
    <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Callable<? extends CompletionStage<T>> task, Duration timeout);

    /**
     * Runs {@code task} unless a newer task is coalesced before {@code task} starts. A newer task takes the place of
     * {@code task} in the lane. At most one coalesced task waits at any time. The task that was coalesced last always
     * runs.
     *
     * @return a future that completes with true when the task has run, and with false when a newer task has superseded
     *     it. Cancelling the future withdraws the task. A failure of the task goes to the future and to the
     *     {@link SpindleBuilder#onFailure failure handler}.
     */
    CompletableFuture<Boolean> coalesce(Runnable task);

    /**
     * Does what {@link #coalesce(Runnable)} does, separately for each {@code slot}. Slots compare by {@code equals}.
     */
    CompletableFuture<Boolean> coalesceSlot(Object slot, Runnable task);

    /**
     * Prevents further tasks from starting. A task that runs or is about to run completes, and submits are still
     * accepted. Pauses are counted: each pause needs its own {@link #resume}. A shutdown ends all pauses.
     */
    void pause();

    /**
     * Reverses one {@link #pause}.
     *
     * @throws IllegalStateException if the lane is neither paused nor shut down
     */
    void resume();

    /**
     * Removes all waiting tasks, cancels their futures, and returns the tasks as they were submitted, in order. A
     * {@code Callable} or an async task is represented by its future.
     */
    List<Runnable> cancelPending();

    /** Returns a future that completes when all tasks accepted before this call have ended. */
    CompletableFuture<@Nullable Void> quiesce();

    /** Returns true if the calling thread runs a task of this lane. */
    boolean isCurrent();

    /** Ends a strand ({@link Strand#close}); has no effect on the lane of a key. */
    void close();

    /** Returns a snapshot of the lane. Takes time in proportion to the number of pending tasks. */
    Activity activity();
}
