// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingLayoutTest {
    /**
     * The stamp of a slot is the round of its last event: that of the previous round must never equal the awaited one.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1024})
    void p1_roundsPastTheRangeOfAnInt_differFromTheOnesBefore(int size) {
        RingLayout layout = new RingLayout(size);
        for (long turns = (1L << 31) - 3;
                turns < (1L << 32) + 3;
                turns += turns == (1L << 31) + 3 ? (1L << 31) - 9 : 1) {
            long sequence = turns * size;

            assertThat(layout.round(sequence)).isNotEqualTo(layout.round(sequence - size));
            assertThat(layout.round(sequence)).isEqualTo(layout.round(sequence + size - 1));
            assertThat(layout.index(sequence)).isZero();
            assertThat(layout.index(sequence + size - 1)).isEqualTo(size - 1);
        }
    }
}
