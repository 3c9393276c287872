// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpreadTest {
    @Test
    void of_unsortedValues_findsMiddleAndEnds() {
        Spread spread = Spread.of(List.of(5.0, 1.0, 3.0));

        assertThat(spread.median()).isEqualTo(3);
        assertThat(spread.min()).isEqualTo(1);
        assertThat(spread.max()).isEqualTo(5);
    }

    @Test
    void of_evenCount_takesTheMeanOfTheMiddleTwo() {
        assertThat(Spread.of(List.of(1.0, 2.0, 4.0, 9.0)).median()).isEqualTo(3);
    }

    /** The limits are those of the binomial table: 2 P(fewer than k of n on one side) must stay within 10 %. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "5, 1, 5", "7, 1, 7", "8, 2, 7", "11, 3, 9", "13, 4, 10", "20, 6, 15"})
    void of_valuesOneToCount_narrowsWithTheCount(int count, double low, double high) {
        Spread spread = Spread.of(IntStream.rangeClosed(1, count)
                .mapToObj(value -> (double) value)
                .toList());

        assertThat(spread.low()).isEqualTo(low);
        assertThat(spread.high()).isEqualTo(high);
    }

    @Test
    void of_nothing_isRefused() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
