// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/**
 * An entry that is not a plain task: a lane that has work, the offered token of a logical executor, or a due timer. An
 * entry is in the scheduler's queues at most once at any time.
 */
public abstract class ReadyEntry {
    /** Creates an entry that is not ready. */
    protected ReadyEntry() {}

    /** Returns {@code entry} as a ready entry, or null if it is a plain task. */
    public static @Nullable ReadyEntry of(Object entry) {
        return entry instanceof ReadyEntry ready ? ready : null;
    }

    /**
     * Runs a turn, or acts on a due timer. Called by the scheduler's threads, once for each time that the entry was
     * made ready.
     */
    public abstract void turn(WorkerContext r);

    /** Returns the name of a lane; null for any other entry. */
    public @Nullable LaneName lane() {
        return null;
    }

    /** Returns the name of a logical executor; null for any other entry. */
    public @Nullable String executor() {
        return null;
    }

    /**
     * Gives back the permit that this entry holds. Called for an entry that a worker has as its permit, once, at the
     * end of the turn: see {@link WorkerContext#setPermit}.
     */
    public void giveBack() {}

    /**
     * Ends this entry in a pool without threads. A lane runs its barriers, which complete the futures of
     * {@code quiesce}. Returns false if the lane has a task for an existing thread, so that the lane was made ready
     * again.
     */
    public boolean endWithoutThread() {
        return true;
    }
}
