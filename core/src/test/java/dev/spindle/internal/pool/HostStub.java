// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.PoolConfig;
import org.jspecify.annotations.Nullable;

/** The host of a pool in which no task or thread fails and which does not terminate. */
class HostStub implements PoolConfig.Host {
    private final boolean quiescent;

    HostStub(boolean quiescent) {
        this.quiescent = quiescent;
    }

    @Override
    public boolean isQuiescent() {
        return quiescent;
    }

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
        throw new AssertionError("the pool must not terminate");
    }
}
