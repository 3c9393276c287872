// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The function that calls the backend of an {@link Endpoint}.
 *
 * @param <Q> the type of the requests
 * @param <A> the type of the answers
 */
@FunctionalInterface
public interface Call<Q extends @Nullable Object, A extends @Nullable Object> {
    /**
     * Starts the call and returns without waiting. The stage, which may be of any kind, completes with the answer. When
     * the answer is no longer needed, the stage is cancelled by {@code toCompletableFuture().cancel(true)}, if it
     * supports that; so a stage that is shared must be returned as a {@code copy()}. Work that is stopped in another
     * way uses {@link Attempt#onCancel}.
     *
     * <p>An exception, or null, is a failure of the call. A call that blocks delays the caller of the endpoint and
     * belongs in an executor, as in {@code executor.submit(() -> query(id))}.
     *
     * @param attempt the attempt, with the time that is left and its number
     */
    CompletionStage<? extends A> call(Q request, Attempt attempt) throws Exception;
}
