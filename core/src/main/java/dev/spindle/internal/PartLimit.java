// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * A time limit of a part of the library. It does not keep the executor from terminating, since that part ends it
 * before. See {@link PoolConfig.Host#limit}.
 */
public interface PartLimit {
    /** Cancels the limit; false if its action has started or is about to, or it was cancelled before. */
    boolean cancel();
}
