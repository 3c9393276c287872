// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProcessorDistanceTest {
    @Test
    void nanos_severalProcessors_isThatOfACacheLine() {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
        try (ProcessorDistance distance = ProcessorDistance.open()) {
            OptionalDouble shortest = Stream.generate(distance::nanos)
                    .limit(200)
                    .flatMapToDouble(OptionalDouble::stream)
                    .limit(20)
                    .min();

            assumeThat(shortest)
                    .as("tries in which both threads got a processor")
                    .isPresent();
            assertThat(shortest.getAsDouble()).isBetween(10.0, 10_000.0);
        }
    }

    @Test
    void close_afterMeasurements_endsItsThread() throws InterruptedException {
        Thread partner;
        try (ProcessorDistance distance = ProcessorDistance.open()) {
            distance.nanos();
            partner = distance.partner();
            assertThat(partner.isAlive()).isTrue();
        }

        partner.join(10_000);

        assertThat(partner.isAlive()).isFalse();
    }
}
