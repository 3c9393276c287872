// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;

/**
 * Real time, as the runtime tells it. Ages of tasks are by the clock of the spindle, which a simulation replaces;
 * viewers and requests are in real time.
 */
final class Uptime {
    private static final RuntimeMXBean RUNTIME = ManagementFactory.getRuntimeMXBean();

    private Uptime() {}

    /** Returns the milliseconds since the start of the process, which never go back. */
    static long millis() {
        return RUNTIME.getUptime();
    }

    /** Returns the start of the process in milliseconds since 1970. */
    static long startMillis() {
        return RUNTIME.getStartTime();
    }

    /** Returns the time in milliseconds since 1970, as the start of the process and the time since then tell it. */
    static long wallMillis() {
        return startMillis() + millis();
    }
}
