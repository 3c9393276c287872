// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ZipfTest {
    private static final int KEYS = 1_000;
    private static final int DRAWS = 400_000;

    @Test
    void next_manyDraws_giveEachRankItsShare() {
        Zipf zipf = new Zipf(KEYS, 1.0, 7);
        int[] drawn = new int[KEYS];
        IntStream.range(0, DRAWS).forEach(draw -> drawn[zipf.next()]++);
        double harmonic =
                IntStream.rangeClosed(1, KEYS).mapToDouble(rank -> 1.0 / rank).sum();

        int hottest = drawn[zipf.hottest()];
        assertThat(hottest / (double) DRAWS).isCloseTo(1 / harmonic, within(0.01));
        Arrays.sort(drawn);
        assertThat(drawn[KEYS - 1]).isEqualTo(hottest);
        assertThat(drawn[KEYS - 2] / (double) hottest).isCloseTo(0.5, within(0.05));
        assertThat(drawn[KEYS - 10] / (double) hottest).isCloseTo(0.1, within(0.02));
    }

    @Test
    void next_sameSeed_drawsTheSameKeys() {
        Zipf one = new Zipf(KEYS, 1.0, 3);
        Zipf other = new Zipf(KEYS, 1.0, 3);

        assertThat(IntStream.range(0, 1_000).map(draw -> one.next()))
                .containsExactlyElementsOf(IntStream.range(0, 1_000)
                        .map(draw -> other.next())
                        .boxed()
                        .toList());
    }

    @Test
    void next_oneKey_drawsThatKey() {
        Zipf zipf = new Zipf(1, 1.0, 5);

        assertThat(IntStream.range(0, 100).map(draw -> zipf.next())).containsOnly(0);
    }

    @Test
    void new_noKeys_namesTheValue() {
        assertThatThrownBy(() -> new Zipf(0, 1.0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was 0");
    }
}
