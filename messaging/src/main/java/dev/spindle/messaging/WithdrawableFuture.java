// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import org.jspecify.annotations.Nullable;

/** The future of a wait. If the user completes or cancels the future, the wait is withdrawn first. */
public final class WithdrawableFuture<V extends @Nullable Object> extends StackCheckedFuture<V> {
    private volatile @Nullable Withdrawable wait;

    /** A wait that ends once: it is decided, or withdrawn. */
    public interface Withdrawable {
        /** Withdraws the wait; returns false if the wait is decided. */
        boolean withdraw();
    }

    public WithdrawableFuture(Withdrawable wait) {
        this.wait = wait;
    }

    @Override
    public void succeed(V value) {
        wait = null; // it is decided
        super.succeed(value);
    }

    @Override
    public void fail(Throwable failure) {
        wait = null;
        super.fail(failure);
    }

    /** Withdraws the wait; returns false if the wait is decided. */
    @Override
    public boolean withdraw() {
        Withdrawable open = wait;
        if (open == null || !open.withdraw()) {
            return false;
        }
        wait = null;
        return true;
    }
}
