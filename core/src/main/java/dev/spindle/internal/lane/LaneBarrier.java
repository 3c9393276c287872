// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A mailbox entry that runs an action when the lane reaches the entry. A barrier cannot be withdrawn, so the lane
 * reaches it even if all earlier tasks are withdrawn. The action belongs to the library, and is not counted as a task.
 */
public final class LaneBarrier extends DeferredTask {
    private final AtomicReference<@Nullable Runnable> reached;

    /** Creates a barrier that runs {@code reached}, which must not throw. */
    public LaneBarrier(Runnable reached) {
        this.reached = new AtomicReference<>(reached);
    }

    /** Takes and returns the action, which the caller runs. Returns null if the action was taken before. */
    @Override
    @Nullable
    Runnable take() {
        return reached.getAndSet(null);
    }

    @Override
    public @Nullable Runnable withdraw() {
        return null;
    }

    @Override
    boolean isPending() {
        return false;
    }

    @Override
    boolean isBarrier() {
        return true;
    }
}
