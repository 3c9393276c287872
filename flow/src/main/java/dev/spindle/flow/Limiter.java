// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

/**
 * Decides how many calls a {@link Bulkhead} lets go on at once. A limiter belongs to one bulkhead.
 *
 * <p>Implementations must be thread-safe, must not block, and take constant time: they are called at the begin and the
 * end of each call, by the thread that begins or ends it, with no lock held. A limiter that throws at the begin fails
 * that call; what it throws at the end goes to the uncaught-exception handler of the thread, and the permit is given
 * back all the same.
 *
 * <p>{@link #aimd} and {@link #gradient} learn the limit. They go down under load, and come up again by themselves: for
 * each second without a sign of overload a limit below the initial one doubles, up to the initial one, even if there
 * are so few calls that they never reach it. Where calls take longer to show that there is too much load, it is twice
 * their time instead of a second; and while calls make use of the limit, time takes it up to where it was last lowered,
 * and calls that end well take it further.
 */
public interface Limiter {
    /** Returns how many calls may go on at once, at least 1, at this moment of the spindle's clock. */
    int limit(long nanoTime);

    /**
     * Called when a call has ended by itself or by its time limit, and not when it was cancelled.
     *
     * @param nanoTime the moment, by the spindle's clock
     * @param elapsedNanos how long the call held its permit
     * @param inFlight how many calls held one when it began, itself included
     * @param overloaded whether it ran into a time limit or was refused by the backend
     */
    void ended(long nanoTime, long elapsedNanos, int inFlight, boolean overloaded);

    /**
     * Returns a limiter that always allows {@code calls} at once.
     *
     * @throws IllegalArgumentException if {@code calls} is below 1
     */
    static Limiter fixed(int calls) {
        return new FixedLimiter(calls);
    }

    /**
     * Returns a limiter with additive increase and multiplicative decrease. A sign of overload takes away a tenth, once
     * for all calls that were under way, and from the third in a row without a call that ended well a half; a
     * limit that is made use of grows by about one each time as many calls as it
     * allows have ended.
     *
     * @throws IllegalArgumentException unless 1 &lt;= min &lt;= initial &lt;= max
     */
    static Limiter aimd(int min, int initial, int max) {
        return new AimdLimiter(min, initial, max);
    }

    /**
     * Returns a limiter that compares how long calls take now with how long they take when none has to queue. It
     * changes once for a round, as many calls as are under way: when they took longer, it goes down in proportion, to a
     * half at most; and it grows by its square root, or by a quarter while none queues. Where none was seen without a
     * queue for ten seconds (for longer where calls take longer than a sixth of a second), there is a trial: the limit
     * goes down to a half of what goes on without a queue, or further while the queue drains, and calls are measured.
     * Several clients of one backend see the same queue, so they are in trials at the same time, and it drains indeed.
     * Trials cost a few of a hundred calls. Signs of overload work as in {@link #aimd}. After the ideas of Gradient2 of
     * Netflix' concurrency-limits, whose average drifts under a load that stays; of Envoy's gradient controller, which
     * measures now and then at a low limit; and of BBR, whose flows drain their queue together.
     *
     * @throws IllegalArgumentException unless 1 &lt;= min &lt;= initial &lt;= max
     */
    static Limiter gradient(int min, int initial, int max) {
        return new GradientLimiter(min, initial, max);
    }
}
