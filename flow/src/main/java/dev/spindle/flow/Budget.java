// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on second calls, retries and hedges together, in proportion to first calls: retries add little load to a
 * backend in trouble. Endpoints may share a budget. Thread-safe; each method takes constant time.
 *
 * <p>For {@code n} first calls there are at most {@code share * n + burst} second calls.
 */
public final class Budget {
    private static final long WHOLE = 1_000_000;

    private final long perCall;
    private final long most;
    private final AtomicLong left;

    private Budget(double share, int burst) {
        perCall = Math.round(share * WHOLE);
        most = burst * WHOLE;
        left = new AtomicLong(most);
    }

    /**
     * Returns a new budget.
     *
     * @param share the number of second calls that each first call adds, such as 0.1
     * @param burst the initial and maximum number of available second calls
     * @throws IllegalArgumentException unless 0 &lt;= share &lt;= 1 and burst &gt;= 1
     */
    public static Budget of(double share, int burst) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be from 0 to 1, is " + share);
        }
        if (burst < 1) {
            throw new IllegalArgumentException("burst must be at least 1, is " + burst);
        }
        return new Budget(share, burst);
    }

    void called() {
        for (long now = left.get(); now < most; now = left.get()) {
            if (left.compareAndSet(now, Math.min(most, now + perCall))) {
                return;
            }
        }
    }

    boolean tryTake() {
        for (long now = left.get(); now >= WHOLE; now = left.get()) {
            if (left.compareAndSet(now, now - WHOLE)) {
                return true;
            }
        }
        return false;
    }

    /** Undoes a {@link #tryTake} after which no call was made. */
    void untake() {
        left.updateAndGet(now -> Math.min(most, now + WHOLE));
    }

    /** Returns the number of second calls that may be made now. */
    public int available() {
        return (int) (left.get() / WHOLE);
    }

    /** Returns a string with the calls that are left. */
    @Override
    public String toString() {
        return "budget with " + available() + " left";
    }
}
