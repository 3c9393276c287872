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
     * Starts the call and returns without waiting. The returned stage completes with the answer. When the answer is no
     * longer needed, the stage is cancelled by {@code toCompletableFuture().cancel(true)}, if the stage supports this
     * method. Cancelling would affect other users of the stage, so a shared stage must be returned as a {@code copy()}.
     * Work that must be stopped in another way is stopped by an action of {@link Attempt#onCancel}.
     *
     * <p>If this method throws or returns null, the call fails. If this method blocks, it delays the caller of the
     * endpoint. Run blocking code in an executor, as in {@code executor.submit(() -> query(id))}.
     *
     * @param attempt the attempt, with its deadline and its number
     */
    CompletionStage<? extends A> call(Q request, Attempt attempt) throws Exception;
}
