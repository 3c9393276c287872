// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/** The timers of an executor, as the pool of the executor uses them. Any thread may call any method at any time. */
public interface TimerQueue {
    /** Returns whether there is no timer. */
    boolean isEmpty();

    /** Returns whether a timer may be overdue by more than {@code nanos} at {@code now}. Takes no lock. */
    boolean isOverdue(long now, long nanos);

    /**
     * Returns how long a thread that watches the clock may sleep, in nanoseconds; {@link Long#MAX_VALUE} if there is no
     * timer.
     */
    long untilNext(long now);

    /** Fires the timers that are due at {@code now}. Takes no lock if no timer is due. */
    void fire(long now, Scheduler scheduler);
}
