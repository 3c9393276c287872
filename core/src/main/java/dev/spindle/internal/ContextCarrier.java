// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/** Carries the context of the thread that submits a task to the thread that runs it, by the hook of the user. */
public interface ContextCarrier {
    /** Returns the context of the calling thread. Throws what the hook throws. */
    @Nullable
    Object capture();

    /** Makes {@code captured} the context of the calling thread until the returned action is run. */
    Runnable restore(@Nullable Object captured);
}
