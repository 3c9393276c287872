// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.Headroom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The future of a wait. If the user completes or cancels the future, the wait is withdrawn first. */
final class WithdrawableFuture<V extends @Nullable Object> extends CompletableFuture<V> {
    private volatile @Nullable Wait wait;

    WithdrawableFuture(Wait wait) {
        this.wait = wait;
    }

    /** Completes this future for its wait, which is decided. */
    void succeed(V value) {
        wait = null;
        super.complete(value);
    }

    /** Completes this future exceptionally for its wait, which is decided. */
    void fail(Throwable failure) {
        wait = null;
        super.completeExceptionally(failure);
    }

    /** Withdraws the wait; returns false if the wait is decided. */
    boolean withdraw() {
        Headroom.requireTwice(); // an overflow during the withdrawal could leave a clause in a queue, or a lock held
        Wait open = wait;
        if (open == null || !open.withdraw()) {
            return false;
        }
        wait = null;
        return true;
    }

    @Override
    public boolean complete(V value) {
        return withdraw() && super.complete(value);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return withdraw() && super.completeExceptionally(failure);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return withdraw() ? super.cancel(mayInterruptIfRunning) : isCancelled();
    }

    @Override
    public CompletableFuture<V> completeAsync(Supplier<? extends V> supplier, Executor executor) {
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
    public void obtrudeValue(V value) {
        boolean unused = withdraw();
        super.obtrudeValue(value);
    }

    @Override
    public void obtrudeException(Throwable failure) {
        boolean unused = withdraw();
        super.obtrudeException(failure);
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
