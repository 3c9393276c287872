// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

import java.time.Duration;

/**
 * Sets the number of concurrent calls that a {@link dev.spindle.flow.Bulkhead} allows. A limiter belongs to one
 * bulkhead.
 *
 * <p>An implementation must be thread-safe, must not block, and takes constant time. It is called with no lock held, by
 * the thread that begins or ends a call. If {@link #maxConcurrency} throws, the call fails. What {@link #ended} throws
 * goes to the uncaught-exception handler of the thread, and the permit is given back all the same.
 *
 * <p>{@link #aimd} and {@link #gradient} learn the limit: they lower it under load, and raise it by themselves
 * afterwards. For each second without a sign of overload, a limit below the initial one doubles, up to the initial one,
 * even if there are too few calls to reach it. If calls take more than half a second to show overload, the period is
 * twice their time. While at least half of the limit is in use, time raises it only up to the value at which it was
 * last lowered; calls that end well raise it further.
 */
public interface Limiter {
    /** Returns the number of calls that may run at once, at least 1, at {@code nanoTime} of the spindle's clock. */
    int maxConcurrency(long nanoTime);

    /** Called when a call has ended by itself or by its time limit; not when it was cancelled. */
    void ended(Sample sample);

    /**
     * The end of a call.
     *
     * @param nanoTime the time of the end, by the spindle's clock
     * @param elapsed the time for which the call held its permit
     * @param running the number of calls that held a permit when the call began, including the call
     * @param overloaded true if the call ran into a time limit or was refused by the backend
     */
    record Sample(long nanoTime, Duration elapsed, int running, boolean overloaded) {}

    /**
     * Returns a limiter that always allows {@code maxConcurrency} calls at once.
     *
     * @throws IllegalArgumentException if {@code maxConcurrency} is below 1
     */
    static Limiter fixed(int maxConcurrency) {
        return new FixedLimiter(maxConcurrency);
    }

    /**
     * Returns a limiter with additive increase and multiplicative decrease. A sign of overload lowers the limit by a
     * tenth, once for all calls that were under way; from the third in a row, with no call that ended well in between,
     * by a half. A limit of which at least half is in use grows by about one each time that as many calls as it allows
     * have ended.
     *
     * @throws IllegalArgumentException unless 1 &lt;= min &lt;= initial &lt;= max
     */
    static Limiter aimd(int min, int initial, int max) {
        return new AimdLimiter(min, initial, max);
    }

    /**
     * Returns a limiter that compares how long calls take with how long they take while none queues at the backend.
     *
     * <p>The limit changes once per round, which has as many calls as are under way. If they took longer, it is lowered
     * in proportion, by a half at most; and it grows by its square root, or by a quarter while no call queues. If no
     * call was seen without a queue for ten seconds (longer if calls take more than a sixth of a second), a trial
     * begins: the limit is lowered to half of the calls that run without a queue, or further while the queue drains,
     * and calls are measured. Several clients of one backend see the same queue, so their trials coincide, and the
     * queue drains. Trials cost a few per cent of the calls. Signs of overload work as in {@link #aimd}.
     *
     * <p>It follows Gradient2 of Netflix's concurrency-limits, whose average drifts under a constant load; Envoy's
     * gradient controller, which measures now and then at a low limit; and BBR, whose flows drain their queue together.
     *
     * @throws IllegalArgumentException unless 1 &lt;= min &lt;= initial &lt;= max
     */
    static Limiter gradient(int min, int initial, int max) {
        return new GradientLimiter(min, initial, max);
    }
}
