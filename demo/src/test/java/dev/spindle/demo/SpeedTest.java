// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpeedTest {

    @ParameterizedTest
    @CsvSource({"100000, 100000", "100000x, 100000", "0.5, 0.5", "1e6, 1000000"})
    void parse_factor_isThatMultiple(String text, double factor) {
        assertThat(Speed.parse(text)).isEqualTo(new Speed(factor));
        assertThat(Speed.parse(text).paced()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"max", "MAX"})
    void parse_max_isNotPaced(String text) {
        assertThat(Speed.parse(text).paced()).isFalse();
        assertThat(Speed.parse(text).nanos(1_000_000)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "fast", "0", "-1", "NaN", "Infinity", "1 0"})
    void parse_anythingElse_isRefusedWithTheValue(String text) {
        assertThatThrownBy(() -> Speed.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + text + "' is neither max nor a factor");
    }

    @Test
    void nanos_factor_dividesRealTime() {
        assertThat(new Speed(60).nanos(1)).isEqualTo(1_000_000_000L);
    }
}
