// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import java.time.Duration;

/**
 * The passive ejection of an instance that fails calls.
 *
 * @param failures the number of failed calls in a row after which an instance gets no calls for a time
 * @param time the time for which an instance gets no calls; the next call afterwards is a trial
 */
public record EjectConfig(int failures, Duration time) {
    /** The default values. */
    public static final EjectConfig DEFAULT = new EjectConfig(5, Duration.ofSeconds(10));

    /**
     * Creates an ejection.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public EjectConfig {
        failures = (int) ArgumentChecks.within("failures", failures, 1, 1_000);
        time = ArgumentChecks.positive("for", time);
    }
}
