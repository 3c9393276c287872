// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bound on the bytes of bodies and answers that a gateway holds.
 *
 * <p>A body is counted until the backend's socket has taken it; an answer is counted until the client's socket has
 * taken it. {@link #take} is called on an event loop; any thread may call the other methods.
 */
public final class Memory {
    /*
     * Memory-1  `used` is the sum of the bytes taken and not given back. A request or a connection gives back its bytes
     *           when it ends.
     * Memory-2  While more than `most` is used, the clients that have taken no bytes for the longest time are cut off:
     *           first the clients of the loop that needs memory, then the clients of other loops. A caller whose take
     *           fails ends its request or connection.
     */
    private final long most;
    private final AtomicLong used = new AtomicLong();
    private volatile ConnectionLoop[] loops = {};

    /**
     * Creates a bound; no bytes are held yet.
     *
     * @param most the maximum number of bytes held
     */
    public Memory(long most) {
        this.most = most;
    }

    /** Sets the loops whose clients are cut off when memory is short. Called before the first connection. */
    public void loops(ConnectionLoop[] all) {
        loops = all;
    }

    /**
     * Counts bytes that are held from now on.
     *
     * @param loop the loop of the caller, on whose thread this is called
     * @return false if memory is short; the bytes are counted nevertheless, until the caller gives them back
     */
    public boolean take(ConnectionLoop loop, long bytes) {
        if (used.addAndGet(bytes) <= most) {
            return true;
        }
        relieve(loop);
        if (used.get() > most) {
            for (ConnectionLoop other : loops) {
                if (other != loop) {
                    boolean unused = other.run(() -> relieve(other));
                }
            }
        }
        return used.get() <= most;
    }

    /** Cuts off clients of a loop, on that loop, until usage is within the bound or no client is left to cut off. */
    private void relieve(ConnectionLoop loop) {
        boolean more = true;
        while (more && used.get() > most) {
            more = loop.write.passFirstEarly(); // Memory-2
        }
    }

    /** Subtracts bytes that a caller gives back. */
    public void give(long bytes) {
        if (bytes != 0) {
            used.addAndGet(-bytes);
        }
    }

    /** Returns whether another request may begin. */
    public boolean hasRoom() {
        return used.get() < most;
    }

    /** Returns the number of bytes held. */
    public long used() {
        return used.get();
    }

    /** Returns the maximum number of bytes held. */
    public long most() {
        return most;
    }
}
