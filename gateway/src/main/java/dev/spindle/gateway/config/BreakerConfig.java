// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * The options of a breaker, which stops calls to a failing backend and admits trials after a time.
 *
 * @param window the number of most recent calls whose outcomes are counted
 * @param minimum the smallest number of counted calls with which the breaker can open
 * @param failures the smallest share of failures with which the breaker opens, above 0 and at most 1
 * @param open the time for which the breaker stays open and admits no call
 * @param trials the number of calls that are admitted after {@code open} has passed; if all of them succeed, the
 *     breaker closes
 * @param engine the implementation of the breaker
 */
public record BreakerConfig(int window, int minimum, double failures, Duration open, int trials, Engine engine) {
    /**
     * A breaker that opens for 5 s if half of the last 100 calls have failed, and then admits 3 trials. The
     * breaker does not open before 20 calls.
     */
    public static final BreakerConfig DEFAULT =
            new BreakerConfig(100, 20, 0.5, Duration.ofSeconds(5), 3, Engine.SPINDLE);

    /** The implementation of a breaker. */
    public enum Engine {
        /** The breaker of {@code spindle-flow}. */
        SPINDLE,
        /**
         * The breaker of resilience4j, an optional library: a program that uses this engine must depend on the library.
         */
        RESILIENCE4J;

        private static final String LIBRARY_CLASS = "io.github.resilience4j.circuitbreaker.CircuitBreaker";

        /** Throws an IllegalArgumentException if the library of this engine is missing. */
        void requireLibrary() {
            if (this == RESILIENCE4J && !isLibraryThere()) {
                throw new IllegalArgumentException("'by: resilience4j' needs the library resilience4j-circuitbreaker,"
                        + " which this program does not have; add it, or write by: spindle");
            }
        }

        /** Returns whether this module can use the library. A named module cannot read a library on the class path. */
        private static boolean isLibraryThere() {
            try {
                Class<?> found = Class.forName(LIBRARY_CLASS, false, Engine.class.getClassLoader());
                return Engine.class.getModule().canRead(found.getModule());
            } catch (ClassNotFoundException | LinkageError e) {
                return false;
            }
        }
    }

    /**
     * Creates a configuration.
     *
     * @throws IllegalArgumentException if a number is out of its range, or the library of {@code engine} is missing
     */
    public BreakerConfig {
        ArgumentChecks.within("window", window, 1, 100_000);
        ArgumentChecks.within("minimum", minimum, 1, window);
        if (!(failures > 0 && failures <= 1)) {
            throw new IllegalArgumentException(
                    "failures must be above 0% and at most 100%, is " + failures * 100 + "%");
        }
        ArgumentChecks.positive("open", open);
        ArgumentChecks.within("trials", trials, 1, 100_000);
        requireNonNull(engine, "engine").requireLibrary();
    }
}
