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
     * The number of times that a platform thread tries to acquire the lock before the thread parks. A value between two
     * threads through a buffer of 64 takes 231 ns, and 579 if the thread parks at once (ADR 0013). Measured with the
     * pauses below; other numbers of tries were not.
     */
    private static final int TRIES = 4;

    /**
     * The number of pauses before each of these tries. With one pause, the lock moves to the other processor after
     * nearly every use, and so do the fields that it guards: an update of one of 10,000 keys takes 445 ns, and 221 with
     * 64 pauses. Values through buffers of 1 and 64 take the same time with both. Measured, medians of three forks.
     */
    private static final int PAUSES = 64;

    /** Acquires the lock. */
    void lock() {
        if (!tryAcquire(HELD) && !tryAgain()) {
            acquire(HELD);
        }
    }

    private boolean tryAgain() {
        boolean virtual = VirtualThreads.isVirtual(Thread.currentThread());
        for (int left = virtual ? YIELDS : TRIES; left > 0; left--) {
            if (virtual) {
                Thread.yield();
            } else {
                pause();
            }
            if (getState() == FREE && tryAcquire(HELD)) {
                return true;
            }
        }
        return false;
    }

    private static void pause() {
        for (int left = PAUSES; left > 0; left--) {
            Thread.onSpinWait();
        }
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
