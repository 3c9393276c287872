// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The right to one call, from a {@link Bulkhead}. It is given back once: of several calls of the methods below, by
 * whatever threads, the first counts.
 */
public final class Permit {
    private static final VarHandle GIVEN;

    static {
        try {
            GIVEN = MethodHandles.lookup().findVarHandle(Permit.class, "given", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Bulkhead bulkhead;
    private final long since;
    private final int inFlight;

    @SuppressWarnings("FieldMayBeFinal") // set by GIVEN
    private volatile boolean given;

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
        Headroom.forOneStep();
        return release(overloaded, 0);
    }

    /** As {@link #release(boolean)}, after a call that took {@code lessNanos} less than it held the permit. */
    boolean release(boolean overloaded, long lessNanos) {
        if (!GIVEN.compareAndSet(this, false, true)) {
            return false;
        }
        bulkhead.ended(since, lessNanos, inFlight, overloaded);
        return true;
    }

    /**
     * Gives the permit back after a call that was cancelled or never made: a limiter learns nothing from it.
     *
     * @return whether this gave it back
     */
    public boolean ignore() {
        Headroom.forOneStep();
        return unused();
    }

    /** As {@link #ignore}, for a caller that has the stack for it. */
    boolean unused() {
        if (!GIVEN.compareAndSet(this, false, true)) {
            return false;
        }
        bulkhead.ignored();
        return true;
    }

    /** Gives it back, and leaves it to the caller to serve the calls that wait. */
    void undo() {
        if (GIVEN.compareAndSet(this, false, true)) {
            boolean unused = bulkhead.undone();
        }
    }

    /** Returns a string that names the bulkhead, and says whether the permit was given back. */
    @Override
    public String toString() {
        return "permit of " + bulkhead + (given ? ", given back" : "");
    }
}
