// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * Collects the waits that one look finds. Who waits, and what is waited for, is an object of any kind, told from others
 * by identity and shown by its {@code toString}. A lane is shown by its key, a strand by its name, a thread by its, and
 * a {@link WaitOrigin} as what it stands for.
 */
public interface WaitList {
    /** Returns when the look began, by the clock of the pool. */
    long now();

    /**
     * Adds a wait for room.
     *
     * @param since when it began, by the clock of the pool
     */
    void room(Object from, Object to, long since);

    /** Adds a wait for a value that somebody may bring, as {@link #room}. */
    void value(Object from, Object to, long since);

    /** Says that a lane, strand or thread acts for {@code party} now, which is shown in its place. */
    void actsFor(Object part, Object party);
}
