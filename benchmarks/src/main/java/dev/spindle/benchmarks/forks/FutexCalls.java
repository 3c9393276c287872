// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

/**
 * System calls by which threads of a process put themselves to sleep and wake one another. Of the thread that drives a
 * measurement only those count that woke somebody: it waits for the clock and for the end, and each such wait of its own
 * may be followed by a wake that reaches nobody.
 */
public record FutexCalls(long waits, long wakes) {
    /** Programs that can count them. */
    public enum Tool {
        /** Counts in the kernel, and so hardly disturbs; needs the right to see the kernel's trace points. */
        PERF("perf, at full speed"),
        /** Stops the process at every call: what it counts is right for a program that is slowed down a lot. */
        STRACE("strace, which slows the tasks down");

        private final String text;

        Tool(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        /** Whether it works here, with the rights that this process has. */
        public boolean works() {
            return switch (this) {
                case PERF -> Programs.succeeds("perf", "stat", "-e", PerfFutex.EVENT, "true");
                case STRACE -> Programs.succeeds("strace", "-o", "/dev/null", "true");
            };
        }
    }
}
