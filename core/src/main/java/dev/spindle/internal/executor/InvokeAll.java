// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The implementation of {@code invokeAll} for executors whose futures know the keys of their tasks. */
public final class InvokeAll {
    private InvokeAll() {}

    /**
     * Executes all tasks, waits for them, and returns their futures, all of which are done. Cancels the unfinished
     * tasks if the time passes, or if this method throws.
     *
     * @param newFuture the function that makes the future of a task
     * @param executor the executor that runs the futures
     * @param nanos the maximum wait in nanoseconds, measured by {@code clock}, or null for no limit
     */
    public static <T extends @Nullable Object> List<Future<T>> invokeAll(
            Collection<? extends Callable<T>> tasks,
            Function<Callable<T>, TaskFuture<T>> newFuture,
            Executor executor,
            LongSupplier clock,
            @Nullable Long nanos)
            throws InterruptedException {
        List<Future<T>> futures = new ArrayList<>(tasks.size());
        List<TaskFuture<T>> entries = new ArrayList<>(tasks.size());
        long begin = nanos == null ? 0 : clock.getAsLong();
        boolean all = false;
        try {
            for (Callable<T> task : tasks) {
                TaskFuture<T> future = newFuture.apply(task);
                futures.add(future);
                entries.add(future);
            }
            for (TaskFuture<T> entry : entries) {
                if (nanos != null && clock.getAsLong() - begin >= nanos) {
                    return futures;
                }
                executor.execute(entry);
            }
            for (TaskFuture<T> future : entries) {
                if (!await(future, nanos == null ? null : nanos - (clock.getAsLong() - begin))) {
                    return futures;
                }
            }
            all = true;
            return futures;
        } finally {
            if (!all) {
                entries.forEach(future -> future.cancel(true));
            }
        }
    }

    /** Waits until {@code future} is done. Returns false if the time passes first. */
    private static boolean await(Future<?> future, @Nullable Long nanos) throws InterruptedException {
        if (future.isDone()) {
            return true;
        }
        try {
            if (nanos == null) {
                future.get();
            } else {
                future.get(nanos, TimeUnit.NANOSECONDS);
            }
        } catch (CancellationException | ExecutionException e) {
            return true; // the future holds the failure
        } catch (TimeoutException e) {
            return false;
        }
        return true;
    }
}
