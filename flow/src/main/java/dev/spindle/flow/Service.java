// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A function that answers requests by a deadline: an {@link Endpoint}, a {@link ScatterGather}, or a sequence of these.
 *
 * <pre>{@code
 * Service<Long, Invoice> invoice = users                    // Service<Long, User>
 *         .andThen(orders.within(Duration.ofMillis(100)))   // Service<User, List<Order>>, with a timeout of its own
 *         .andThen(prices);                                 // Service<List<Order>, Invoice>
 * }</pre>
 *
 * <p>Services of this package may be called by any thread, any number of times. The services that {@link #andThen},
 * {@link #compose} and {@link #within} return allocate a constant number of objects per call.
 *
 * @param <Q> the type of the requests
 * @param <A> the type of the answers
 */
@FunctionalInterface
public interface Service<Q extends @Nullable Object, A extends @Nullable Object> {
    /**
     * Makes the call. Returns without waiting.
     *
     * <p>The future completes once, by the deadline. Each end of the call is an {@link Outcome}; only the caller can
     * complete the future exceptionally. Cancelling or completing the future ends the call. Callbacks of the future run
     * in the thread that ends the call; the package description says which thread this is.
     *
     * <p><b>Memory consistency effects.</b> Actions before the call happen-before the functions that the service calls.
     * The functions, and the completion of their stages, happen-before the completion of the future.
     */
    CompletableFuture<Outcome<A>> call(Q request, Deadline deadline);

    /**
     * Releases the resources of an answer that came too late to reach a caller, such as a buffer or a connection. Does
     * nothing by default.
     */
    default void discard(A answer) {}

    /**
     * Returns a service that calls this service and then {@code next} with the answer. If this service gives no value,
     * {@code next} is not called, and the outcome is that of this service. If no time is left for {@code next}, the
     * outcome is {@link Outcome.TimedOut}.
     */
    default <B extends @Nullable Object> Service<Q, B> andThen(Service<? super A, B> next) {
        return new Chain<>(this, requireNonNull(next, "next"));
    }

    /**
     * Returns a service that applies {@code function} to its request and calls this service with the result. The
     * function runs in the calling thread; if it throws, the call fails.
     */
    default <R extends @Nullable Object> Service<R, A> compose(Function<? super R, ? extends Q> function) {
        return new MappedService<>(this, requireNonNull(function, "function"));
    }

    /**
     * Returns a service that calls this service with a deadline at most {@code timeout} after the start of the call.
     *
     * @throws IllegalArgumentException if {@code timeout} is not positive
     */
    default Service<Q, A> within(Duration timeout) {
        return new LimitedService<>(this, Deadline.positive("timeout", timeout));
    }
}
