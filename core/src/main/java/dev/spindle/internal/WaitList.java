// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * Collects the waits that one search finds. The waiting party, and the party it waits for, are objects of any kind,
 * compared by identity and shown by their {@code toString}. Exceptions: a lane is shown by its key, a strand or a
 * thread by its name, and a {@link WaitOrigin} as its thread or stage.
 */
public interface WaitList {
    /** Returns the start of the search, by the clock of the pool. */
    long now();

    /**
     * Adds a wait for room.
     *
     * @param since the start of the wait, by the clock of the pool
     */
    void room(Object from, Object to, long since);

    /** Adds a wait for a value that {@code to} provides; see {@link #room}. */
    void value(Object from, Object to, long since);

    /** Records that a lane, strand or thread acts for {@code party}, which is shown in its place. */
    void actsFor(Object part, Object party);
}
