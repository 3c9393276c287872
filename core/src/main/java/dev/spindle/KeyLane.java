// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Pool;
import dev.spindle.internal.executor.DelayedTask;
import dev.spindle.internal.executor.DelayedTaskTarget;
import dev.spindle.internal.executor.LaneHandle;
import dev.spindle.internal.executor.TaskFuture;
import dev.spindle.internal.lane.LaneCore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The lane of a key. Its end is that of its spindle. */
final class KeyLane extends TaskService implements Lane {
    private final Spindle spindle;
    private final LaneHandle lane;

    KeyLane(Spindle spindle, Object rawKey) {
        this.spindle = spindle;
        lane = new LaneHandle(spindle.lanes(), rawKey);
    }

    @Override
    public Object key() {
        return lane.key();
    }

    @Override
    Pool pool() {
        return spindle.pool();
    }

    @Override
    public void execute(Runnable task) {
        lane.execute(task);
    }

    @Override
    <T extends @Nullable Object> TaskFuture<T> future(Object task, @Nullable T result) {
        return new TaskFuture<>(spindle.pool(), lane, task, result);
    }

    @Override
    <T> DelayedTask<T> delay(Object task, long delayNanos, long periodNanos) {
        return DelayedTaskTarget.schedule(spindle.lanes(), lane, task, null, delayNanos, periodNanos);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(Callable<? extends CompletionStage<T>> task) {
        return lane.submitAsync(task);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Callable<? extends CompletionStage<T>> task, Duration timeout) {
        return lane.submitAsync(task, timeout);
    }

    @Override
    public CompletableFuture<Boolean> coalesce(Runnable task) {
        return lane.coalesce(task);
    }

    @Override
    public CompletableFuture<Boolean> coalesceSlot(Object slot, Runnable task) {
        return lane.coalesceSlot(slot, task);
    }

    @Override
    public void pause() {
        lane.pause();
    }

    @Override
    public void resume() {
        lane.resume();
    }

    @Override
    public List<Runnable> cancelPending() {
        return lane.cancelPending();
    }

    @Override
    public CompletableFuture<@Nullable Void> quiesce() {
        return lane.quiesce();
    }

    @Override
    public boolean isCurrent() {
        LaneCore current = LaneCore.current();
        return current != null && current == lane.existing();
    }

    @Override
    public LaneSnapshot snapshot() {
        return lane.snapshot();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public void close() {}

    @Override
    public boolean isShutdown() {
        return spindle.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return spindle.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(unit, "unit");
        boolean quiet = awaitEnd(pool(), quiesce(), timeout, unit);
        return quiet && isTerminated();
    }

    @Override
    public String toString() {
        return lane.toString();
    }
}
