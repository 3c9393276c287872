// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Durations;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.executor.DelayedTask;
import dev.spindle.internal.executor.InvokeAll;
import dev.spindle.internal.executor.InvokeAny;
import dev.spindle.internal.executor.LaneHandle;
import dev.spindle.internal.executor.TaskFuture;
import dev.spindle.internal.wait.Closing;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The implementation of the JDK's executor interfaces that all executors share. Each submit becomes a call of
 * {@code execute} or a delayed task.
 */
abstract class TaskService extends AbstractExecutorService implements ScheduledExecutorService {
    static {
        Pool.findBy(new Function<>() {
            @Override
            public Lifetime apply(Object executor) {
                return executor instanceof LaneHandle lane ? lane.lifetime() : ((TaskService) executor).lifetime();
            }
        });
    }

    /** Returns the pool that runs the tasks. */
    abstract Pool pool();

    /** Returns the lifetime of this executor, or of its spindle. */
    Lifetime lifetime() {
        return pool().lifetime();
    }

    /** Returns the future of a task that the caller then passes to {@code execute}. */
    abstract <T extends @Nullable Object> TaskFuture<T> future(Object task, @Nullable T result);

    /**
     * Schedules a task.
     *
     * @param periodNanos the period: 0 for one run, positive for a fixed rate, negative for a fixed delay
     */
    abstract <T> DelayedTask<T> delay(Object task, long delayNanos, long periodNanos);

    // ---------------------------------------------------------------- submit

    /**
     * Executes {@code task} and returns the future of its result. A failure of the task goes to the future alone.
     *
     * @throws RejectedExecutionException if the executor is shut down or a bound is reached
     * @throws NullPointerException if {@code task} is null
     */
    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> task) {
        return execute(this.<T>future(task, null));
    }

    /**
     * Executes {@code task} and returns a future that completes with {@code result}. A failure of the task goes to the
     * future alone.
     *
     * @throws RejectedExecutionException if the executor is shut down or a bound is reached
     * @throws NullPointerException if {@code task} is null
     */
    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Runnable task, T result) {
        return execute(future(task, result));
    }

    /**
     * Executes {@code task} and returns a future that completes with null when the task has run. A failure of the task
     * goes to the future alone.
     *
     * @throws RejectedExecutionException if the executor is shut down or a bound is reached
     * @throws NullPointerException if {@code task} is null
     */
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

    /**
     * Returns a future that executes {@code task}. A {@code CompletionService} calls this method and wraps the future.
     */
    @Override
    protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Callable<T> task) {
        return toBeWrapped(future(task, null));
    }

    /**
     * Returns a future that executes {@code task} and completes with {@code result}. A {@code CompletionService} calls
     * this method and wraps the future.
     */
    @Override
    protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Runnable task, T result) {
        return toBeWrapped(future(task, result));
    }

    /**
     * Returns {@code future}. The override of {@link Spindle} refuses a task that carries a key, which a wrapper would
     * hide.
     */
    <T extends @Nullable Object> TaskFuture<T> toBeWrapped(TaskFuture<T> future) {
        return future;
    }

    /**
     * Executes all tasks and returns their futures when all are done.
     *
     * @throws RejectedExecutionException if a task is rejected; the other tasks are cancelled
     */
    @Override
    public <T extends @Nullable Object> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks)
            throws InterruptedException {
        return InvokeAll.invokeAll(tasks, task -> future(task, null), this, pool()::nanoTime, null);
    }

    /**
     * Executes all tasks and returns their futures when all are done or the time has passed. Cancels the tasks that are
     * not done at that time.
     *
     * @throws RejectedExecutionException if a task is rejected; the other tasks are cancelled
     */
    @Override
    public <T extends @Nullable Object> List<Future<T>> invokeAll(
            Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit) throws InterruptedException {
        Long nanos = Durations.toNanos(timeout, unit);
        return InvokeAll.invokeAll(tasks, task -> future(task, null), this, pool()::nanoTime, nanos);
    }

    /**
     * Executes all tasks, returns the result of the first that succeeds, and cancels the others.
     *
     * @throws ExecutionException if every task fails
     * @throws IllegalArgumentException if there is no task
     */
    @Override
    public <T extends @Nullable Object> T invokeAny(Collection<? extends Callable<T>> tasks)
            throws InterruptedException, ExecutionException {
        try {
            return InvokeAny.invokeAny(tasks, this::submit, this.<T>future(tasks, null), null);
        } catch (TimeoutException e) {
            throw new AssertionError("no limit was set", e);
        }
    }

    /**
     * Does what {@link #invokeAny(Collection)} does, with a time limit.
     *
     * @throws TimeoutException if no task has succeeded within {@code timeout}
     */
    @Override
    public <T extends @Nullable Object> T invokeAny(
            Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return InvokeAny.invokeAny(tasks, this::submit, this.<T>future(tasks, null), Durations.toNanos(timeout, unit));
    }

    // ---------------------------------------------------------------- shutdown

    /** Implements {@link #awaitTermination} for an executor whose termination completes {@code end}. */
    static boolean awaitEnd(Pool pool, CompletableFuture<?> end, long timeout, TimeUnit unit)
            throws InterruptedException {
        try {
            long nanos = Objects.requireNonNull(unit, "unit").toNanos(timeout);
            end.get(pool.await(new Closing.Ended(end), nanos, true), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new AssertionError("termination does not fail", e);
        }
    }

    // ---------------------------------------------------------------- schedule

    /**
     * Executes {@code task} after {@code delay}, or at once if {@code delay} is 0 or less. The future completes when
     * the task has run.
     */
    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return delay(task, Durations.toNanos(delay, unit), 0);
    }

    /**
     * Executes {@code task} after {@code delay}, or at once if {@code delay} is 0 or less. The future completes with
     * the result of the task.
     */
    @Override
    public <V extends @Nullable Object> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        return delay(task, Durations.toNanos(delay, unit), 0);
    }

    /**
     * Executes {@code task} periodically, first after {@code initialDelay}, then every {@code period}. A late run
     * delays the following runs, and runs never overlap. The runs end when a run throws, the future is cancelled, or
     * the executor is shut down.
     *
     * @throws IllegalArgumentException if {@code period} is not positive
     */
    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long initialDelay, long period, TimeUnit unit) {
        return delay(task, Durations.toNanos(initialDelay, unit), positive("period", period, unit));
    }

    /**
     * Executes {@code task} repeatedly, first after {@code initialDelay}, then {@code delay} after the end of the
     * previous run. The runs end when a run throws, the future is cancelled, or the executor is shut down.
     *
     * @throws IllegalArgumentException if {@code delay} is not positive
     */
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
