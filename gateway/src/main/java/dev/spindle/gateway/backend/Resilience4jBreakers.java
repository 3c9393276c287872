// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.flow.Breaker;
import dev.spindle.flow.Outcome;
import dev.spindle.gateway.config.BreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Breakers of resilience4j behind the interface of {@code spindle-flow}.
 *
 * <p>The library is optional, so {@link Backend} uses this class only if the configuration names the library. The
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
    public static Breaker create(String name, BreakerConfig config, LongSupplier clock) {
        CircuitBreaker breaker = CircuitBreaker.of(
                name,
                CircuitBreakerConfig.custom()
                        .slidingWindow(config.window(), config.minimum(), SlidingWindowType.COUNT_BASED)
                        .failureRateThreshold((float) (config.failures() * 100))
                        .waitDurationInOpenState(config.open())
                        .permittedNumberOfCallsInHalfOpenState(config.trials())
                        .automaticTransitionFromOpenToHalfOpenEnabled(false)
                        .currentTimestampFunction(unused -> clock.getAsLong(), TimeUnit.NANOSECONDS)
                        .build());
        return new Adapter(breaker, config.trials(), new AtomicInteger());
    }

    /**
     * An adapter, which also serves as the pass of each call, since the library has no state per call.
     *
     * @param ignored the number of trials of this half-open period that ended without a result
     */
    private record Adapter(CircuitBreaker breaker, int trials, AtomicInteger ignored) implements Breaker, Breaker.Pass {
        @Override
        public @Nullable Pass tryPass() {
            if (breaker.getState() != CircuitBreaker.State.HALF_OPEN) {
                ignored.set(0);
            }
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
        public void success(Duration elapsed) {
            breaker.onSuccess(elapsed.toNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void failure(Duration elapsed, Outcome<?> outcome) {
            breaker.onError(elapsed.toNanos(), TimeUnit.NANOSECONDS, cause(outcome));
        }

        private static Throwable cause(Outcome<?> outcome) {
            return outcome instanceof Outcome.Failed<?> failed
                    ? failed.cause()
                    : new TimeoutException(outcome.getClass().getSimpleName());
        }

        /**
         * Gives the permission back. In a half-open period, a trial that is ignored after {@code trials} others counts
         * as a failure.
         */
        @Override
        public void ignore() {
            if (breaker.getState() == CircuitBreaker.State.HALF_OPEN && ignored.incrementAndGet() > trials) {
                breaker.onError(0, TimeUnit.NANOSECONDS, new TimeoutException("too many trials were ignored"));
            } else {
                breaker.releasePermission();
            }
        }
    }
}
