// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.internal.Headroom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The right to one call, from a {@link Bulkhead}. Any thread may give the permit back, by one of the methods of this
 * class. Only the first call of these methods has an effect.
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
    private final int running;

    @SuppressWarnings("FieldMayBeFinal") // set by GIVEN
    private volatile boolean given;

    Permit(Bulkhead bulkhead, long since, int running) {
        this.bulkhead = bulkhead;
        this.since = since;
        this.running = running;
    }

    /**
     * Gives the permit back after a call that ended by itself, with or without success.
     *
     * @return false if the permit had been given back before
     */
    public boolean success() {
        return release(false);
    }

    /**
     * Gives the permit back after a call that ran into a time limit or was refused by the backend. A limiter that
     * learns its limit then lowers the limit.
     *
     * @return false if the permit had been given back before
     */
    public boolean overloaded() {
        return release(true);
    }

    private boolean release(boolean overloaded) {
        Headroom.requireTwice();
        return release(overloaded, 0);
    }

    /**
     * Does what {@link #success} or {@link #overloaded} does, for a call that held the permit {@code lessNanos} longer
     * than the backend took.
     */
    boolean release(boolean overloaded, long lessNanos) {
        if (!GIVEN.compareAndSet(this, false, true)) {
            return false;
        }
        bulkhead.ended(since, lessNanos, running, overloaded);
        return true;
    }

    /**
     * Gives the permit back after a call that was cancelled or not made, from which the limiter learns nothing.
     *
     * @return false if the permit had been given back before
     */
    public boolean ignore() {
        Headroom.requireTwice();
        return unused();
    }

    /** Does what {@link #ignore} does, for a caller that has checked the stack. */
    boolean unused() { // Bulkhead-1
        if (!GIVEN.compareAndSet(this, false, true)) {
            return false;
        }
        bulkhead.ignored();
        return true;
    }

    /** Gives the permit back. The caller then serves the waiting calls. */
    void undo() {
        if (GIVEN.compareAndSet(this, false, true)) {
            boolean unused = bulkhead.undone();
        }
    }

    /** Returns a string with the bulkhead and whether the permit was given back. */
    @Override
    public String toString() {
        return "permit of " + bulkhead + (given ? ", given back" : "");
    }
}
