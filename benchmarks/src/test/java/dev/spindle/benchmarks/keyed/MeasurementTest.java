// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MeasurementTest {
    @Test
    void decode_whatEncodeWrote_isTheSame() {
        Measurement measured = new Measurement(7, 1.25, 2.5, 3, 4.5, 5.5, 6, 7, 8, Double.NaN, 1001.125, Double.NaN);

        assertThat(Measurement.decode(measured.encode())).isEqualTo(measured);
    }

    @Test
    void decode_lineCutOff_namesTheMissingField() {
        assertThatThrownBy(() -> Measurement.decode("passes=7 ms=1.0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cpu_ms");
    }

    @Test
    void violations_countEveryBrokenPromise() {
        assertThat(Samples.broken(1, 2, 3, 4).violations()).isEqualTo(9);
    }
}
