// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/**
 * The thread or stage that waits, and the turn in which the wait began.
 *
 * @param thread the thread that waits; null for a stage, whose caller does not block
 * @param turn the lane or logical executor whose turn the thread ran, or null
 * @param call the method that returned the stage, or null
 */
public record WaitOrigin(
        @Nullable Thread thread,
        @Nullable ReadyEntry turn,
        @Nullable String call) {
    /** Returns the origin of a wait of the calling thread. */
    public static WaitOrigin ofThread() {
        return new WaitOrigin(Thread.currentThread(), turnNow(), null);
    }

    /** Returns the origin of a wait of a stage that the method {@code call} returns to the calling thread. */
    public static WaitOrigin ofStage(String call) {
        return new WaitOrigin(null, turnNow(), call);
    }

    private static @Nullable ReadyEntry turnNow() {
        WorkerContext worker = WorkerContext.current();
        return worker == null ? null : worker.turn();
    }
}
