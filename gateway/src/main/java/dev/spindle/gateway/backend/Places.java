// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.loop.ConnectionLoop;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The places for connections to one backend, if fewer may be open than there are event loops: then the pools of the
 * loops cannot have shares of their own.
 *
 * <p>A place goes from loop to loop: one connection ends, and another begins. Any thread may call any method; pools are
 * called on their loops, outside the monitor.
 */
final class Places {
    /*
     * The monitor guards `taken` and `wanting`.
     *
     * Places-1  `taken` counts the connections of all pools that are OPENING, BUSY or IDLE, and the places that are
     *           being handed over. It is at most `most`.
     * Places-2  A place that is given back goes to the pool that has wanted one for the longest time, and stays taken
     *           until that pool opens a connection or gives it back.
     * Places-3  A pool that wants a place writes `wanting` and then reads `idle`; a pool whose connection becomes idle
     *           writes `idle` and then reads `wanting`. So at least one of them sees the other's write, and an idle
     *           connection is closed for the pool that waits.
     */
    private final int most;
    private final Taker[] pools;
    private final Set<Taker> wanting = new LinkedHashSet<>();
    /** The idle connections of all pools. */
    private final AtomicInteger idle = new AtomicInteger();

    private int taken;

    /**
     * Creates places, none of which is taken.
     *
     * @param pools the pools of all loops; may be filled later, but before the first call
     */
    Places(int most, Taker[] pools) {
        this.most = most;
        this.pools = pools;
    }

    /** Returns the number of places. */
    int most() {
        return most;
    }

    /** Takes a place. Returns false if none is free; then the pool gets one later, by {@link Taker#granted}. */
    boolean take(Taker pool) {
        synchronized (this) {
            if (taken < most) {
                taken++;
                return true;
            }
            wanting.add(pool);
        }
        if (idle.get() > 0) { // Places-3
            for (Taker other : pools) {
                boolean unused = other == pool || other.loop().run(other::giveWay);
            }
        }
        return false;
    }

    /**
     * Gives a place back, or to the pool that has wanted one for the longest time. A pool whose loop has ended is
     * skipped.
     */
    void giveBack() {
        @Nullable Taker next;
        do {
            next = next();
        } while (next != null && !next.loop().run(next::granted));
    }

    /** Returns the pool that gets the place, or null if none wants one: then the place is free. */
    private synchronized @Nullable Taker next() {
        if (wanting.isEmpty()) { // Places-2
            taken--;
            return null;
        }
        Taker first = wanting.iterator().next();
        wanting.remove(first);
        return first;
    }

    /** Returns whether another pool wants a place. */
    synchronized boolean isWantedFrom(Taker pool) {
        return wanting.size() > (wanting.contains(pool) ? 1 : 0);
    }

    /** Counts a connection that has become idle. */
    void becameIdle() {
        idle.incrementAndGet();
    }

    /** Counts a connection that is no longer idle. */
    void endedIdle() {
        idle.decrementAndGet();
    }

    /** The pool of one event loop, as the places see it. All but {@link #loop} is called on its loop. */
    interface Taker {
        /** Returns the loop of the pool. */
        ConnectionLoop loop();

        /** Takes a place that the pool wanted. */
        void granted();

        /** Closes an idle connection, if another pool wants its place. */
        void giveWay();
    }
}
