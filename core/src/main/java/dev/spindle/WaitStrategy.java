// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/** The behaviour of the workers of a {@link Spindle} while there is no work. */
public enum WaitStrategy {
    /**
     * A worker without work searches for about 20 µs and then parks. While nothing is to do, nothing runs; a task that
     * arrives then has to wake a thread, which takes microseconds. The default.
     */
    PARK,

    /**
     * One worker goes on searching, so a task that arrives while it does starts without a wake-up. The others park.
     *
     * <p>This keeps one processor busy at all times, from the first task until {@link Spindle#shutdown}. It needs a
     * processor to spare: without one, the worker that searches takes time from those that work, from the submitters
     * and from the collector, and makes everything slower. Do not use it in a container with a quota of processor time.
     *
     * <p>While the worker that searches runs a task, a submit wakes another one as usual. A worker of an
     * {@linkplain SpindleBuilder#auxiliaryThreadFactory auxiliary factory} does not go on searching.
     */
    SPIN,

    /**
     * As {@link #SPIN}, but the worker that searches lets other threads have its processor between its looks. It still
     * keeps a processor busy that nobody else wants, but takes less from those that work where there is none to spare.
     */
    YIELD
}
