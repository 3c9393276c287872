// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.internal;

import org.jspecify.annotations.Nullable;

/** The write side of a call's result: the future of its caller, or its slot in a scatter-gather. */
public interface Promise<T extends @Nullable Object> {
    /** Accepts the result. Returns false if the result is no longer needed. */
    boolean settle(T result);
}
