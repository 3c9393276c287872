// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The end of a call: a value, or one of four ends without a value. Outcomes are immutable if their value is.
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
    /** The call has returned a value, which may be null. */
    record Value<T extends @Nullable Object>(T value) implements Outcome<T> {}

    /**
     * The call has failed: it threw, or its stage completed exceptionally. {@code cause} is the exception itself,
     * without the {@link CompletionException} that futures add.
     */
    record Failed<T extends @Nullable Object>(Throwable cause) implements Outcome<T> {
        /** Creates an outcome. */
        public Failed {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /** A time limit has passed before the call ended. {@code reason} names the service. */
    record TimedOut<T extends @Nullable Object>(String reason) implements Outcome<T> {
        /** Creates an outcome. */
        public TimedOut {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The call was refused, because a bulkhead was full, a breaker was open, or an executor was shut down.
     * {@code reason} says which.
     */
    record Rejected<T extends @Nullable Object>(String reason) implements Outcome<T> {
        /** Creates an outcome. */
        public Rejected {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** The call was cancelled because its answer was no longer needed, or the backend cancelled its own stage. */
    record Cancelled<T extends @Nullable Object>() implements Outcome<T> {}

    /**
     * Returns the outcome of a call that ended with {@code thrown}: {@link Cancelled} for a
     * {@link CancellationException}, {@link TimedOut} for a {@link TimeoutException}, {@link Rejected} for a
     * {@link RejectedExecutionException}, and {@link Failed} for all others. A {@link CompletionException} or
     * {@link ExecutionException} is first replaced by its cause.
     */
    static <T extends @Nullable Object> Outcome<T> ofThrown(Throwable thrown) {
        Throwable cause = unwrapped(Objects.requireNonNull(thrown, "thrown"));
        if (cause instanceof CancellationException) {
            return new Cancelled<>();
        }
        if (cause instanceof TimeoutException) {
            return new TimedOut<>(message(cause, "timed out"));
        }
        if (cause instanceof RejectedExecutionException) {
            return new Rejected<>(message(cause, "rejected"));
        }
        return new Failed<>(cause);
    }

    /**
     * Returns the value.
     *
     * @throws CompletionException with the cause if the call failed, or with a {@link TimeoutException} if it timed out
     * @throws RejectedExecutionException if the call was rejected
     * @throws CancellationException if the call was cancelled
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

    /**
     * Returns this outcome with {@code function} applied to its value, if there is one. An exception of the function is
     * thrown to the caller.
     */
    default <R extends @Nullable Object> Outcome<R> map(Function<? super T, ? extends R> function) {
        if (this instanceof Value<T> one) {
            return new Value<>(function.apply(one.value()));
        }
        @SuppressWarnings("unchecked") // this outcome has no value
        Outcome<R> same = (Outcome<R>) this;
        return same;
    }

    /**
     * Removes up to 8 exceptions in which futures wrap a failure. The {@code getCause} of a user's throwable may throw,
     * or return the throwable itself.
     */
    private static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown;
        try {
            for (int i = 0; i < 8 && isWrapper(cause); i++) {
                Throwable inner = cause.getCause();
                if (inner == null) {
                    return cause;
                }
                cause = inner;
            }
        } catch (Throwable t) {
            return cause;
        }
        return cause;
    }

    private static boolean isWrapper(Throwable thrown) {
        return thrown instanceof CompletionException || thrown instanceof ExecutionException;
    }

    /** Returns the message, or {@code other} if there is none or {@code getMessage} throws. */
    private static String message(Throwable thrown, String other) {
        try {
            String message = thrown.getMessage();
            return message == null ? other : message;
        } catch (Throwable t) {
            return other;
        }
    }
}
