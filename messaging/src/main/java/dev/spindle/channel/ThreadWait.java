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

/** A thread that waits. */
final class ThreadWait extends ListedWait {
    /** A limit that nobody lives to see. */
    static final long FOREVER = Long.MAX_VALUE;

    /** One for all channels, since it keeps at most every second processor awake. */
    private static final AdaptiveSpin SPIN = AdaptiveSpin.ofWaiters(CLOCK::nanoTime);

    /** How often a virtual thread yields to a partner that has to be there soon, before it parks. */
    private static final int YIELDS = 3;

    private final Thread thread = Thread.currentThread();
    private boolean meets; // whether a clause is for a channel without a buffer

    ThreadWait() {
        super(null);
    }

    @Override
    void begin() {
        beginOutside(); // workers do not wait
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
     * Waits for the decision, for at most {@code nanos} from when it was parked. An interrupt that comes too late to
     * withdraw it stays set.
     *
     * @return the clause that was committed; null if the time is up
     * @throws InterruptedException if interrupted; nothing was sent or received then
     */
    @Nullable
    Pending<?> await(long nanos) throws InterruptedException {
        Pool simulation = CallersSimulation.get();
        if (simulation != null) {
            return await(simulation, nanos);
        }
        if (!VirtualThreads.isVirtual(thread)) { // which parks at little cost, and spins at that of its carrier
            SPIN.await(this::isDecided, nanos);
        } else if (meets) { // a buffer is better waited for until much of it was filled, or emptied
            for (int i = 0; i < YIELDS && !isDecided(); i++) {
                Thread.yield();
            }
        }
        long end = since() + nanos;
        while (!isDecided()) {
            if (nanos == FOREVER) {
                LockSupport.park(this); // of a virtual thread, a wait with a limit costs a timer of the JDK's
            } else {
                long left = end - CLOCK.nanoTime();
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

    /** Waits while the tasks of a simulation run, in its time. */
    private @Nullable Pending<?> await(Pool simulation, long nanos) throws InterruptedException {
        try {
            while (!isDecided() && simulation.awaitOutside(this::isDecided, nanos, true) > 0) {
                leaveIfInterrupted();
            }
        } catch (IllegalStateException e) { // nothing would ever decide it
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
