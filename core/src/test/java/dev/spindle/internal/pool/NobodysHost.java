// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.PoolConfig;
import org.jspecify.annotations.Nullable;

/** The host of a pool in which nothing fails, and that nobody ends. */
record NobodysHost(boolean isQuiescent) implements PoolConfig.Host {
    @Override
    public void taskFailed(@Nullable Object key, Runnable task, Throwable failure) {
        throw new AssertionError(failure);
    }

    @Override
    public void threadFailed(Throwable failure) {
        throw new AssertionError(failure);
    }

    @Override
    public void terminated() {
        throw new AssertionError("nobody ends it");
    }
}
