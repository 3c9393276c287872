// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SearchHabitTest {
    private static final boolean FOUND = true;

    private final SearchHabit habit = new SearchHabit(2);

    @Test
    void isWorthwhile_withoutExperience_isTrue() {
        assertThat(habit.isWorthwhile()).isTrue();
    }

    @Test
    void isWorthwhile_oneProcessor_isFalse() {
        assertThat(new SearchHabit(1).isWorthwhile()).isFalse();
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

    private int occasionsPassed() {
        int passed = 0;
        while (!habit.isWorthwhile()) {
            passed++;
        }
        return passed;
    }
}
