// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A stage that waits for one clause. */
final class StageWait<V extends @Nullable Object> extends Wait {
    private final WithdrawableFuture<V> future = new WithdrawableFuture<>(this);
    private final Function<Pending<?>, V> result;

    /** @param result what a committed clause completes the stage with */
    StageWait(Function<Pending<?>, V> result) {
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
