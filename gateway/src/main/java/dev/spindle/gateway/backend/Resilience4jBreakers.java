// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.NanoClock;
import dev.spindle.flow.Breaker;
import dev.spindle.flow.Outcome;
import dev.spindle.gateway.config.BreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Breakers of resilience4j behind the interface of {@code spindle-flow}.
 *
 * <p>The library is optional, so {@link Backend} uses this class only for a configuration that asks for it. The
 * breakers use no thread: an open breaker reads the clock when a call asks for a pass.
 */
public final class Resilience4jBreakers {
    private Resilience4jBreakers() {}

    /**
     * Returns a new breaker.
     *
     * @param name the name of the breaker in resilience4j
     * @param clock the clock that the breaker reads instead of the system's
     */
    public static Breaker create(String name, BreakerConfig config, NanoClock clock) {
        return of(CircuitBreaker.of(
                name,
                CircuitBreakerConfig.custom()
                        .slidingWindow(config.window(), config.minimum(), SlidingWindowType.COUNT_BASED)
                        .failureRateThreshold((float) (config.failures() * 100))
                        .waitDurationInOpenState(config.open())
                        .permittedNumberOfCallsInHalfOpenState(config.trials())
                        .automaticTransitionFromOpenToHalfOpenEnabled(false)
                        .currentTimestampFunction(unused -> clock.nanoTime(), TimeUnit.NANOSECONDS)
                        .build()));
    }

    /** Returns an adapter of {@code breaker}, which may be from a user's own registry. */
    public static Breaker of(CircuitBreaker breaker) {
        return new Adapter(breaker);
    }

    /** An adapter, which also serves as the pass of each call, since resilience4j has no state for each call. */
    private record Adapter(CircuitBreaker breaker) implements Breaker, Breaker.Pass {
        @Override
        public @Nullable Pass tryPass() {
            return breaker.tryAcquirePermission() ? this : null;
        }

        @Override
        public State state() {
            return switch (breaker.getState()) {
                case OPEN, FORCED_OPEN -> State.OPEN;
                case HALF_OPEN -> State.HALF_OPEN;
                default -> State.CLOSED;
            };
        }

        @Override
        public void success(long elapsedNanos) {
            breaker.onSuccess(elapsedNanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public void failure(long elapsedNanos, Outcome<?> outcome) {
            breaker.onError(elapsedNanos, TimeUnit.NANOSECONDS, cause(outcome));
        }

        private static Throwable cause(Outcome<?> outcome) {
            return outcome instanceof Outcome.Failed<?> failed
                    ? failed.cause()
                    : new TimeoutException(outcome.getClass().getSimpleName());
        }

        /**
         * Counts the call as a failure if it was a trial of a half-open breaker and was not cancelled by the caller.
         * Otherwise the call does not count.
         */
        @Override
        public void undecided(long elapsedNanos, Outcome<?> outcome) {
            if (breaker.getState() == CircuitBreaker.State.HALF_OPEN && !(outcome instanceof Outcome.Cancelled<?>)) {
                failure(elapsedNanos, outcome);
            } else {
                release();
            }
        }

        @Override
        public void release() {
            breaker.releasePermission();
        }
    }
}
