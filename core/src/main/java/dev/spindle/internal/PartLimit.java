// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * A time limit of a part of the library, which keeps no executor from terminating: the part ends it before. See
 * {@link PoolConfig.Host#limit}.
 */
public interface PartLimit {
    /** Cancels it; false if its action has begun, or is about to, or it was cancelled before. */
    boolean cancel();
}
