// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
    private final LatencyHistogram histogram = new LatencyHistogram();

    @Test
    void percentile_nothingRecorded_isNotANumber() {
        assertThat(histogram.percentile(0.5)).isNaN();
    }

    @Test
    void percentile_smallTimes_areExact() {
        for (int nanos = 1; nanos <= 50; nanos++) {
            histogram.record(nanos);
        }

        assertThat(histogram.percentile(0.5)).isEqualTo(25);
        assertThat(histogram.percentile(0.99)).isEqualTo(50);
        assertThat(histogram.count()).isEqualTo(50);
    }

    @Test
    void percentile_anyTime_isWithinTwoPercent() {
        for (long nanos = 50; nanos < 500_000_000_000L; nanos = nanos * 3 / 2 + 7) {
            LatencyHistogram one = new LatencyHistogram();
            one.record(nanos);

            assertThat(one.percentile(0.5)).isCloseTo((double) nanos, within(nanos * 0.02));
        }
    }

    @Test
    void record_outOfRange_staysAtTheEnds() {
        histogram.record(-3);
        assertThat(histogram.percentile(1)).isZero();

        histogram.record(Long.MAX_VALUE);
        assertThat(histogram.percentile(1)).isGreaterThan(1e12);
    }
}
