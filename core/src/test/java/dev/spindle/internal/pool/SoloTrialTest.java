// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SoloTrialTest {
    private static final int SHORT_STEPS = 10_000; // per window: 200 ns of processor time each with two workers

    private long now = Long.MAX_VALUE - 10 * SoloTrial.WINDOW_NANOS; // so that the clock wraps around
    private final SoloTrial trial = new SoloTrial(now);
    private long steps;
    private boolean solo;

    private void window(int done) {
        window(done, SoloTrial.WINDOW_NANOS, 2, false);
    }

    private void window(int done, long nanos, int working, boolean many) {
        now += nanos;
        steps += done;
        assertThat(trial.isOver(now)).isTrue();
        solo = trial.next(now, steps, solo, solo ? 1 : working, many);
        assertThat(trial.isOver(now + SoloTrial.WINDOW_NANOS - 1)).isFalse();
    }

    /**
     * Ends {@code count} windows of a load that does the given work in each mode. Returns how many of them were solo.
     */
    private int load(int ofAll, int ofOne, int count) {
        int alone = 0;
        for (int i = 0; i < count; i++) {
            alone += solo ? 1 : 0;
            window(solo ? ofOne : ofAll);
        }
        return 100 * alone / count;
    }

    private void untilSolo(int ofAll, int ofOne) {
        while (!solo) {
            window(ofAll);
        }
        window(ofOne);
        window(ofOne);
        assertThat(solo).isTrue();
    }

    @Test
    void next_oneWorkerDoesMore_isSoloAlmostAlways() {
        assertThat(load(SHORT_STEPS, 3 * SHORT_STEPS, 1_000)).isGreaterThanOrEqualTo(96);
    }

    @Test
    void next_firstWindowOfATrial_isNotJudged_sinceTheOthersAreStillOnTheWayOut() {
        while (!solo) {
            window(SHORT_STEPS);
        }
        window(SHORT_STEPS / 4);
        window(3 * SHORT_STEPS);

        assertThat(load(SHORT_STEPS, 3 * SHORT_STEPS, 15)).isEqualTo(100);
    }

    @Test
    void next_oneWorkerDoesNearlyAsMuch_isSolo_sinceThatTakesOneProcessorLess() {
        assertThat(load(SHORT_STEPS, SHORT_STEPS * 98 / 100, 1_000)).isGreaterThanOrEqualTo(96);
    }

    @Test
    void next_allDoMore_isSoloAlmostNever() {
        assertThat(load(SHORT_STEPS, SHORT_STEPS * 8 / 10, 1_000)).isLessThanOrEqualTo(2);
    }

    @Test
    void next_loadThatChanges_isTriedSoon() {
        untilSolo(SHORT_STEPS, 3 * SHORT_STEPS);
        window(3 * SHORT_STEPS);

        assertThat(load(20 * SHORT_STEPS, 10 * SHORT_STEPS, 100)).isLessThanOrEqualTo(6);
    }

    @Test
    void next_oneWindowThatDiffers_isTakenForAnAccident() {
        untilSolo(SHORT_STEPS, 3 * SHORT_STEPS);
        for (int i = 0; i < 5; i++) {
            window(3 * SHORT_STEPS);
            window(SHORT_STEPS);

            assertThat(solo).isTrue();
        }
    }

    @Test
    void next_tasksThatTakeLonger_neverSolo() {
        int longest = (int) (2 * SoloTrial.WINDOW_NANOS / SoloTrial.LONGEST_STEP_NANOS);

        assertThat(load(longest - 1, longest, 100)).isZero();
        assertThat(load(longest, longest, 100)).isPositive();
    }

    @Test
    void next_oneWorkerAtWork_neverSolo() {
        for (int i = 0; i < 100; i++) {
            window(SHORT_STEPS, SoloTrial.WINDOW_NANOS, 1, false);

            assertThat(solo).isFalse();
        }
    }

    @Test
    void next_manyEntriesReady_endsSolo() {
        untilSolo(SHORT_STEPS, 3 * SHORT_STEPS);
        for (int i = 0; i < 100; i++) {
            window(SHORT_STEPS, SoloTrial.WINDOW_NANOS, 2, true);

            assertThat(solo).isFalse();
        }
    }

    @Test
    void next_afterAPause_allWork_andWhatProvedBetterIsTriedSoon() {
        untilSolo(SHORT_STEPS, 3 * SHORT_STEPS);
        window(3 * SHORT_STEPS, SoloTrial.LONGEST_WINDOW_NANOS + 1, 2, false);

        assertThat(solo).isFalse();
        window(SHORT_STEPS);

        assertThat(solo).isTrue();
    }

    @Test
    void next_afterAPause_whatProvedWorseIsNotTriedSoon() {
        load(SHORT_STEPS, SHORT_STEPS / 2, 3);
        int tried = 0;
        for (int i = 0; i < 10; i++) {
            window(SHORT_STEPS, SoloTrial.LONGEST_WINDOW_NANOS + 1, 2, false);
            tried += load(SHORT_STEPS, SHORT_STEPS / 2, 1);
        }
        assertThat(tried).isZero();
    }

    @Test
    void next_trialsInWhichSeveralEntriesBecomeReady_comeSeldom() {
        int tried = 0;
        for (int i = 0; i < 1_000; i++) {
            tried += solo ? 1 : 0;
            window(SHORT_STEPS, SoloTrial.WINDOW_NANOS, 2, solo);
        }

        assertThat(tried).isBetween(1, 20);
    }

    @Test
    void next_trialsThatOthersEnd_areNotPutOffFurtherAndFurther() {
        int tried = 0;
        for (int i = 0; i < 1_000; i++) {
            tried += solo ? 1 : 0;
            solo = false;
            window(SHORT_STEPS);
        }

        assertThat(tried).isBetween(50, 65);
    }

    @Test
    void next_soloThatWasEndedByOthers_allWork() {
        untilSolo(SHORT_STEPS, 3 * SHORT_STEPS);
        solo = false;
        window(SHORT_STEPS);

        assertThat(solo).isFalse();
    }
}
