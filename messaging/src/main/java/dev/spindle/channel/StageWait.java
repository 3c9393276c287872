// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.messaging.WithdrawableFuture;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The wait of a future for one clause. */
final class StageWait<V extends @Nullable Object> extends ListedWait {
    private final WithdrawableFuture<V> future = new WithdrawableFuture<>(this);
    private final Function<Pending<?>, V> result;

    /**
     * @param call the method that returns the future
     * @param result the function from the committed clause to the result of the future
     */
    StageWait(String call, Function<Pending<?>, V> result) {
        super(call);
        this.result = result;
    }

    CompletableFuture<V> future() {
        return future;
    }

    @Override
    void call() {
        Pending<?> clause = committed();
        if (clause != null) {
            try {
                clause.requireOpen();
                future.succeed(result.apply(clause));
            } catch (Throwable t) {
                future.fail(t);
            }
        }
    }
}
