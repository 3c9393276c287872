// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.heartbeats;

import java.util.concurrent.TimeUnit;

/** The limits of delays. A tick is a millisecond in which the control thread could run. */
final class Limits {
    /**
     * A beat is starved if it is overdue for this long, and all runners have advanced and computed for as long since.
     * The kernel, or the host of a virtual machine, may keep a thread from its processor for tenths of a second within
     * a task while the others compute; starvation has no end. A beat behind a runner that is itself starved is found by
     * {@link #SILENT_TICKS}.
     */
    static final int STARVED_TICKS = 400;

    static final long STARVED_WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The delay that is too long, regardless of the progress of the runners. */
    static final int SILENT_TICKS = 600;

    /** The ticks within which an end must be complete. */
    static final int END_TICKS = 4_000;

    private Limits() {}
}
