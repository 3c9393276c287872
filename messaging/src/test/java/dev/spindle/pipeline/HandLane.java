// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Coalesced;
import dev.spindle.Lane;
import dev.spindle.LaneSnapshot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lane without threads: keeps the tasks of a stage until the test runs them. */
final class HandLane implements Lane {
    private final String name;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final CompletableFuture<@Nullable Void> empty = new CompletableFuture<>();
    private @Nullable Throwable refusal;
    private final AtomicBoolean turn = new AtomicBoolean();
    private boolean quiescing;
    private boolean eager;

    HandLane(String name) {
        this.name = name;
    }

    /** Refuses tasks from now on. */
    void refuse(Throwable with) {
        refusal = with;
    }

    /** Runs tasks from now on while they are handed in. */
    void runAtOnce() {
        eager = true;
    }

    /** Runs all tasks, those that come meanwhile as well. */
    void run() {
        while (runOne()) {}
        if (quiescing) {
            empty.complete(null);
        }
    }

    /** Runs one task if there is any, and no other thread runs one. */
    boolean runOne() {
        if (!turn.compareAndSet(false, true)) {
            return false;
        }
        try {
            Runnable task = next();
            if (task == null) {
                return false;
            }
            task.run();
            return true;
        } finally {
            turn.set(false);
        }
    }

    private synchronized @Nullable Runnable next() {
        return tasks.poll();
    }

    @Override
    public Object key() {
        return name;
    }

    @Override
    public void execute(Runnable task) {
        if (refusal instanceof RuntimeException e) {
            throw e;
        }
        if (refusal instanceof Error e) {
            throw e;
        }
        if (eager) {
            task.run();
            return;
        }
        synchronized (this) {
            tasks.add(task);
        }
    }

    @Override
    public Coalesced coalesce(Runnable task) {
        execute(task);
        throw new AssertionError("what execute refuses, this does too");
    }

    @Override
    public synchronized CompletableFuture<@Nullable Void> quiesce() {
        quiescing = true;
        return tasks.isEmpty() && !turn.get() ? CompletableFuture.completedFuture(null) : empty;
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("no stage uses it");
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
