// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LengthsTest {
    private final Lengths.Pareto pareto = new Lengths.Pareto(1, 10_000, 0.6);

    @Test
    void pareto_allValues_lieBetweenTheEndsWithTheKnownMedian() {
        double[] sorted = pareto.micros();
        Arrays.sort(sorted);

        assertThat(sorted[0]).isBetween(1.0, 1.01);
        assertThat(sorted[sorted.length - 1]).isBetween(1_000.0, 10_000.0);
        assertThat(sorted[sorted.length / 2]).isCloseTo(Math.pow(2, 1 / 0.6), within(0.1));
    }

    @Test
    void pareto_everyTime_isTheSameOrder() {
        assertThat(pareto.micros()).isEqualTo(pareto.micros());
    }

    @Test
    void pareto_longTasks_standApart() {
        double[] micros = pareto.micros();

        assertThat(Arrays.stream(micros, 0, 100).max().orElseThrow()).isGreaterThan(100);
        assertThat(micros[0]).isNotEqualTo(Arrays.stream(micros).min().orElseThrow());
    }
}
