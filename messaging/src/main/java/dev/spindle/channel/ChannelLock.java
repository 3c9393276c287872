// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.VirtualThreads;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * The lock of a channel, which is held for some dozen nanoseconds. Not reentrant: it does not note its owner. To store
 * a reference has the collector note that too, in memory which then goes from processor to processor as the lock does.
 */
final class ChannelLock extends AbstractQueuedSynchronizer {
    private static final long serialVersionUID = 1;

    private static final int FREE = 0;
    private static final int HELD = 1;

    /** How often a thread tries again before it parks: a virtual one yields, which costs it less, another spins. */
    private static final int YIELDS = 3;

    private static final int SPINS = 64;

    /** Takes the lock, also when memory is exhausted. */
    void lock() {
        if (!tryAcquire(HELD) && !tryAgain()) {
            park();
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

    private void park() {
        try {
            acquire(HELD);
        } catch (OutOfMemoryError e) { // before JDK 22, a place in the queue of waiters needs memory
            while (!tryAcquire(HELD)) {
                Thread.yield();
            }
        }
    }

    void unlock() {
        boolean unused = release(HELD);
    }

    @Override
    protected boolean tryAcquire(int held) {
        return compareAndSetState(FREE, held);
    }

    @Override
    protected boolean tryRelease(int held) {
        setState(FREE);
        return true;
    }
}
