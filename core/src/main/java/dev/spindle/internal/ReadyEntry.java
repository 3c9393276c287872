// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/**
 * An entry with accepted tasks behind it: a lane, or the offered token of a logical executor. It waits in the scheduler's
 * queue at most once at a time, so a link of its own can keep it where the queue finds no memory.
 */
public abstract sealed class ReadyEntry permits LaneGate, TokenCore, FlightEvents.WaitingEntry {
    @Nullable
    ReadyEntry nextOverflow; // WorkerPool's

    /** Runs a turn. Called by the scheduler's threads, once for each time that the entry was made ready. */
    public abstract void turn(Runner r);
}
