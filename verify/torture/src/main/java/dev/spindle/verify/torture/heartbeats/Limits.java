// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.heartbeats;

import java.util.concurrent.TimeUnit;

/** The limits of delays. A tick is a sleep of one millisecond of the control thread. */
final class Limits {
    /**
     * A beat is starved if it is overdue by this number of ticks, while every runner has made progress and all have
     * computed for {@link #STARVED_WORK_NANOS} in total. The kernel, or the host of a virtual machine, may suspend one
     * thread for tenths of a second while other threads compute. Starvation lasts longer. If a runner is itself
     * starved, only {@link #SILENT_TICKS} applies.
     */
    static final int STARVED_TICKS = 400;

    static final long STARVED_WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The number of ticks by which a beat may be overdue, regardless of the progress of the runners. */
    static final int SILENT_TICKS = 600;

    /** The number of ticks in which the end of the program must be complete. */
    static final int END_TICKS = 4_000;

    private Limits() {}
}
