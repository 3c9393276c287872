// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one backend, where fewer may be open than there are event loops, so that their pools cannot have
 * shares of their own. A place goes from loop to loop by the end of one connection and the beginning of another.
 */
final class Places {
    /*
     * The monitor guards `taken` and `wanting`. Pools are told outside it, on their loops.
     *
     * Places-1  `taken` counts the connections of all pools that are OPENING, BUSY or IDLE, and the places that are
     *           being handed over. It is at most `most`.
     * Places-2  A place that is given back goes to the pool that has wanted one for longest, which opens a connection
     *           or gives it back. So no pool takes it in between.
     * Places-3  A pool with an idle connection closes it for one that wants a place. The pool that wants writes
     *           `wanting` and reads `idle`; one whose connection becomes idle writes `idle` and reads `wanting`. So one
     *           of them sees the other.
     */
    private final int most;
    private final ConnectionPool[] pools;
    private final Set<ConnectionPool> wanting = new LinkedHashSet<>();
    private final AtomicInteger idle = new AtomicInteger();
    private int taken;

    Places(int most, ConnectionPool[] pools) {
        this.most = most;
        this.pools = pools;
    }

    int most() {
        return most;
    }

    /** Takes a place; if there is none, the pool gets one later, by {@link ConnectionPool#granted}. */
    boolean take(ConnectionPool pool) {
        synchronized (this) {
            if (taken < most) {
                taken++;
                return true;
            }
            wanting.add(pool);
        }
        if (idle.get() > 0) {
            for (ConnectionPool other : pools) {
                boolean unused = other == pool || other.loop().run(other::giveWay);
            }
        }
        return false;
    }

    void giveBack() {
        @Nullable ConnectionPool next;
        do {
            next = next();
        } while (next != null && !next.loop().run(next::granted));
    }

    private synchronized @Nullable ConnectionPool next() {
        if (wanting.isEmpty()) {
            taken--;
            return null;
        }
        ConnectionPool first = wanting.iterator().next();
        wanting.remove(first);
        return first;
    }

    /** Returns whether another pool wants a place. */
    synchronized boolean isWantedFrom(ConnectionPool pool) {
        return wanting.size() > (wanting.contains(pool) ? 1 : 0);
    }

    void becameIdle() {
        idle.incrementAndGet();
    }

    void endedIdle() {
        idle.decrementAndGet();
    }
}
