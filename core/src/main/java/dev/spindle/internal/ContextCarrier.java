// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/**
 * Carries a context from the submitting thread to the thread that runs the task, with the user's {@code ContextHook}.
 */
public interface ContextCarrier {
    /** Returns the context of the calling thread. Throws what the hook throws. */
    @Nullable
    Object capture();

    /** Makes {@code captured} the context of the calling thread until the returned action runs. */
    Runnable restore(@Nullable Object captured);
}
