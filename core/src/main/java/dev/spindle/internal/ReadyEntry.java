// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the library's own: a lane or the offered token of a logical executor, with accepted tasks behind it, or a
 * timer that is due. It waits in the scheduler's queue at most once at a time, so a link of its own can keep it where
 * the queue finds no memory.
 */
public abstract class ReadyEntry {
    /** The link of the ready queue's overflow stack, and for that queue alone. */
    public @Nullable ReadyEntry nextOverflow;

    /** Creates an entry that is not ready. */
    protected ReadyEntry() {}

    /** Returns {@code entry} as a ready one, or null if it is a plain task. */
    public static @Nullable ReadyEntry of(Object entry) {
        return entry instanceof ReadyEntry ready ? ready : null;
    }

    /**
     * Runs a turn, or does what is due. Called by the scheduler's threads, once for each time that the entry was made
     * ready.
     */
    public abstract void turn(WorkerContext r);

    /** Returns the key of a lane; null for any other entry. */
    public @Nullable Object key() {
        return null;
    }

    /** Returns the name of a logical executor; null for any other entry. */
    public @Nullable String executor() {
        return null;
    }

    /**
     * Does what needs no thread, in a pool that has none; only a lane has anything to do then. False if there is a
     * thread after all, and this was made ready again for it.
     */
    public boolean endWithoutThread() {
        return true;
    }
}
