// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TrafficTest {
    @Test
    void keys_roundRobin_touchesOneAfterTheOther() {
        assertThat(Traffic.ROUND_ROBIN.keys(3, 7, 1)).containsExactly(0, 1, 2, 0, 1, 2, 0);
    }

    @ParameterizedTest
    @EnumSource
    void keys_sameSeed_areTheSameAndInRange(Traffic traffic) {
        int[] order = traffic.keys(50, 5_000, 11);

        assertThat(order).hasSize(5_000).isEqualTo(traffic.keys(50, 5_000, 11));
        assertThat(IntStream.of(order)).allMatch(key -> key >= 0 && key < 50);
    }

    @Test
    void zipf_manyEvents_comeByRankAndTheHottestIsScattered() {
        int[] counts = new int[100];
        for (int key : Traffic.ZIPF.keys(100, 100_000, 7)) {
            counts[key]++;
        }
        int[] sorted = counts.clone();
        Arrays.sort(sorted);

        assertThat(sorted[99] / (double) sorted[98]).isBetween(1.7, 2.3);
        assertThat(sorted[99] / (double) sorted[89]).isBetween(9.0, 13.0);
        assertThat(counts[0]).isNotEqualTo(sorted[99]);
        int[] again = Traffic.ZIPF.keys(100, 1_000, 7);
        assertThat(Traffic.ZIPF.keys(100, 1_000, 7)).isEqualTo(again);
    }
}
