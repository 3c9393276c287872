// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.internal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on second calls, which are retries and hedges, in proportion to first calls. The bound keeps retries from
 * overloading a slow backend. This class is thread-safe.
 *
 * <p>For {@code n} first calls there are at most {@code share * n + burst} second calls.
 */
public final class Budget {
    /** The number of units that one second call takes. A first call adds its share of these units. */
    private static final long WHOLE = 1_000_000;

    private final long perCall;
    private final long most;
    private final AtomicLong left;

    /**
     * Creates a budget.
     *
     * @param share the number of second calls that each first call adds, from 0 to 1
     * @param burst the initial and maximum number of available second calls, at least 1
     */
    public Budget(double share, int burst) {
        perCall = Math.round(share * WHOLE);
        most = burst * WHOLE;
        left = new AtomicLong(most);
    }

    /** Adds the share of a first call. */
    public void called() {
        for (long now = left.get(); now < most; now = left.get()) {
            if (left.compareAndSet(now, Math.min(most, now + perCall))) {
                return;
            }
        }
    }

    /** Takes one second call from the budget. Returns false if none is left. */
    public boolean tryTake() {
        for (long now = left.get(); now >= WHOLE; now = left.get()) {
            if (left.compareAndSet(now, now - WHOLE)) {
                return true;
            }
        }
        return false;
    }

    /** Undoes a {@link #tryTake} after which no call was made. */
    public void untake() {
        left.updateAndGet(now -> Math.min(most, now + WHOLE));
    }

    /** Returns the number of second calls that may be made now. */
    public int available() {
        return (int) (left.get() / WHOLE);
    }
}
