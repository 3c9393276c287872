// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Memory;

/** The bytes that are counted in the memory for one request. Confined to the event loop. */
final class HeldBytes {
    private final Memory memory;
    private final ConnectionLoop loop;
    /** The number of bytes that were taken from the memory. */
    private long held;
    /** The part of `held` that belongs to the body. */
    private long byUpload;
    /** True if the request has ended. */
    private boolean ended;

    HeldBytes(Memory memory, ConnectionLoop loop) {
        this.memory = memory;
        this.loop = loop;
    }

    /** Counts further bytes until the end. Returns false if memory is short or the request has ended. */
    boolean hold(long bytes) {
        if (ended) {
            return false;
        }
        held += bytes;
        return memory.take(loop, bytes) && !ended;
    }

    /** Counts the bytes of the body that are held now. Returns false if memory is short or the request has ended. */
    boolean upload(long now) {
        if (ended) {
            return false;
        }
        long more = now - byUpload;
        byUpload = now;
        if (more > 0) {
            return hold(more);
        }
        held += more;
        memory.give(-more);
        return true;
    }

    /** Returns the number of bytes that are counted. */
    long count() {
        return held;
    }

    /** Gives back all bytes, once. */
    void end() {
        ended = true;
        memory.give(held); // Memory-1
        held = 0;
        byUpload = 0;
    }
}
