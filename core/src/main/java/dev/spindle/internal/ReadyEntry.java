// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the library's own: a lane or the offered token of a logical executor, with accepted tasks behind it, or a timer
 * that is due. It waits in the scheduler's queue at most once at a time, so a link of its own can keep it where the queue
 * finds no memory.
 */
public abstract sealed class ReadyEntry permits LaneGate, TokenCore, Timers.Timer, FlightEvents.WaitingEntry {
    @Nullable
    ReadyEntry nextOverflow; // WorkerPool's

    /** Runs a turn, or does what is due. Called by the scheduler's threads, once for each time that the entry was made ready. */
    public abstract void turn(Runner r);
}
