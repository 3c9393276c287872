// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

import java.time.Duration;

/**
 * Sets the number of concurrent calls that a {@link dev.spindle.flow.Bulkhead} allows. A limiter belongs to one
 * bulkhead.
 *
 * <p>An implementation must be thread-safe, must not block, and should take constant time. The thread that begins or
 * ends a call calls the limiter, without a lock. If {@link #maxConcurrency} throws, the call fails. An exception of
 * {@link #ended} goes to the uncaught-exception handler of the thread, and the permit is still given back.
 *
 * <p>{@link #aimd} and {@link #gradient} learn the limit. A call that runs into a time limit, or is refused by the
 * backend, is a sign of overload and lowers the limit. After each second without such a sign, a limit below the initial
 * limit doubles, but not beyond the initial limit. If calls take more than half a second, this period is twice their
 * time. While at least half of the limit is in use, time raises the limit only to the value to which the limit was last
 * lowered; successful calls raise the limit further.
 */
public interface Limiter {
    /** Returns the number of calls that may run at once, at least 1, at {@code nanoTime} of the spindle's clock. */
    int maxConcurrency(long nanoTime);

    /** Called when a call has ended by itself or by its time limit, but not when the call was cancelled. */
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
     * tenth, once for all calls that were under way. From the third consecutive reduction on, without a successful call
     * in between, the limit is halved. While at least half of the limit is in use, the limit grows by about one each
     * time that as many calls have ended as the limit allows.
     *
     * @throws IllegalArgumentException unless 1 &lt;= min &lt;= initial &lt;= max
     */
    static Limiter aimd(int min, int initial, int max) {
        return new AimdLimiter(min, initial, max);
    }

    /**
     * Returns a limiter that compares the time of calls with the time that calls take while no call queues at the
     * backend.
     *
     * <p>The limit changes once per round, which has as many calls as are under way, but at least 20. If the calls of a
     * round took longer than calls without a queue, the limit is first lowered in proportion, at most by a half. Then
     * it is raised by its square root, or by a quarter if no call queued.
     *
     * <p>If no calls without a queue were seen for ten seconds, a trial begins. (This time is longer if calls take more
     * than a sixth of a second.) The trial lowers the limit to half of the calls that run without a queue, and further
     * while the queue drains. Then the trial measures the time of calls. Several clients of one backend see the same
     * queue, so their trials coincide and the queue drains. Trials cost a few per cent of the calls. A sign of overload
     * has the effect that it has in {@link #aimd}.
     *
     * <p>The limiter derives from three designs: Gradient2 of Netflix's concurrency-limits; Envoy's gradient
     * controller, which measures at a low limit from time to time; and BBR, whose flows drain their queue together.
     *
     * @throws IllegalArgumentException unless 1 &lt;= min &lt;= initial &lt;= max
     */
    static Limiter gradient(int min, int initial, int max) {
        return new GradientLimiter(min, initial, max);
    }
}
