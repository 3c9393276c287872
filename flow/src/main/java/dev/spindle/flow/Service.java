// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Something that answers requests by a deadline: an {@link Endpoint}, a {@link ScatterGather}, or a pipeline of these.
 *
 * <pre>{@code
 * Service<Long, Invoice> invoice = users                    // Service<Long, User>
 *         .then(orders.within(Duration.ofMillis(100)))      // Service<User, List<Order>>, with a limit of its own
 *         .then(prices);                                    // Service<List<Order>, Invoice>
 * }</pre>
 *
 * <p>Services of this package may be called by any thread, as often as one likes; those that {@link #then},
 * {@link #from} and {@link #within} make cost a constant number of objects per call.
 *
 * @param <Q> the type of the requests
 * @param <A> the type of the answers
 */
@FunctionalInterface
public interface Service<Q extends @Nullable Object, A extends @Nullable Object> {
    /**
     * Makes the call. Returns without waiting.
     *
     * <p>The future completes once, by the deadline, and exceptionally only by its caller: however the call
     * ends, that is
     * an {@link Outcome}. Cancelling the future, or completing it, ends the call. Its callbacks run in the thread that
     * ends the call; see the package for which that is.
     *
     * <p><b>Memory consistency effects.</b> Actions before the call happen-before the functions that it calls; these
     * and the completion of their stages happen-before the completion of the future.
     */
    CompletableFuture<Outcome<A>> call(Q request, Deadline deadline);

    /**
     * Takes an answer that came too late to reach a caller. It may hold something that must be given back, such as a
     * buffer or a connection. Does nothing by default.
     */
    default void discard(A answer) {}

    /**
     * Returns the service that calls this one and then {@code next} with its answer. If this one gives no value, or no
     * time is left, {@code next} is not called, and the outcome is that of this one, or timed out.
     */
    default <B extends @Nullable Object> Service<Q, B> then(Service<? super A, B> next) {
        return new Chain<>(this, requireNonNull(next, "next"));
    }

    /**
     * Returns the service that calls this one with what {@code function} makes of the request. The function runs in the
     * thread of the call; if it throws, the call has failed.
     */
    default <R extends @Nullable Object> Service<R, A> from(Function<? super R, ? extends Q> function) {
        return new From<>(this, requireNonNull(function, "function"));
    }

    /**
     * Returns the service that gives this one at most {@code limit} of the time that is left.
     *
     * @throws IllegalArgumentException if {@code limit} is not positive
     */
    default Service<Q, A> within(Duration limit) {
        return new Within<>(this, Deadline.positive("limit", limit));
    }
}
