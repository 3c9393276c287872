// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lane without threads whose methods all throw. A fixture overrides those that the code under test may call. */
public abstract class LaneStub implements Lane {
    /** Creates the stub, for fixtures. */
    protected LaneStub() {}

    @Override
    public Object key() {
        return "lane";
    }

    @Override
    public CompletableFuture<Boolean> coalesce(Runnable task) {
        throw unused();
    }

    @Override
    public CompletableFuture<@Nullable Void> quiesce() {
        throw unused();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("the code under test should not need it");
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> task) {
        throw unused();
    }

    @Override
    public CompletableFuture<?> submit(Runnable task) {
        throw unused();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(Supplier<? extends CompletionStage<T>> task) {
        throw unused();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Supplier<? extends CompletionStage<T>> task, Duration limit) {
        throw unused();
    }

    @Override
    public CompletableFuture<Boolean> coalesceSlot(Object slot, Runnable task) {
        throw unused();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Duration delay) {
        throw unused();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period) {
        throw unused();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration initialDelay, Duration delay) {
        throw unused();
    }

    @Override
    public void pause() {
        throw unused();
    }

    @Override
    public void resume() {
        throw unused();
    }

    @Override
    public List<Runnable> cancelPending() {
        throw unused();
    }

    @Override
    public LaneSnapshot snapshot() {
        throw unused();
    }
}
