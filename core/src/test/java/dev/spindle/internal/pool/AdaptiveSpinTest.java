// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AdaptiveSpinTest {
    private static final boolean FOUND = true;

    private final AtomicLong clock = new AtomicLong();
    private final AdaptiveSpin habit = new AdaptiveSpin(2, clock::get);

    @Test
    void isWorthwhile_withoutExperience_isTrue() {
        assertThat(habit.isWorthwhile()).isTrue();
    }

    @Test
    void isWorthwhile_oneProcessor_isFalse() {
        assertThat(new AdaptiveSpin(1, clock::get).isWorthwhile()).isFalse();
    }

    @Test
    void note_searchesThatFindNothing_letTwiceAsManyOccasionsPassEachTime() {
        int[] passed = new int[6];
        for (int i = 0; i < passed.length; i++) {
            habit.note(!FOUND);
            passed[i] = occasionsPassed();
        }

        assertThat(passed).containsExactly(0, 2, 6, 14, 30, 62);
    }

    @Test
    void note_foundNothingForEver_stillTriesNowAndThen() {
        int passed = 0;
        for (int i = 0; i < 100; i++) {
            habit.note(!FOUND);
            passed = occasionsPassed();
        }

        assertThat(passed).isEqualTo((1 << 16) - 2);
    }

    @Test
    void note_oneSearchOfThreeFindsWork_keepsSearching() {
        for (int i = 0; i < 300; i++) {
            habit.note(i % 3 == 0);
            assertThat(occasionsPassed()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void note_foundAfterLongFailure_searchesSoonAgain() {
        for (int i = 0; i < 100; i++) {
            habit.note(!FOUND);
            occasionsPassed();
        }
        for (int i = 0; i < 8; i++) {
            habit.note(FOUND);
        }

        assertThat(occasionsPassed()).isZero();
        habit.note(!FOUND);
        assertThat(occasionsPassed()).isZero();
    }

    @Test
    void search_foundAtLast_isTrue() {
        AtomicInteger asked = new AtomicInteger();

        boolean found = habit.search(() -> asked.incrementAndGet() == 100, 1_000);

        assertThat(found).isTrue();
        assertThat(asked).hasValue(100);
    }

    @Test
    void search_notFound_endsAfterTheGivenTimeAndLearns() {
        habit.note(!FOUND);

        boolean found = habit.search(
                () -> {
                    clock.addAndGet(10);
                    return false;
                },
                1_000);

        assertThat(found).isFalse();
        assertThat(clock.get()).isBetween(1_000L, 1_200L);
        assertThat(occasionsPassed()).isEqualTo(2);
    }

    @Test
    void search_clockStandsStill_endsNevertheless() {
        assertThat(habit.search(() -> false, 1_000)).isFalse();
    }

    private int occasionsPassed() {
        int passed = 0;
        while (!habit.isWorthwhile()) {
            passed++;
        }
        return passed;
    }
}
