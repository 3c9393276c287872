// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.LongAdder;
import javax.management.JMException;
import javax.management.ObjectName;

/** The processor time of the threads of a page. Thread-safe. */
final class Cost {
    private static final ObjectName SYSTEM =
            ManagementFactory.getOperatingSystemMXBean().getObjectName();

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final boolean isKnown = threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
    private final LongAdder total = new LongAdder();

    /** Returns the processor time of the calling thread, or the time that has passed if the former is not known. */
    long ownNanos() {
        return isKnown ? threads.getCurrentThreadCpuTime() : Uptime.millis() * 1_000_000;
    }

    /** Adds the processor time of the calling thread since {@code begin}, and returns the current value. */
    long add(long begin) {
        long now = ownNanos();
        total.add(Math.max(0, now - begin));
        return now;
    }

    /** Returns the processor time of the process in nanoseconds, or -1 if it is not known. */
    static long processNanos() {
        try {
            Object nanos = ManagementFactory.getPlatformMBeanServer().getAttribute(SYSTEM, "ProcessCpuTime");
            return nanos instanceof Long known ? known : -1;
        } catch (JMException e) {
            return -1; // a runtime without this attribute
        }
    }

    long totalNanos() {
        return total.sum();
    }
}
