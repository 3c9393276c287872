// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import java.time.Duration;

/**
 * When a backend is not called any more, and when it is tried again.
 *
 * @param window how many of the last calls are looked at
 * @param minimum how many there must be before the breaker can open
 * @param failures the share of failures from which on it opens, above 0 and at most 1
 * @param open how long no call goes through
 * @param trials how many calls go through after that; if all end well the breaker closes
 * @param engine whose breaker it is
 */
public record BreakerConfig(int window, int minimum, double failures, Duration open, int trials, Engine engine) {
    /** Half of at least 20 of the last 100 calls, for 5 s, and 3 trials. */
    public static final BreakerConfig DEFAULT =
            new BreakerConfig(100, 20, 0.5, Duration.ofSeconds(5), 3, Engine.SPINDLE);

    /** Whose breaker is used. */
    public enum Engine {
        /** The small one of {@code spindle-flow}. */
        SPINDLE,
        /** That of resilience4j. */
        RESILIENCE4J
    }

    /**
     * Creates a configuration.
     *
     * @throws IllegalArgumentException if a number is out of its range
     */
    public BreakerConfig {
        Values.within("window", window, 1, 100_000);
        Values.within("minimum", minimum, 1, window);
        if (!(failures > 0 && failures <= 1)) {
            throw new IllegalArgumentException(
                    "failures must be above 0% and at most 100%, is " + failures * 100 + "%");
        }
        Values.positive("open", open);
        Values.within("trials", trials, 1, 100_000);
    }
}
