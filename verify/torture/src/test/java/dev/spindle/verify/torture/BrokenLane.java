// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.Activity;
import dev.spindle.Lane;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A lane whose {@code execute} and {@code coalesce} break a promise now and then. */
final class BrokenLane extends AbstractExecutorService implements Lane {
    private static final int EVERY = 50;

    private final Lane sound;
    private final Fault fault;
    private final AtomicInteger submits = new AtomicInteger();
    private final AtomicReference<@Nullable Runnable> kept = new AtomicReference<>();

    /** The faults. */
    enum Fault {
        /** Holds a task back until the next is submitted. */
        SWAPS,
        LOSES,
        DOUBLES,
        /** Runs a task on the submitting thread. */
        RUNS_HERE,
        /** Reports each coalescing task as superseded after some time. */
        FORGETS_SUBMISSIONS,
        /** Lets the lane continue after a pause. */
        IGNORES_PAUSES
    }

    BrokenLane(Lane sound, Fault fault) {
        this.sound = sound;
        this.fault = fault;
    }

    private boolean isNow(Fault asked) {
        return fault == asked && submits.incrementAndGet() % EVERY == 0;
    }

    @Override
    public void execute(Runnable task) {
        if (isNow(Fault.SWAPS) && kept.compareAndSet(null, task)) {
            return;
        }
        if (isNow(Fault.LOSES)) {
            return;
        }
        if (isNow(Fault.RUNS_HERE)) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                return;
            }
            return;
        }
        sound.execute(task);
        Runnable late = kept.getAndSet(null);
        if (late != null) {
            sound.execute(late);
        }
        if (isNow(Fault.DOUBLES)) {
            sound.execute(task);
        }
    }

    @Override
    public CompletableFuture<Boolean> coalesce(Runnable task) {
        boolean forgets = fault == Fault.FORGETS_SUBMISSIONS && submits.incrementAndGet() > EVERY;
        return forgets ? CompletableFuture.completedFuture(false) : sound.coalesce(task);
    }

    @Override
    public void pause() {
        if (fault != Fault.IGNORES_PAUSES) {
            sound.pause();
        }
    }

    @Override
    public void resume() {
        if (fault != Fault.IGNORES_PAUSES) {
            sound.resume();
        }
    }

    // ---------------------------------------------------------------- correct methods

    @Override
    public Object key() {
        return sound.key();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> task) {
        return sound.submit(task);
    }

    @Override
    public CompletableFuture<?> submit(Runnable task) {
        return sound.submit(task);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Runnable task, T result) {
        return sound.submit(task, result);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(Callable<? extends CompletionStage<T>> task) {
        return sound.submitAsync(task);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submitAsync(
            Callable<? extends CompletionStage<T>> task, Duration timeout) {
        return sound.submitAsync(task, timeout);
    }

    @Override
    public CompletableFuture<Boolean> coalesceSlot(Object slot, Runnable task) {
        return sound.coalesceSlot(slot, task);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return sound.schedule(task, delay, unit);
    }

    @Override
    public <V extends @Nullable Object> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        return sound.schedule(task, delay, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long initialDelay, long period, TimeUnit unit) {
        return sound.scheduleAtFixedRate(task, initialDelay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
        return sound.scheduleWithFixedDelay(task, initialDelay, delay, unit);
    }

    @Override
    public boolean isCurrent() {
        return sound.isCurrent();
    }

    @Override
    public void shutdown() {
        sound.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return sound.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return sound.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return sound.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return sound.awaitTermination(timeout, unit);
    }

    @Override
    public void close() {
        sound.close();
    }

    @Override
    public List<Runnable> cancelPending() {
        return sound.cancelPending();
    }

    @Override
    public CompletableFuture<@Nullable Void> quiesce() {
        return sound.quiesce();
    }

    @Override
    public Activity activity() {
        return sound.activity();
    }
}
