// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tells when the lane has come to it, whatever happens to the tasks before it: it cannot be withdrawn. Its action is the
 * library's own and runs outside the count of tasks.
 */
public final class MarkerTask extends LateTask {
    private final AtomicReference<@Nullable Runnable> reached;

    /** Creates a marker that runs {@code reached}, which must not throw. */
    public MarkerTask(Runnable reached) {
        this.reached = new AtomicReference<>(reached);
    }

    /** Takes the action, once; whoever took it runs it. */
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
    boolean passWithdrawn() {
        return false;
    }
}
