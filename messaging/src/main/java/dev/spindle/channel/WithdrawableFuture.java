// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.messaging.StackCheckedFuture;
import org.jspecify.annotations.Nullable;

/** The future of a wait. If the user completes or cancels the future, the wait is withdrawn first. */
final class WithdrawableFuture<V extends @Nullable Object> extends StackCheckedFuture<V> {
    private volatile @Nullable Wait wait;

    WithdrawableFuture(Wait wait) {
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
    protected boolean withdraw() {
        Wait open = wait;
        if (open == null || !open.withdraw()) {
            return false;
        }
        wait = null;
        return true;
    }
}
