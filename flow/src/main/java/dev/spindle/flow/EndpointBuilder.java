// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.NanoClock;
import dev.spindle.Spindle;
import dev.spindle.flow.limit.Limiter;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link Endpoint}. Not thread-safe; may be used again, which does not change the endpoints that it has
 * built.
 *
 * @param <Q> the type of the requests
 * @param <A> the type of the answers
 */
public final class EndpointBuilder<Q extends @Nullable Object, A extends @Nullable Object> {
    final Spindle spindle;
    final NanoClock clock;
    final String name;
    final Call<Q, A> call;
    long limitNanos = Long.MAX_VALUE;
    long floorNanos;
    Budget budget = Budget.of(0.1, 10);
    Predicate<? super Q> repeatable = request -> false;
    Predicate<? super Outcome<A>> failureWhen = EndpointBuilder::isFailure;
    Consumer<? super A> onDiscard = answer -> {};

    @Nullable
    Bulkhead bulkhead;

    @Nullable
    Breaker breaker;

    @Nullable
    Retry retry;

    @Nullable
    Hedge hedge;

    private boolean saysRepeatable;
    private boolean ownsBudget = true;

    EndpointBuilder(Spindle spindle, String name, Call<Q, A> call) {
        this.spindle = spindle;
        clock = spindle.clock();
        this.name = name;
        this.call = call;
    }

    private EndpointBuilder(EndpointBuilder<Q, A> from) {
        this(from.spindle, from.name, from.call);
        limitNanos = from.limitNanos;
        floorNanos = from.floorNanos;
        budget = from.ownsBudget ? budget : from.budget;
        repeatable = from.repeatable;
        failureWhen = from.failureWhen;
        onDiscard = from.onDiscard;
        bulkhead = from.bulkhead;
        breaker = from.breaker;
        retry = from.retry;
        hedge = from.hedge;
    }

    private static boolean isFailure(Outcome<?> outcome) {
        return !(outcome.isValue() || outcome instanceof Outcome.Rejected<?>);
    }

    /**
     * Sets how long one attempt may take, its wait for a permit included. By default as long as the deadline allows.
     * Without a limit, no retry follows an attempt that hangs.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public EndpointBuilder<Q, A> limit(Duration time) {
        limitNanos = Deadline.positive("limit", time);
        return this;
    }

    /**
     * Sets the least time for which a call is made. With less time left, it is answered at once as timed out, also
     * after a wait for a permit, and there is neither a retry nor a hedge. By default there is no such time.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public EndpointBuilder<Q, A> floor(Duration time) {
        floorNanos = Deadline.positive("floor", time);
        return this;
    }

    /**
     * Sets the maximum numbers of concurrent and waiting calls, by a bulkhead of this endpoint alone. By default there
     * is no bound.
     *
     * @throws IllegalArgumentException if {@code calls} is below 1 or {@code waiting} is negative
     */
    public EndpointBuilder<Q, A> bulkhead(int calls, int waiting) {
        return bulkhead(Bulkhead.of(spindle, name, Limiter.fixed(calls), waiting));
    }

    /** Sets a bulkhead, which other endpoints may share. */
    public EndpointBuilder<Q, A> bulkhead(Bulkhead shared) {
        bulkhead = requireNonNull(shared, "bulkhead");
        return this;
    }

    /** Sets the breaker that decides whether the backend may be called. By default there is none. */
    public EndpointBuilder<Q, A> breaker(Breaker breaker) {
        this.breaker = requireNonNull(breaker, "breaker");
        return this;
    }

    /** Declares that a second call with any request does no harm. Needed for {@link #retry} and {@link #hedge}. */
    public EndpointBuilder<Q, A> repeatable() {
        return repeatable(request -> true);
    }

    /**
     * Sets for which requests a second call does no harm. The predicate runs once for each call, in the calling thread;
     * if it throws, the call fails and is not made.
     */
    public EndpointBuilder<Q, A> repeatable(Predicate<? super Q> harmless) {
        repeatable = requireNonNull(harmless, "repeatable");
        saysRepeatable = true;
        return this;
    }

    /** Sets the retries of repeatable calls that fail. By default there are none. */
    public EndpointBuilder<Q, A> retry(Retry retry) {
        this.retry = requireNonNull(retry, "retry");
        return this;
    }

    /** Sets the hedges of repeatable calls that are slow. By default there are none. */
    public EndpointBuilder<Q, A> hedge(Hedge hedge) {
        this.hedge = requireNonNull(hedge, "hedge");
        return this;
    }

    /**
     * Sets the budget of retries and hedges, which other endpoints may share. By default the endpoint has its own: a
     * tenth of the calls, and 10 more.
     */
    public EndpointBuilder<Q, A> budget(Budget shared) {
        budget = requireNonNull(shared, "budget");
        ownsBudget = false;
        return this;
    }

    /**
     * Sets which outcomes of an attempt are failures of the backend: the breaker counts them, and a retry follows them.
     * By default all but values and rejections. An attempt that runs into its own time limit always counts for the
     * breaker. One that is ended by the deadline of its caller counts only if it had as much time as the limit, or a
     * second if there is no limit.
     *
     * <p>The predicate runs once for each attempt that was made, in the thread that ends it; if it throws, the call
     * fails with the throwable.
     */
    public EndpointBuilder<Q, A> failureWhen(Predicate<? super Outcome<A>> isFailure) {
        failureWhen = requireNonNull(isFailure, "failureWhen");
        return this;
    }

    /**
     * Sets the action for answers that reach no caller: those of attempts that were cancelled and answer all the same,
     * and those that a retry replaces. It runs in the thread that completes the stage or ends the call. By default such
     * answers are left to the garbage collector.
     */
    public EndpointBuilder<Q, A> onDiscard(Consumer<? super A> action) {
        onDiscard = requireNonNull(action, "onDiscard");
        return this;
    }

    /**
     * Returns a new endpoint.
     *
     * @throws IllegalStateException if there are retries or hedges, and {@code repeatable} was not called
     */
    public Endpoint<Q, A> build() {
        if ((retry != null || hedge != null) && !saysRepeatable) {
            throw new IllegalStateException("endpoint " + name + " has " + (retry != null ? "retries" : "hedges")
                    + ", but does not say that a second call does no harm; see repeatable()");
        }
        return new Endpoint<>(new EndpointBuilder<>(this));
    }
}
