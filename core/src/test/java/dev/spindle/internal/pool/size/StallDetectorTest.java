// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.size;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StallDetectorTest {
    private static final boolean READY = true;
    private static final boolean STEADY = true;
    private static final boolean WAITED = true;

    private final StallDetector check = new StallDetector();
    private long now = Long.MAX_VALUE - 2 * StallDetector.LOOK_NANOS; // wraps around early in each test
    private boolean progress;

    @BeforeEach
    void begin() {
        check.begin(now, !WAITED);
    }

    @Test
    void nextLook_afterBegin_isOneLookLater() {
        assertThat(check.nextLook() - now).isEqualTo(StallDetector.LOOK_NANOS);
    }

    @Test
    void look_whileTasksEnd_addsNone() {
        for (int i = 0; i < 50; i++) {
            progress = true;
            assertThat(look(READY)).isZero();
        }
    }

    @Test
    void nextLook_virtualAuxiliariesAndTheLimitWasRaised_comesAfterAMillisecond() {
        check.auxiliariesAreVirtual();
        now += StallDetector.LOOK_NANOS;
        check.look(now, READY, true, true, !STEADY, !WAITED);
        assertThat(check.nextLook() - now).isEqualTo(1_000_000);
        now = check.nextLook();
        check.look(now, READY, true, false, !STEADY, !WAITED);
        assertThat(check.nextLook() - now).isEqualTo(StallDetector.LOOK_NANOS);
    }

    @Test
    void nextLook_whileWorkFlows_comesSlowerUntilNothingEnds() {
        for (int i = 0; i < 20; i++) {
            progress = true;
            look(READY);
        }
        assertThat(check.nextLook() - now).isEqualTo(StallDetector.SLOW_LOOK_NANOS);
        long start = now;
        now = check.nextLook();
        assertThat(check.look(now, READY, false, false, STEADY, !WAITED)).isZero();
        assertThat(untilAdded()).isEqualTo(1);
        assertThat(now - start).as("the same tick as ever").isEqualTo(20_000_000);
    }

    @Test
    void nextLook_whileTheLimitIsNotSettled_comesSoon() {
        for (int i = 0; i < 20; i++) {
            now += StallDetector.LOOK_NANOS;
            check.look(now, READY, true, false, !STEADY, !WAITED);
        }
        assertThat(check.nextLook() - now).isEqualTo(StallDetector.LOOK_NANOS);
    }

    @Test
    void nextLook_workersWaitedLately_comesSooner() {
        check.look(now, READY, true, false, STEADY, WAITED);
        assertThat(check.nextLook() - now).isEqualTo(StallDetector.SOON_LOOK_NANOS);
        check.begin(now, WAITED);
        assertThat(check.nextLook() - now).isEqualTo(StallDetector.SOON_LOOK_NANOS);
        check.look(now, READY, true, false, STEADY, !WAITED);
        assertThat(check.nextLook() - now).isEqualTo(StallDetector.LOOK_NANOS);
    }

    /** While work is ready the limit fits it; without ready work, more workers may soon wait. */
    @Test
    void nextLook_workersWaitedLatelyAndWorkFlows_comesSlowerIfWorkIsReady() {
        for (int i = 0; i < 20; i++) {
            check.look(++now, i % 10 == 9, true, false, STEADY, WAITED);
        }
        assertThat(check.nextLook() - now).isEqualTo(StallDetector.SOON_LOOK_NANOS);
        for (int i = 0; i < 20; i++) {
            check.look(++now, READY, true, false, STEADY, WAITED);
        }
        assertThat(check.nextLook() - now).isEqualTo(StallDetector.SLOW_LOOK_NANOS);
    }

    @Test
    void look_nothingEnds_addsAfterTwentyMillis() {
        long start = now;
        untilAdded();

        assertThat(now - start).isEqualTo(20_000_000);
    }

    @Test
    void look_stillStuck_doublesEachLook() {
        assertThat(untilAdded()).isEqualTo(1);
        assertThat(look(READY)).isEqualTo(2);
        assertThat(look(READY)).isEqualTo(4);
        assertThat(look(READY)).isEqualTo(8);
    }

    @Test
    void look_stuckForEver_staysPositive() {
        untilAdded();
        for (int i = 0; i < 100; i++) {
            assertThat(look(READY)).isBetween(1, 1 << 16);
        }
    }

    @Test
    void look_afterProgress_startsFromOneAgain() {
        untilAdded();
        look(READY);
        progress = true;
        assertThat(look(READY)).isZero();

        assertThat(untilAdded()).isEqualTo(1);
    }

    @Test
    void look_afterTheProcessStoodStill_saysNothing() {
        for (int i = 0; i < 3; i++) {
            assertThat(look(READY)).isZero();
        }
        now += 1_000 * StallDetector.LOOK_NANOS;
        assertThat(check.isBlind(now + StallDetector.LOOK_NANOS)).isTrue();
        assertThat(look(READY)).isZero();
        assertThat(check.isBlind(now + StallDetector.LOOK_NANOS)).isFalse();
        assertThat(look(READY)).as("of the four in time").isEqualTo(1);
    }

    @Test
    void look_eachComesLate_countsAsOneInTime() {
        int looks = 0;
        do {
            now += 19 * StallDetector.LOOK_NANOS;
            looks++;
            assertThat(check.isBlind(now + StallDetector.LOOK_NANOS)).isEqualTo(looks == 1);
        } while (look(READY) == 0);
        assertThat(looks).isEqualTo(5);
    }

    @Test
    void look_eachSecondComesLate_thoseInTimeCount() {
        int looks = 0;
        do {
            now += looks++ % 2 == 0 ? 19 * StallDetector.LOOK_NANOS : 0;
        } while (look(READY) == 0);
        assertThat(looks).isEqualTo(8);
    }

    @Test
    void look_nothingReadyForLong_isQuiet() {
        int looks = 1;
        while (look(!READY) != StallDetector.QUIET) {
            looks++;
        }

        assertThat(looks).isGreaterThan(1).isLessThan(100);
    }

    @Test
    void look_readyNowAndThen_isNotQuiet() {
        for (int i = 0; i < 200; i++) {
            progress = true;
            assertThat(look(i % 5 == 0)).isZero();
        }
    }

    @Test
    void look_nothingReadyInBetween_startsFromOneAgain() {
        untilAdded();
        look(READY);
        look(!READY);

        assertThat(untilAdded()).isEqualTo(1);
    }

    /** The workers may spin for the ready work (T7). */
    @Test
    void forced_nothingEnds_oneAfterHalfASecondAndThenTwiceAsMany() {
        for (int expected = 1; expected <= 64; expected *= 2) {
            assertThat(untilForced(false)).isEqualTo(500_000_000);
            assertThat(check.forced()).isEqualTo(expected);
        }
        progress = true;
        look(READY);
        assertThat(check.forced()).isZero();
        assertThat(untilForced(false)).isEqualTo(500_000_000);
        assertThat(check.forced()).isEqualTo(1);
        look(!READY);
        assertThat(untilForced(false)).isEqualTo(500_000_000);
        assertThat(check.forced()).isEqualTo(1);
    }

    /** Spinning workers may occasionally seem to wait. */
    @Test
    void forced_theLimitRisesWhileNothingEnds_isNoProgress() {
        assertThat(untilForced(true)).isEqualTo(500_000_000);
    }

    private long untilForced(boolean raised) {
        long start = now;
        do {
            now += StallDetector.LOOK_NANOS;
            check.look(now, READY, false, raised, STEADY, !WAITED);
        } while (check.forced() == 0);
        return now - start;
    }

    private int look(boolean ready) {
        now += StallDetector.LOOK_NANOS;
        boolean moved = progress;
        progress = false;
        return check.look(now, ready, moved, false, STEADY, !WAITED);
    }

    private int untilAdded() {
        for (int i = 0; i < 100; i++) {
            int add = look(READY);
            if (add > 0) {
                return add;
            }
        }
        throw new AssertionError("nothing was added in 100 looks");
    }
}
