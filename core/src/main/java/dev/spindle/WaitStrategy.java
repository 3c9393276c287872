// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/** The behaviour of the workers of a {@link Spindle} that have no work. */
public enum WaitStrategy {
    /**
     * A worker without work searches for about 20 µs and then parks. An idle executor runs no thread; the next task has
     * to wake one, which takes microseconds. The default.
     */
    PARK,

    /**
     * One worker without work keeps searching, so the next task starts without a wake-up. The others park.
     *
     * <p>This keeps one processor busy at all times, from the first task until {@link Spindle#shutdown}. Without a
     * spare processor the searching worker takes time from working threads, submitters and the garbage collector, and
     * slows all of them down. It is unsuitable for a container with a quota of processor time.
     *
     * <p>While the searching worker runs a task, a submit wakes another worker as usual. A worker of an
     * {@linkplain SpindleBuilder#auxiliaryThreadFactory auxiliary factory} does not keep searching.
     */
    SPIN,

    /**
     * As {@link #SPIN}, but the searching worker yields its processor between two looks. It still keeps an otherwise
     * idle processor busy, but takes less time from working threads if none is to spare.
     */
    YIELD
}
