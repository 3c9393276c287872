// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended: with a value, or in one of four other ways. Immutable, as far as its value is.
 *
 * <pre>{@code
 * if (outcome instanceof Outcome.Value<User> found) {
 *     show(found.value());
 * } else if (outcome instanceof Outcome.TimedOut<User>) {
 *     showFromCache();
 * }
 * User user = outcome.orThrow(); // as CompletableFuture.join does
 * }</pre>
 *
 * @param <T> the type of the value
 */
public sealed interface Outcome<T extends @Nullable Object> {
    /** The call gave a value, which may be null. */
    record Value<T extends @Nullable Object>(T value) implements Outcome<T> {}

    /** The call failed, by throwing or by a stage that completed exceptionally; {@code cause} is never a wrapper. */
    record Failed<T extends @Nullable Object>(Throwable cause) implements Outcome<T> {
        /** Creates an outcome. */
        public Failed {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /** A time limit passed first; {@code reason} says whose. */
    record TimedOut<T extends @Nullable Object>(String reason) implements Outcome<T> {
        /** Creates an outcome. */
        public TimedOut {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** No call was made: a bulkhead was full, a breaker open, or an executor shut down; {@code reason} says which. */
    record Rejected<T extends @Nullable Object>(String reason) implements Outcome<T> {
        /** Creates an outcome. */
        public Rejected {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** The call was not needed any more, or its stage was cancelled by somebody else. */
    record Cancelled<T extends @Nullable Object>() implements Outcome<T> {}

    /**
     * Returns the outcome of a call that ended with {@code thrown}: {@link Cancelled} for a
     * {@link CancellationException}, {@link TimedOut} for a {@link TimeoutException}, {@link Rejected} for a
     * {@link RejectedExecutionException}, and {@link Failed} for all others. Takes off the wrappers that futures put
     * on.
     */
    static <T extends @Nullable Object> Outcome<T> ofThrown(Throwable thrown) {
        Throwable cause = Outcomes.unwrapped(Objects.requireNonNull(thrown, "thrown"));
        if (cause instanceof CancellationException) {
            return new Cancelled<>();
        }
        if (cause instanceof TimeoutException) {
            return new TimedOut<>(Outcomes.message(cause, "timed out"));
        }
        if (cause instanceof RejectedExecutionException) {
            return new Rejected<>(Outcomes.message(cause, "rejected"));
        }
        return new Failed<>(cause);
    }

    /** Returns whether there is a value. */
    default boolean isValue() {
        return this instanceof Value<T>;
    }

    /**
     * Returns the value.
     *
     * @throws CompletionException with the cause if the call failed, or with a {@link TimeoutException} if it timed out
     * @throws RejectedExecutionException if it was rejected
     * @throws CancellationException if it was cancelled
     */
    default T orThrow() {
        if (this instanceof Value<T> one) {
            return one.value();
        }
        if (this instanceof Failed<T> failed) {
            throw new CompletionException(failed.cause());
        }
        if (this instanceof TimedOut<T> late) {
            throw new CompletionException(new TimeoutException(late.reason()));
        }
        if (this instanceof Rejected<T> rejected) {
            throw new RejectedExecutionException(rejected.reason());
        }
        throw new CancellationException("the call was cancelled");
    }

    /** Returns the value, or {@code other} if there is none. */
    default T orElse(T other) {
        return this instanceof Value<T> one ? one.value() : other;
    }

    /** Returns the outcome with what {@code function} makes of the value; what it throws is thrown on. */
    default <R extends @Nullable Object> Outcome<R> map(Function<? super T, ? extends R> function) {
        return this instanceof Value<T> one ? new Value<>(function.apply(one.value())) : Outcomes.cast(this);
    }
}
