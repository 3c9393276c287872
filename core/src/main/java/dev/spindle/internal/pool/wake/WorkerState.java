// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.wake;

/**
 * The state of a worker, and the states that may follow. Each state may also be followed by {@link #ENDED}, since a
 * thread may fail to start, and may die at any time.
 *
 * <pre>
 *   STARTING ──► COMING ──► WORKING ◄──► SEARCHING
 *       │          ▲         ▲  │           ▲ │
 *       ├──────────│─────────┘  │           │ │
 *       └──────────│────────────│───────────┤ │
 *                  │            ▼           │ ▼
 *                  └─────────── IDLE ───────┘
 *                               │  │
 *                    EXPIRED ◄──┘  └──► ENDING ◄── WORKING, SEARCHING
 * </pre>
 */
public enum WorkerState {
    /** The thread of the worker is being made. */
    STARTING(Bit.STARTING, Bit.COMING | Bit.WORKING | Bit.SEARCHING | Bit.ENDED),
    /** The thread is virtual. It was started or woken, and a long time may pass until a carrier runs it. */
    COMING(Bit.COMING, Bit.WORKING | Bit.ENDED),
    /** Runs an entry, or takes the next one. */
    WORKING(Bit.WORKING, Bit.SEARCHING | Bit.IDLE | Bit.ENDING | Bit.ENDED),
    /** Searches for an entry, or was woken to do so. */
    SEARCHING(Bit.SEARCHING, Bit.WORKING | Bit.IDLE | Bit.ENDING | Bit.ENDED),
    /** Parked or about to park, without an entry. */
    IDLE(Bit.IDLE, Bit.COMING | Bit.SEARCHING | Bit.EXPIRED | Bit.ENDING | Bit.ENDED),
    /** About to end, since the keep-alive has passed, or since there are more workers than a lowered maximum. */
    EXPIRED(Bit.EXPIRED, Bit.ENDED),
    /** About to end with the pool. */
    ENDING(Bit.ENDING, Bit.ENDED),
    /** Has ended, or could not be started. */
    ENDED(Bit.ENDED, 0);

    /** The states as bits. All are constants, so this interface is not loaded. */
    private interface Bit {
        int STARTING = 1;
        int COMING = 1 << 1;
        int WORKING = 1 << 2;
        int SEARCHING = 1 << 3;
        int IDLE = 1 << 4;
        int EXPIRED = 1 << 5;
        int ENDING = 1 << 6;
        int ENDED = 1 << 7;
    }

    final int bit;
    final int next; // the bits of the states that may follow

    // 1 if a worker in this state is counted in the count of the same name (WorkerStates-1), else 0
    final int coming;
    final int awake;
    final int leaving;

    final int staying; // 1 if the thread has started and the worker neither has ended nor is about to end

    /** Whether the thread of the worker may not run for a long time. */
    public final boolean comes;

    /** Whether the worker has to end. */
    public final boolean ends;

    WorkerState(int bit, int next) {
        this.bit = bit;
        this.next = next;
        coming = (bit & (Bit.STARTING | Bit.COMING)) != 0 ? 1 : 0;
        awake = (bit & (Bit.WORKING | Bit.SEARCHING)) != 0 ? 1 : 0;
        leaving = (bit & (Bit.EXPIRED | Bit.ENDING)) != 0 ? 1 : 0;
        staying = (bit & (Bit.COMING | Bit.WORKING | Bit.SEARCHING | Bit.IDLE)) != 0 ? 1 : 0;
        comes = coming > 0;
        ends = leaving > 0 || bit == Bit.ENDED;
    }

    /** Returns whether {@code to} may follow this state. */
    public boolean leadsTo(WorkerState to) {
        return (next & to.bit) != 0;
    }

    /** Returns whether the worker was started or woken, and has neither become idle nor begun to end. */
    public boolean isInService() {
        return coming + awake > 0;
    }
}
