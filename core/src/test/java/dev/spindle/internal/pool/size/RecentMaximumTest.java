// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.size;

import static dev.spindle.internal.pool.size.RecentMaximum.WINDOW_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentMaximumTest {
    private final RecentMaximum recent = new RecentMaximum();

    @Test
    void get_nothingAdded_isZero() {
        assertThat(recent.get()).isZero();
    }

    /** Tries several starts of the clock, one of which makes it wrap around early. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MIN_VALUE, -1, Long.MAX_VALUE - WINDOW_NANOS / 2})
    void add_numberOfLong_isForgottenAfterOneToTwoWindows(long start) {
        recent.add(start, 7);
        recent.add(start + WINDOW_NANOS - 1, 3);
        assertThat(recent.get()).isEqualTo(7);
        recent.add(start + WINDOW_NANOS, 0);
        assertThat(recent.get()).as("in the window before").isEqualTo(7);
        recent.add(start + 2 * WINDOW_NANOS, 1);
        assertThat(recent.get()).isEqualTo(1);
    }

    /** Otherwise a value would be remembered for three windows if calls are rare. */
    @Test
    void add_seldom_isForgottenAfterTwoWindowsAllTheSame() {
        recent.add(0, 7);
        recent.add(2 * WINDOW_NANOS - 1, 0);
        assertThat(recent.get()).isEqualTo(7);
        recent.add(2 * WINDOW_NANOS, 0);
        assertThat(recent.get()).isZero();
    }

    @Test
    void add_afterAPause_forgetsAll() {
        recent.add(0, 7);
        recent.add(2 * WINDOW_NANOS, 0);
        assertThat(recent.get()).isZero();
    }

    @Test
    void get_anyNumbers_isAtLeastTheGreatestOfAWindowAndAtMostThatOfTwo() {
        SplittableRandom random = new SplittableRandom(1);
        int[] numbers = new int[2_000];
        int window = 20;
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = random.nextInt(random.nextInt(100) + 1);
            recent.add(i * (WINDOW_NANOS / window), numbers[i]);
            assertThat(recent.get())
                    .isBetween(greatest(numbers, i - window + 1, i), greatest(numbers, i - 2 * window, i));
        }
    }

    private static int greatest(int[] numbers, int from, int to) {
        int greatest = 0;
        for (int i = Math.max(0, from); i <= to; i++) {
            greatest = Math.max(greatest, numbers[i]);
        }
        return greatest;
    }
}
