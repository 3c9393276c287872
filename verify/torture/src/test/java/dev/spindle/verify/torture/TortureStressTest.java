// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short torture of every build: some fixed programs, and new ones each time. */
@Tag("stress")
@Timeout(120)
class TortureStressTest {
    private static final int TASKS = 1 << 16;
    private static final Duration TIME = Duration.ofSeconds(12);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static void torture(long seed) throws InterruptedException {
        Program program = Generator.of(seed, TASKS);
        Violations violations = Checker.check(program, Run.of(program, LIMIT));
        assertThat(violations.isEmpty())
                .as("seed %d; look closer with: ./spindle torture --seed %d%n%s", seed, seed, violations.text())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233})
    void programsThatStay_keepEveryPromise(long seed) throws InterruptedException {
        torture(seed);
    }

    @Test
    void newPrograms_keepEveryPromise(TestReporter reporter) throws InterruptedException {
        long first = ThreadLocalRandom.current().nextLong(1_000_000_000);
        reporter.publishEntry("first seed", Long.toString(first));
        long seed = first;
        for (long begin = System.nanoTime(); System.nanoTime() - begin < TIME.toNanos(); seed++) {
            torture(seed);
        }
        reporter.publishEntry("programs", Long.toString(seed - first));
    }
}
