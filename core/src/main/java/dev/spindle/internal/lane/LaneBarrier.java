// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A barrier in a lane that runs an action when the lane reaches it. A barrier cannot be withdrawn, so the lane reaches
 * it even if all earlier tasks are withdrawn. The action is the library's own and does not count as a task.
 */
public final class LaneBarrier extends DeferredTask {
    private final AtomicReference<@Nullable Runnable> reached;

    /** Creates a barrier that runs {@code reached}, which must not throw. */
    public LaneBarrier(Runnable reached) {
        this.reached = new AtomicReference<>(reached);
    }

    /** Takes the action; the thread that gets it runs it, once. */
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
