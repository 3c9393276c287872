// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

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
}
