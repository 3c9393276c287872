// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A lane without threads whose methods all throw. A fixture overrides those that the code under test may call. */
public abstract class LaneStub extends AbstractExecutorService implements Lane {
    /** Creates the stub, for fixtures. */
    protected LaneStub() {}

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("the code under test should not need it");
    }

    @Override
    public Object key() {
        return "lane";
    }

    @Override
    public CompletableFuture<Boolean> coalesce(Runnable task) {
        throw unused();
    }

    @Override
    public CompletableFuture<Boolean> coalesceSlot(Object slot, Runnable task) {
        throw unused();
    }

    @Override
    public CompletableFuture<@Nullable Void> quiesce() {
        throw unused();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> task) {
        throw unused();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Runnable task, T result) {
        throw unused();
    }

    @Override
    public CompletableFuture<?> submit(Runnable task) {
        throw unused();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(Callable<? extends CompletionStage<T>> task) {
        throw unused();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Callable<? extends CompletionStage<T>> task, Duration timeout) {
        throw unused();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        throw unused();
    }

    @Override
    public <V extends @Nullable Object> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        throw unused();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long initialDelay, long period, TimeUnit unit) {
        throw unused();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
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
    public boolean isCurrent() {
        throw unused();
    }

    @Override
    public Activity activity() {
        throw unused();
    }

    @Override
    public void shutdown() {
        throw unused();
    }

    @Override
    public List<Runnable> shutdownNow() {
        throw unused();
    }

    @Override
    public boolean isShutdown() {
        throw unused();
    }

    @Override
    public boolean isTerminated() {
        throw unused();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        throw unused();
    }

    @Override
    public void close() {
        throw unused();
    }
}
