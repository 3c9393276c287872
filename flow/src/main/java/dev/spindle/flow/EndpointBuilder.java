// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.Spindle;
import dev.spindle.flow.internal.Backoff;
import dev.spindle.flow.internal.Budget;
import dev.spindle.flow.limit.Limiter;
import dev.spindle.internal.SpindleParts;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A builder for an {@link Endpoint}. A builder is not thread-safe, and may be used again without an effect on endpoints
 * that were built before. Each endpoint has its own budget. It also has its own permits, unless {@link #bulkhead} is
 * set.
 *
 * @param <Q> the type of the requests
 * @param <A> the type of the answers
 */
public final class EndpointBuilder<Q extends @Nullable Object, A extends @Nullable Object> {
    /** The number of retries and hedges that a call adds to the budget, as in gRPC's example. Not measured. */
    private static final double SHARE = 0.1;
    /** The maximum number of retries and hedges in the budget, as in gRPC's example. Not measured. */
    private static final int BURST = 10;
    /** The longest pause before the first retry. Not measured. */
    private static final long FIRST_NANOS = 20_000_000;
    /** The longest pause before any retry, since deadlines are usually seconds. Not measured. */
    private static final long LONGEST_NANOS = 1_000_000_000;

    final Spindle spindle;
    final String name;
    final Call<Q, A> call;
    long timeoutNanos = Long.MAX_VALUE;
    long floorNanos;
    int retries;
    long hedgeNanos;
    double hedgePercentile;
    Predicate<? super Q> idempotent = request -> false;
    Predicate<? super Outcome<A>> failureWhen = EndpointBuilder::isFailure;
    Consumer<? super A> onDiscard = answer -> {};

    @Nullable
    Bulkhead bulkhead;

    @Nullable
    Breaker breaker;

    private @Nullable DoubleSupplier jitter;

    private int maxConcurrency;
    private int capacity = -1;
    private boolean saysIdempotent;
    private long firstNanos;
    private long longestNanos;
    private double share = -1;
    private int burst;

    EndpointBuilder(Spindle spindle, String name, Call<Q, A> call) {
        this.spindle = spindle;
        this.name = name;
        this.call = call;
    }

    private static boolean isFailure(Outcome<?> outcome) {
        return !(outcome instanceof Outcome.Value<?> || outcome instanceof Outcome.Rejected<?>);
    }

    /**
     * Sets how long one attempt may take, including its wait for a permit. By default an attempt may take as long as
     * the deadline of the call allows, so that no time is left for a retry after an attempt without an answer.
     *
     * @throws IllegalArgumentException if {@code timeout} is not positive
     */
    public EndpointBuilder<Q, A> attemptTimeout(Duration timeout) {
        timeoutNanos = Deadline.positive("timeout", timeout);
        return this;
    }

    /**
     * Sets the least time that must be left for an attempt to be made. If less time is left, even after a wait for a
     * permit, the attempt is timed out without a call, and no retry or hedge begins. By default an attempt is made if
     * any time is left.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public EndpointBuilder<Q, A> floor(Duration time) {
        floorNanos = Deadline.positive("floor", time);
        return this;
    }

    /**
     * Sets the maximum number of attempts that run at once. By default there is no bound.
     *
     * @throws IllegalArgumentException if {@code attempts} is below 1
     */
    public EndpointBuilder<Q, A> maxConcurrency(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("maxConcurrency must be at least 1, is " + attempts);
        }
        maxConcurrency = attempts;
        return this;
    }

    /**
     * Sets the maximum number of attempts that wait while {@link #maxConcurrency} run. Further attempts are
     * {@linkplain Outcome.Rejected rejected}. The default is 0.
     *
     * @throws IllegalArgumentException if {@code attempts} is negative
     */
    public EndpointBuilder<Q, A> capacity(int attempts) {
        if (attempts < 0) {
            throw new IllegalArgumentException("capacity must not be negative, is " + attempts);
        }
        capacity = attempts;
        return this;
    }

    /** Sets a bulkhead, which other endpoints may share, in place of {@link #maxConcurrency}. */
    public EndpointBuilder<Q, A> bulkhead(Bulkhead bulkhead) {
        this.bulkhead = requireNonNull(bulkhead, "bulkhead");
        return this;
    }

    /** Sets the breaker that decides whether the backend may be called. By default there is none. */
    public EndpointBuilder<Q, A> breaker(Breaker breaker) {
        this.breaker = requireNonNull(breaker, "breaker");
        return this;
    }

    /**
     * Sets a predicate that returns true for requests that may be sent to the backend more than once. {@link #retries}
     * and hedges require this predicate. It runs once for each call, in the calling thread; if it throws, the call
     * fails without an attempt.
     */
    public EndpointBuilder<Q, A> idempotent(Predicate<? super Q> harmless) {
        idempotent = requireNonNull(harmless, "idempotent");
        saysIdempotent = true;
        return this;
    }

    /**
     * Sets the maximum number of retries of an idempotent call that fails. The first attempt is not a retry, so after
     * {@code retries(2)} a call has at most three attempts. The default is 0.
     *
     * @throws IllegalArgumentException if {@code retries} is negative
     */
    public EndpointBuilder<Q, A> retries(int retries) {
        if (retries < 0) {
            throw new IllegalArgumentException("retries must not be negative, is " + retries);
        }
        this.retries = retries;
        return this;
    }

    /**
     * Sets the maximum pauses before retries. A pause is a random time up to a maximum, which doubles with each retry.
     * By default the maximum grows from 20 ms to 1 s.
     *
     * @param first the longest pause before the first retry
     * @param longest the longest pause before any retry
     * @throws IllegalArgumentException unless 0 &lt; first &lt;= longest
     */
    public EndpointBuilder<Q, A> backoff(Duration first, Duration longest) {
        long from = Deadline.positive("first", first);
        long to = Deadline.positive("longest", longest);
        if (from > to) {
            throw new IllegalArgumentException("first must not be above longest, is " + first + " and " + longest);
        }
        firstNanos = from;
        longestNanos = to;
        return this;
    }

    /**
     * Sets that a second attempt, a hedge, begins if an idempotent call has no answer after {@code delay}. The first
     * attempt continues. The first answer is used, and the other attempt is cancelled. By default there is no hedge.
     *
     * @throws IllegalArgumentException if {@code delay} is not positive
     */
    public EndpointBuilder<Q, A> hedgeAfter(Duration delay) {
        hedgeNanos = Deadline.positive("delay", delay);
        return this;
    }

    /**
     * Does what {@link #hedgeAfter} does, with a delay that the share {@code percentile} of the last 1,024 calls did
     * not exceed, but at least 1 ms. These calls do not include calls that their caller cancelled. Before 20 such calls
     * there is no hedge.
     *
     * @param percentile the share, such as 0.95
     * @throws IllegalArgumentException unless 0 &lt; percentile &lt; 1
     */
    public EndpointBuilder<Q, A> hedgeAtPercentile(double percentile) {
        if (!(percentile > 0 && percentile < 1)) {
            throw new IllegalArgumentException("percentile must be between 0 and 1, is " + percentile);
        }
        hedgePercentile = percentile;
        return this;
    }

    /**
     * Sets the budget of retries and hedges together: for {@code n} calls there are at most {@code share * n + burst}.
     * The defaults are 0.1 and 10.
     *
     * @param share the number of retries and hedges that each call adds to the budget
     * @param burst the initial and maximum number of retries and hedges in the budget
     * @throws IllegalArgumentException unless 0 &lt;= share &lt;= 1 and burst &gt;= 1
     */
    public EndpointBuilder<Q, A> budget(double share, int burst) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be from 0 to 1, is " + share);
        }
        if (burst < 1) {
            throw new IllegalArgumentException("burst must be at least 1, is " + burst);
        }
        this.share = share;
        this.burst = burst;
        return this;
    }

    /**
     * Sets a predicate that returns true for outcomes of attempts that are failures of the backend. The breaker counts
     * such an outcome, and a retry may follow it. By default all outcomes are failures, except values and rejections.
     * An attempt that its own timeout ends is counted, whatever the predicate returns. An attempt that the deadline of
     * the call ends is counted only if it had as much time as the timeout, or a second if there is no timeout.
     *
     * <p>The predicate runs once for each attempt that has called the backend, in the thread that ends the attempt. If
     * the predicate throws, the call fails with this exception.
     */
    public EndpointBuilder<Q, A> failureWhen(Predicate<? super Outcome<A>> isFailure) {
        failureWhen = requireNonNull(isFailure, "failureWhen");
        return this;
    }

    /**
     * Sets the action for answers that reach no caller. These are late answers of cancelled attempts, and answers that
     * a retry replaces. The action runs in the thread that completes the stage or ends the call. By default there is no
     * action.
     */
    public EndpointBuilder<Q, A> onDiscard(Consumer<? super A> action) {
        onDiscard = requireNonNull(action, "onDiscard");
        return this;
    }

    /**
     * Returns a new endpoint.
     *
     * @throws IllegalStateException if there are retries or hedges without {@link #idempotent}, a backoff without
     *     retries, a budget without retries and hedges, a capacity without {@link #maxConcurrency}, both a bulkhead and
     *     {@code maxConcurrency}, or both kinds of hedges
     */
    public Endpoint<Q, A> build() {
        refuse(
                (retries > 0 || hasHedges()) && !saysIdempotent,
                (retries > 0 ? "retries" : "hedges")
                        + ", but no idempotent(..) that says that a second call is harmless");
        refuse(retries == 0 && longestNanos > 0, "a backoff, but no retries");
        refuse(retries == 0 && !hasHedges() && share >= 0, "a budget, but neither retries nor hedges");
        refuse(hedgeNanos > 0 && hedgePercentile > 0, "hedgeAfter and hedgeAtPercentile");
        refuse(maxConcurrency == 0 && capacity >= 0, "a capacity, but no maxConcurrency");
        refuse(maxConcurrency > 0 && bulkhead != null, "maxConcurrency and a bulkhead");
        Endpoint<Q, A> endpoint = new Endpoint<>(copy());
        if (bulkhead == null) { // a shared bulkhead is listed itself
            SpindleParts.add(spindle, endpoint.reported); // the spindle refers to the field weakly
        }
        return endpoint;
    }

    private void refuse(boolean wrong, String what) {
        if (wrong) {
            throw new IllegalStateException("endpoint " + name + " has " + what);
        }
    }

    private EndpointBuilder<Q, A> copy() {
        EndpointBuilder<Q, A> copy = new EndpointBuilder<>(spindle, name, call);
        copy.timeoutNanos = timeoutNanos;
        copy.floorNanos = floorNanos;
        copy.retries = retries;
        copy.firstNanos = firstNanos;
        copy.longestNanos = longestNanos;
        copy.jitter = jitter;
        copy.hedgeNanos = hedgeNanos;
        copy.hedgePercentile = hedgePercentile;
        copy.share = share;
        copy.burst = burst;
        copy.idempotent = idempotent;
        copy.failureWhen = failureWhen;
        copy.onDiscard = onDiscard;
        copy.breaker = breaker;
        copy.bulkhead = maxConcurrency == 0
                ? bulkhead
                : Bulkhead.of(spindle, name, Limiter.fixed(maxConcurrency), Math.max(0, capacity));
        return copy;
    }

    /** Sets the source of random numbers from 0 to 1 for the pauses. For tests. */
    EndpointBuilder<Q, A> jitter(DoubleSupplier random) {
        jitter = random;
        return this;
    }

    boolean hasHedges() {
        return hedgeNanos > 0 || hedgePercentile > 0;
    }

    /**
     * Returns the pauses of a new endpoint. A reading of the spindle's clock is their seed, so simulations repeat them.
     */
    Backoff backoff() {
        DoubleSupplier shares = jitter != null ? jitter : new Random(Deadline.nanoTime(spindle))::nextDouble;
        return longestNanos == 0
                ? new Backoff(FIRST_NANOS, LONGEST_NANOS, shares)
                : new Backoff(firstNanos, longestNanos, shares);
    }

    Budget budget() {
        return share < 0 ? new Budget(SHARE, BURST) : new Budget(share, burst);
    }
}
