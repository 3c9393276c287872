// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/**
 * Where a wait began.
 *
 * @param thread the thread that waits; null for a stage, whose caller goes on
 * @param turn the lane or logical executor whose turn the thread ran, or null
 * @param call the method that returned the stage, or null
 */
public record WaitOrigin(
        @Nullable Thread thread,
        @Nullable ReadyEntry turn,
        @Nullable String call) {
    /** Returns the calling thread, which is about to wait. */
    public static WaitOrigin ofThread() {
        return new WaitOrigin(Thread.currentThread(), turnNow(), null);
    }

    /** Returns a stage, which the calling thread gets from {@code call}. */
    public static WaitOrigin ofStage(String call) {
        return new WaitOrigin(null, turnNow(), call);
    }

    private static @Nullable ReadyEntry turnNow() {
        WorkerContext worker = WorkerContext.current();
        return worker == null ? null : worker.turn();
    }
}
