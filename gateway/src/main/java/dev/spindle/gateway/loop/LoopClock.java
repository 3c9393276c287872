// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import java.util.function.LongSupplier;

/**
 * The clock of an event loop, which is read once for all that the loop does between two waits, and again at each head.
 *
 * <p>Confined to the thread of the loop.
 */
final class LoopClock implements LongSupplier {
    /*
     * LoopClock-1  A reading is not older than the last wait of the loop for its sockets. So an idle loop starts no
     *              limit that has passed before its time.
     */
    private final LongSupplier clock;
    private long now;
    /** False if the clock must be read again. */
    private boolean read;

    LoopClock(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns the time at the last reading, or reads the clock if the loop has waited since. */
    @Override
    public long getAsLong() {
        if (!read) {
            now = clock.getAsLong();
            read = true;
        }
        return now;
    }

    /** Makes the next call read the clock. */
    void forget() {
        read = false;
    }
}
