// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/** A node that gives its task away only when the lane has come to it: until then the task may change, or be withdrawn. */
abstract class LateNode extends Node implements Runnable {
    LateNode(@Nullable Runnable task) {
        super(task);
    }

    /** Takes the task to run it, or null when it was withdrawn. For whoever has the node's place in its batch or chain. */
    abstract @Nullable Runnable take();

    /** Ends a node that holds no task any more; false when it holds one. For the owner of the lane. */
    boolean passWithdrawn() {
        return !isPending();
    }

    @Override
    final Runnable content() {
        return this;
    }

    @Override
    public final void run() {
        throw new AssertionError("a node is not a task: take() gives it");
    }
}
