// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.loop.ConnectionLoop;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The permits for connections to one backend, called places. Places are used if the backend may have fewer connections
 * than there are event loops, so that the connections cannot be divided among the pools.
 *
 * <p>A place passes from one loop to another when a connection of the first loop ends and the second loop opens a
 * connection. Any thread may call any method; pools are called on their loops, outside the monitor.
 */
final class Places {
    /*
     * The monitor guards `taken` and `wanting`.
     *
     * Places-1  `taken` counts the connections of all pools that are OPENING, BUSY or IDLE, and the places that are
     *           being handed over. `taken` is at most `most`.
     * Places-2  A returned place goes to the pool that has wanted a place for the longest time. The place stays taken
     *           until that pool opens a connection or returns the place.
     * Places-3  A pool that wants a place writes `wanting` and then reads `idle`; a pool whose connection becomes idle
     *           writes `idle` and then reads `wanting`. At least one of the two pools sees the write of the other, so
     *           an idle connection is closed for the pool that waits.
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
     * @param pools the pools of all loops; the array may be filled until the first call
     */
    Places(int most, Taker[] pools) {
        this.most = most;
        this.pools = pools;
    }

    /** Returns the number of places. */
    int most() {
        return most;
    }

    /** Takes a place. Returns false if no place is free; then the pool gets a place later, by {@link Taker#granted}. */
    boolean take(Taker pool) {
        synchronized (this) {
            if (taken < most) { // Places-1
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
     * Frees a place, or passes it to the pool that has wanted a place for the longest time. A pool whose loop has ended
     * is skipped.
     */
    void giveBack() {
        @Nullable Taker next;
        do {
            next = next();
        } while (next != null && !next.loop().run(next::granted));
    }

    /** Returns the pool that gets the place. If no pool wants a place, frees the place and returns null. */
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

    /** The pool of one event loop. All methods except {@link #loop} are called on the loop of the pool. */
    interface Taker {
        /** Returns the loop of the pool. */
        ConnectionLoop loop();

        /** Takes a place that the pool wanted. */
        void granted();

        /** Closes an idle connection, if another pool wants its place. */
        void giveWay();
    }
}
