// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/** The behaviour of workers without work. */
public enum WaitStrategy {
    /**
     * A worker without work searches for about 20 µs and then parks. The next task must then wake a thread, which takes
     * microseconds. This is the default strategy.
     */
    PARK,

    /**
     * One worker without work searches all the time, so that the next task starts without a wake-up. The other workers
     * park.
     *
     * <p>The searching worker keeps one processor busy, from the first task until {@link Spindle#shutdown}. If no
     * processor is idle, the searching worker takes time from working threads, submitters and the garbage collector.
     * This strategy is unsuitable for a container with a quota of processor time.
     *
     * <p>While the searching worker runs a task, a submit wakes another worker as usual. A worker of an
     * {@linkplain SpindleBuilder#auxiliaryThreadFactory auxiliary factory} parks after a short search.
     */
    SPIN,

    /**
     * Like {@link #SPIN}, but the searching worker yields its processor between two checks of the queues. The worker
     * keeps an otherwise idle processor busy. If no processor is idle, the worker takes less time from other threads
     * than with {@code SPIN}.
     */
    YIELD
}
