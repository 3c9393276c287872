// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import dev.spindle.internal.Headroom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A future that both the library and its users complete. A completion by a user first checks the stack: a dependent of
 * the library runs in the completion, and an overflow there could leave a lock held or a step half done.
 */
public class StackCheckedFuture<V extends @Nullable Object> extends CompletableFuture<V> {
    /** Called before a user completes this future. If this method returns false, the completion has no effect. */
    protected boolean withdraw() {
        return true;
    }

    private boolean begin() {
        Headroom.requireTwice();
        return withdraw();
    }

    /** Completes this future for the library, which has checked the stack. */
    public void succeed(V value) {
        boolean unused = super.complete(value);
    }

    /** Completes this future exceptionally for the library, which has checked the stack. */
    public void fail(Throwable failure) {
        boolean unused = super.completeExceptionally(failure);
    }

    @Override
    public final boolean complete(V value) {
        return begin() && super.complete(value);
    }

    @Override
    public final boolean completeExceptionally(Throwable failure) {
        return begin() && super.completeExceptionally(PrintableFailure.of(failure)); // dependents print the failure
    }

    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        return begin() ? super.cancel(mayInterruptIfRunning) : isCancelled();
    }

    @Override
    public final CompletableFuture<V> completeAsync(Supplier<? extends V> supplier, Executor executor) {
        executor.execute(() -> {
            try {
                complete(supplier.get());
            } catch (Throwable t) {
                completeExceptionally(t);
            }
        });
        return this;
    }

    @Override
    public final void obtrudeValue(V value) {
        boolean unused = begin();
        super.obtrudeValue(value);
    }

    @Override
    public final void obtrudeException(Throwable failure) {
        boolean unused = begin();
        super.obtrudeException(failure);
    }

    @Override
    public final <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
