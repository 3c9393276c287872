// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.heartbeats;

import java.util.concurrent.TimeUnit;

/** How late is too late. A tick is a millisecond in which the control thread could run. */
final class Limits {
    /**
     * Something is starved when it is overdue for so long, and all runners have moved on and computed for so long
     * meanwhile. The kernel, or the host of a virtual machine, may keep a thread from its processor for tenths of a
     * second in the middle of a task, while the others compute; what starves does so without end. What a runner holds
     * up that starves itself is found by {@link #SILENT_TICKS}.
     */
    static final int STARVED_TICKS = 400;

    static final long STARVED_WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Overdue for so long is too late, whatever was computed. */
    static final int SILENT_TICKS = 600;

    /** An end has to come within so many ticks. */
    static final int END_TICKS = 4_000;

    private Limits() {}
}
