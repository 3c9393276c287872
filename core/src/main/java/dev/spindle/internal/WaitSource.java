// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * A part of the library, such as a channel, at which threads or stages wait. A source is registered with the
 * {@link WaitSources} of a pool.
 */
public interface WaitSource {
    /** Adds the current waits to {@code list}. Called without a lock held. */
    void listWaits(WaitList list);
}
