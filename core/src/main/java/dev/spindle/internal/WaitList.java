// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * Collects the waits that one search finds. The waiting party and the awaited party are objects of any kind, compared
 * by identity. The list shows the key of a lane, the name of a strand or a thread, the thread or stage of a
 * {@link WaitOrigin}, and the {@code toString} of any other party.
 */
public interface WaitList {
    /** Returns the start of the search, by the clock of the pool. */
    long now();

    /**
     * Adds a wait of {@code from} for room in {@code to}.
     *
     * @param since the start of the wait, by the clock of the pool
     */
    void room(Object from, Object to, long since);

    /** Adds a wait of {@code from}, since the time {@code since}, for a value that {@code to} provides. */
    void value(Object from, Object to, long since);

    /**
     * Records that {@code part}, a lane, strand or thread, acts for {@code party}. The list shows {@code party} in
     * place of {@code part}.
     */
    void actsFor(Object part, Object party);
}
