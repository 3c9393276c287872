// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Headroom;
import dev.spindle.internal.lane.LaneCore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The implementation of {@code invokeAny} for executors whose {@code submit} respects the keys of tasks. */
public final class InvokeAny {
    private InvokeAny() {}

    /**
     * Submits all tasks, returns the first successful result, and cancels the other tasks.
     *
     * @param nanos the maximum wait in nanoseconds, or null for no limit
     * @param first a new future, which receives the result and for which the caller waits
     */
    public static <T extends @Nullable Object> T invokeAny(
            Collection<? extends Callable<T>> tasks,
            Function<Callable<T>, CompletableFuture<T>> submit,
            TaskFuture<T> first,
            @Nullable Long nanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        List<Callable<T>> all = List.copyOf(tasks); // throws NullPointerException for a null element
        if (all.isEmpty()) {
            throw new IllegalArgumentException("invokeAny needs at least one task, tasks is empty");
        }
        List<CompletableFuture<T>> futures = new ArrayList<>(all.size());
        AtomicInteger left = new AtomicInteger(all.size());
        try {
            for (Callable<T> task : all) {
                CompletableFuture<T> future = submit.apply(Objects.requireNonNull(task));
                futures.add(future);
                Headroom.require(); // a stack overflow inside whenComplete would be lost if the future is done
                CompletableFuture<T> unused = future.whenComplete((value, failure) -> {
                    if (failure == null) {
                        first.finish(value);
                    } else if (left.decrementAndGet() == 0) {
                        first.finishExceptionally( // wrapped, so that `first` does not look cancelled
                                failure instanceof CompletionException ? failure : new CompletionException(failure));
                    }
                });
            }
            waitsForItself(futures);
            return nanos == null ? first.get() : first.get(nanos, TimeUnit.NANOSECONDS);
        } finally {
            futures.forEach(f -> f.cancel(true));
        }
    }

    /**
     * Throws an {@link IllegalStateException} if no task has completed, all have the same lane, and the calling
     * thread runs a turn of that lane.
     */
    private static void waitsForItself(List<? extends CompletableFuture<?>> futures)
            throws InterruptedException, ExecutionException {
        LaneCore own = LaneCore.current();
        for (CompletableFuture<?> future : futures) {
            LaneHandle lane = future instanceof TaskFuture<?> task && !task.isDone() ? task.lane() : null;
            if (own == null || lane == null || lane.existing() != own) {
                return;
            }
        }
        futures.get(0).get();
    }
}
