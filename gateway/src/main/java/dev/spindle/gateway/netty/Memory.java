// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of bodies and answers that a gateway holds, which are bounded: bodies until the backend's socket took them,
 * answers until the client's did.
 */
final class Memory {
    /*
     * Memory-1  `used` is the sum of what was taken and not given back, by any loop. What a request or a connection
     *           took it gives back with its end.
     * Memory-2  When more is used than may be, the clients that have taken nothing for the longest are cut off first,
     *           until it is enough: those of the loop that needs memory, then those of the others. A take that fails
     *           ends its own request.
     */
    private final long most;
    private final AtomicLong used = new AtomicLong();
    private volatile Loop[] loops = {};

    Memory(long most) {
        this.most = most;
    }

    /** Sets the loops whose clients are cut off when memory is short. */
    void loops(Loop[] all) {
        loops = all;
    }

    /** Counts bytes that are held from now on. False if there is no memory for them; they are counted nevertheless. */
    boolean take(Loop loop, long bytes) {
        if (used.addAndGet(bytes) <= most) {
            return true;
        }
        relieve(loop);
        if (used.get() > most) {
            for (Loop other : loops) {
                if (other != loop) {
                    boolean unused = other.run(() -> relieve(other));
                }
            }
        }
        return used.get() <= most;
    }

    private void relieve(Loop loop) {
        boolean more = true;
        while (more && used.get() > most) {
            more = loop.write.passFirstEarly();
        }
    }

    void give(long bytes) {
        if (bytes != 0) {
            used.addAndGet(-bytes);
        }
    }

    /** Returns whether a request can begin. */
    boolean hasRoom() {
        return used.get() < most;
    }

    long used() {
        return used.get();
    }

    long most() {
        return most;
    }
}
