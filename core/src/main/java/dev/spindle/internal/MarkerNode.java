// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/**
 * A node that tells when the lane has come to it, whatever happens to the tasks before it: it cannot be withdrawn.
 * Its action is the library's own and runs outside the count of tasks.
 */
public final class MarkerNode extends LateNode {
    /** Creates a marker that runs {@code reached}, which must not throw. */
    public MarkerNode(Runnable reached) {
        super(reached);
    }

    /** Takes the action, once; whoever took it runs it. */
    @Override
    @Nullable
    Runnable take() {
        return super.withdraw();
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
