// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Coalesced;
import dev.spindle.Lane;
import dev.spindle.LaneSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lane without threads: counts how often the task of its strand was handed in, and leaves the runs to the actors. */
final class HandLane implements Lane {
    private final AtomicInteger handedIn = new AtomicInteger();
    private final AtomicBoolean running = new AtomicBoolean();
    private @Nullable Runnable task; // the same each time

    /** Runs what is handed in, unless somebody else does: the lane's turns do not overlap. */
    void run() {
        while (handedIn.get() > 0 && running.compareAndSet(false, true)) {
            for (int now = handedIn.get(); now > 0; now = handedIn.get()) {
                handedIn.getAndDecrement();
                Objects.requireNonNull(task).run();
            }
            running.set(false);
        }
    }

    @Override
    public Object key() {
        return "hand";
    }

    @Override
    public void execute(Runnable given) {
        if (task == null) {
            task = given;
        }
        handedIn.getAndIncrement();
    }

    @Override
    public Coalesced coalesce(Runnable given) {
        throw unused();
    }

    @Override
    public CompletableFuture<@Nullable Void> quiesce() {
        throw unused();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("no claim needs it");
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
    public Coalesced coalesce(Object slot, Runnable task) {
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
