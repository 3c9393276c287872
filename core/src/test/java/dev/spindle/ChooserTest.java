// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.StrandGroup.Chooser;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChooserTest {
    /** Computed by hand: other versions of this library and of the JDK must choose the same members. */
    @Test
    void indexOf_someHashes_isTheSameInEveryRun() {
        Chooser eight = new Chooser(8);
        Chooser seven = new Chooser(7);
        int[] hashes = {0, 1, 2, 42, -1, "alice".hashCode(), Integer.MIN_VALUE};
        assertThat(Arrays.stream(hashes).map(eight::indexOf)).containsExactly(0, 7, 6, 4, 1, 3, 0);
        assertThat(Arrays.stream(hashes).map(seven::indexOf)).containsExactly(0, 6, 6, 5, 2, 4, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 1000, 1024, 65_536})
    void index_anyNumber_isInRangeAndNeighboursTakeTurns(int size) {
        Chooser chooser = new Chooser(size);
        for (long start : new long[] {
            0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE - 5, Long.MIN_VALUE, 1L << 32, -(1L << 32) - 3
        }) {
            Set<Integer> seen = new HashSet<>();
            int before = chooser.index(start - 1);
            for (int i = 0; i < size && start + i >= start; i++) {
                int index = chooser.index(start + i);
                assertThat(index).isBetween(0, size - 1);
                assertThat(index).isEqualTo(start == Long.MIN_VALUE && i == 0 ? index : (before + 1) % size);
                seen.add(index);
                before = index;
            }
            assertThat(seen).hasSizeGreaterThanOrEqualTo(Math.min(size, 6));
        }
    }

    /** For ids with a constant step no member has more than twice its share or less than a quarter of it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8, 16, 60, 64, 100, 1_000, 1_024, 4_096, 65_536, 1 << 20, -8, -1_000})
    void indexOf_hashesInSteps_areSpreadEvenly(int step) {
        for (int size : new int[] {2, 3, 7, 8, 16}) {
            Chooser chooser = new Chooser(size);
            int[] members = new int[size];
            for (int i = 0; i < 60 * size; i++) {
                members[chooser.indexOf(i * step)]++;
            }
            assertThat(Arrays.stream(members))
                    .as("step %d, size %d", step, size)
                    .allMatch(count -> count >= 15 && count <= 120);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 8})
    void indexOf_hashesThatDifferInHighBitsAlone_areSpread(int size) {
        Chooser chooser = new Chooser(size);
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 64; i++) {
            int index = chooser.indexOf(i << 16);
            assertThat(index).isBetween(0, size - 1);
            seen.add(index);
        }
        assertThat(seen).hasSize(size);
        assertThat(chooser.indexOf(-17)).isEqualTo(chooser.indexOf(-17)).isBetween(0, size - 1);
    }
}
