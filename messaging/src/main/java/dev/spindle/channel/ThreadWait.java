// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.AdaptiveSpin;
import dev.spindle.internal.CallersSimulation;
import dev.spindle.internal.Pool;
import dev.spindle.internal.VirtualThreads;
import dev.spindle.internal.WaitOrigin;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The wait of a thread. */
final class ThreadWait extends ListedWait {
    /** The value of {@code nanos} for a wait without a time limit: 292 years. */
    static final long FOREVER = Long.MAX_VALUE;

    /** The spin of waiting threads, shared by all channels so that at most every second processor spins. */
    private static final AdaptiveSpin SPIN = AdaptiveSpin.ofWaiters(CLOCK);

    private final Thread thread = Thread.currentThread();
    private boolean meets; // true if a clause is for a rendezvous channel

    ThreadWait() {
        super(null);
    }

    @Override
    void begin() {
        beginOutside(); // the thread is not a worker
        for (Pending<?> clause = clauses(); clause != null; clause = clause.sibling) {
            meets |= clause.core.isRendezvous();
        }
    }

    @Override
    WaitOrigin origin() {
        return new WaitOrigin(thread, null, null);
    }

    @Override
    void wake() {
        LockSupport.unpark(thread);
    }

    /**
     * Waits for the decision, for at most {@code nanos} from the time at which this wait began. An interrupt that comes
     * too late to withdraw the wait stays set.
     *
     * @return the committed clause, or null if the time is up
     * @throws InterruptedException if interrupted; nothing was sent or received
     */
    @Nullable
    Pending<?> await(long nanos) throws InterruptedException {
        Pool simulation = CallersSimulation.get();
        if (simulation != null) {
            return await(simulation, nanos);
        }
        if (!VirtualThreads.isVirtual(thread)) { // a virtual thread parks cheaply; a spin would occupy its carrier
            SPIN.await(this::isDecided, AdaptiveSpin.yieldUntil(this::isDecided, nanos, CLOCK));
        } else if (meets) { // with a buffer the thread parks, so that its partner fills or empties much of the buffer
            for (int i = 0; i < ChannelLock.YIELDS && !isDecided(); i++) {
                Thread.yield();
            }
        }
        long end = since() + nanos;
        while (!isDecided()) {
            if (nanos == FOREVER) {
                LockSupport.park(this); // without a time, since a timed park of a virtual thread sets a timer
            } else {
                long left = end - CLOCK.getAsLong();
                if (left <= 0) {
                    boolean unused = withdraw();
                    break;
                }
                LockSupport.parkNanos(this, left);
            }
            leaveIfInterrupted();
        }
        return committed();
    }

    /** Waits in simulated time while the tasks of the simulation run. */
    private @Nullable Pending<?> await(Pool simulation, long nanos) throws InterruptedException {
        try {
            while (!isDecided() && simulation.awaitOutside(this::isDecided, nanos, true) > 0) {
                leaveIfInterrupted();
            }
        } catch (IllegalStateException e) { // no task is left that could decide this wait
            if (withdraw()) {
                throw e;
            }
        }
        if (!isDecided()) {
            boolean unused = withdraw();
        }
        return committed();
    }

    private void leaveIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            if (withdraw()) {
                throw new InterruptedException();
            }
            thread.interrupt();
        }
    }
}
