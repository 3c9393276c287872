// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Durations;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolLookup;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The part of the JDK's executor interfaces that all executors share: every submit leads to {@code execute} or to a
 * delay.
 */
abstract class TaskService extends AbstractExecutorService implements ScheduledExecutorService {
    static {
        PoolLookup.findBy(executor -> ((TaskService) executor).pool());
    }

    /** Returns what runs the tasks. */
    abstract Pool pool();

    /** Returns the future of a task that is about to be handed to {@code execute}. */
    abstract <T extends @Nullable Object> TaskFuture<T> future(Object task, @Nullable T result);

    /**
     * Schedules a task.
     *
     * @param periodNanos 0 for one run, positive for a fixed rate, negative for a fixed delay
     */
    abstract <T> DelayedTask<T> delay(Object task, long delayNanos, long periodNanos);

    // ---------------------------------------------------------------- submit

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> task) {
        return execute(this.<T>future(task, null));
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Runnable task, T result) {
        return execute(future(task, result));
    }

    @Override
    public CompletableFuture<?> submit(Runnable task) {
        TaskFuture<@Nullable Void> future = future(task, null);
        execute((Runnable) future);
        return future;
    }

    private <T extends @Nullable Object> TaskFuture<T> execute(TaskFuture<T> future) {
        execute((Runnable) future);
        return future;
    }

    @Override
    protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Callable<T> task) {
        return future(task, null);
    }

    @Override
    protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Runnable task, T result) {
        return future(task, result);
    }

    @Override
    public <T extends @Nullable Object> T invokeAny(Collection<? extends Callable<T>> tasks)
            throws InterruptedException, ExecutionException {
        try {
            return InvokeAny.invokeAny(tasks, this::submit, this.<T>future(tasks, null), null);
        } catch (TimeoutException e) {
            throw new AssertionError("no limit was set", e);
        }
    }

    @Override
    public <T extends @Nullable Object> T invokeAny(
            Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return InvokeAny.invokeAny(tasks, this::submit, this.<T>future(tasks, null), Durations.toNanos(timeout, unit));
    }

    // ---------------------------------------------------------------- shutdown

    /** As {@link #awaitTermination}; {@code end} is completed by the termination. */
    static boolean awaitEnd(Pool pool, CompletableFuture<?> end, long timeout, TimeUnit unit)
            throws InterruptedException {
        try {
            end.get(
                    pool.await(end::isDone, Objects.requireNonNull(unit, "unit").toNanos(timeout)),
                    TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new AssertionError("termination does not fail", e);
        }
    }

    // ---------------------------------------------------------------- schedule

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return delay(task, Durations.toNanos(delay, unit), 0);
    }

    @Override
    public <V extends @Nullable Object> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        return delay(task, Durations.toNanos(delay, unit), 0);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long initialDelay, long period, TimeUnit unit) {
        return delay(task, Durations.toNanos(initialDelay, unit), positive("period", period, unit));
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
        return delay(task, Durations.toNanos(initialDelay, unit), -positive("delay", delay, unit));
    }

    private static long positive(String what, long amount, TimeUnit unit) {
        if (amount <= 0) {
            throw new IllegalArgumentException(what + " must be positive, is " + amount + " " + unit);
        }
        return Math.max(1, Durations.toNanos(amount, unit));
    }
}
