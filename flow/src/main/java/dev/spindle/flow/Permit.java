// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The right to one call, from a {@link Bulkhead}. It is given back once: of several calls of the methods below, by
 * whatever threads, the first counts.
 */
public final class Permit {
    private final Bulkhead bulkhead;
    private final long since;
    private final int inFlight;
    private final AtomicBoolean given = new AtomicBoolean();

    Permit(Bulkhead bulkhead, long since, int inFlight) {
        this.bulkhead = bulkhead;
        this.since = since;
        this.inFlight = inFlight;
    }

    /**
     * Gives the permit back after a call that ended by itself or by its time limit.
     *
     * @param overloaded whether it ran into a time limit or was refused by the backend, which lowers an adaptive limit
     * @return whether this gave it back
     */
    public boolean release(boolean overloaded) {
        if (!given.compareAndSet(false, true)) {
            return false;
        }
        bulkhead.ended(since, inFlight, overloaded);
        return true;
    }

    /**
     * Gives the permit back after a call that was cancelled or never made: a limiter learns nothing from it.
     *
     * @return whether this gave it back
     */
    public boolean ignore() {
        if (!given.compareAndSet(false, true)) {
            return false;
        }
        bulkhead.ignored();
        return true;
    }

    /** Gives it back, and leaves it to the caller to serve who waits. */
    void undo() {
        if (given.compareAndSet(false, true)) {
            boolean unused = bulkhead.undone();
        }
    }

    /** Returns a string that names the bulkhead, and says whether the permit was given back. */
    @Override
    public String toString() {
        return "permit of " + bulkhead + (given.get() ? ", given back" : "");
    }
}
