// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One call of a backend: what an {@link Endpoint} guards.
 *
 * @param <Q> the type of the requests
 * @param <A> the type of the answers
 */
@FunctionalInterface
public interface Call<Q extends @Nullable Object, A extends @Nullable Object> {
    /**
     * Starts the call and returns at once; the stage completes with the answer. A stage of whatever kind will do. When
     * the answer is not needed any more, the stage is cancelled by {@code toCompletableFuture().cancel(true)}, if it
     * supports that; so a stage that others share is returned as a {@code copy()}. For what must be stopped in another
     * way there is {@link Attempt#onCancel}.
     *
     * <p>A throw, or null, is a failure of the call. If this method blocks, it holds up the caller of the endpoint:
     * blocking calls belong into an executor, as in {@code executor.submit(() -> query(id))}.
     *
     * @param attempt tells how much time is left, and which attempt this is
     */
    CompletionStage<? extends A> call(Q request, Attempt attempt) throws Exception;
}
