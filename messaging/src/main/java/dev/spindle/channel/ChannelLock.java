// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.VirtualThreads;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * The lock of a channel, which a thread holds for some dozen nanoseconds. The lock is not reentrant, since it does not
 * record its owner. To store the owner would also write to the card table of the garbage collector, and the written
 * cache line would move between processors as the lock does.
 */
final class ChannelLock extends AbstractQueuedSynchronizer {
    private static final long serialVersionUID = 1;

    private static final int FREE = 0;
    private static final int HELD = 1;

    /**
     * The number of times that a virtual thread yields before it parks, also if it waits for a partner in a rendezvous.
     * A value through a buffer of 16 takes 96 ns, and 135 without yields (ADR 0013). With 0, 1, 3 and 8 yields, a
     * rendezvous took 1,294, 400, 480 and 1,393 ns, measured in one process each.
     */
    static final int YIELDS = 3;

    /**
     * The number of times that a platform thread spins before it parks. A value between two threads through a buffer of
     * 64 takes 231 ns, and 579 without spins (ADR 0013). With 32 and 128, the
     * difference was below the spread, measured in five forks.
     */
    private static final int SPINS = 64;

    /** Acquires the lock. */
    void lock() {
        if (!tryAcquire(HELD) && !tryAgain()) {
            acquire(HELD);
        }
    }

    private boolean tryAgain() {
        boolean virtual = VirtualThreads.isVirtual(Thread.currentThread());
        for (int left = virtual ? YIELDS : SPINS; left > 0; left--) {
            if (virtual) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
            if (getState() == FREE && tryAcquire(HELD)) {
                return true;
            }
        }
        return false;
    }

    void unlock() {
        boolean unused = release(HELD);
    }

    @Override
    protected boolean tryAcquire(int held) {
        return compareAndSetState(FREE, held); // C1
    }

    @Override
    protected boolean tryRelease(int held) {
        setState(FREE);
        return true;
    }
}
