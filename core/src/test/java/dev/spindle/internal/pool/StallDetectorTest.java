// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StallDetectorTest {
    private static final boolean READY = true;
    private static final boolean WAITING = true;

    private final StallDetector check = new StallDetector();
    private long now = Long.MAX_VALUE - 2 * StallDetector.LOOK_NANOS; // the clock wraps early in each test
    private long done;
    private long begin; // of the injection queue
    private long end = 100;
    private int missing;

    @BeforeEach
    void begin() {
        check.begin(now, done, end);
    }

    @Test
    void nextLook_afterBegin_isOneLookLater() {
        assertThat(check.nextLook() - now).isEqualTo(StallDetector.LOOK_NANOS);
    }

    @Test
    void look_whileTasksEnd_addsNone() {
        for (int i = 0; i < 50; i++) {
            done++;
            assertThat(look(READY, WAITING)).isZero();
        }
    }

    @Test
    void look_oldEntriesWhileTasksEnd_replacesTheWorkersThatWait() {
        missing = 3;
        long start = now;
        begin = 50; // those up to 100 were ready at the start
        do {
            done++;
        } while (look(READY, !WAITING) == 0);
        assertThat(now - start).isEqualTo(20_000_000);

        done++;
        assertThat(look(READY, !WAITING)).as("they are still old").isEqualTo(3);
        missing = 0;
        done++;
        assertThat(look(READY, !WAITING)).as("nobody is missing any more").isZero();
    }

    @Test
    void look_entriesThatAreTakenInTime_replaceNobody() {
        missing = 3;
        for (int i = 0; i < 100; i++) {
            done++;
            begin = end;
            end += 100;
            assertThat(look(READY, !WAITING)).isZero();
        }
    }

    @Test
    void nextLook_whileWorkFlows_comesSlowerUntilNothingEnds() {
        for (int i = 0; i < 20; i++) {
            done++;
            look(READY, !WAITING);
        }
        assertThat(check.nextLook() - now).isEqualTo(StallDetector.SLOW_LOOK_NANOS);
        long start = now;
        now = check.nextLook();
        assertThat(check.look(now, sight(READY, !WAITING))).isZero();
        assertThat(untilAdded(!WAITING)).isEqualTo(1);
        assertThat(now - start).as("the same tick as ever").isEqualTo(20_000_000);
    }

    @Test
    void look_nothingEndsWhileAllWait_addsAfterTenMillis() {
        long start = now;
        untilAdded(WAITING);

        assertThat(now - start).isEqualTo(10_000_000);
    }

    @Test
    void look_nothingEndsWhileSomeRun_addsAfterTwentyMillis() {
        long start = now;
        untilAdded(!WAITING);

        assertThat(now - start).isEqualTo(20_000_000);
    }

    @Test
    void look_stillStuck_doublesEachLook() {
        assertThat(untilAdded(WAITING)).isEqualTo(1);
        assertThat(look(READY, WAITING)).isEqualTo(2);
        assertThat(look(READY, WAITING)).isEqualTo(4);
        assertThat(look(READY, WAITING)).isEqualTo(8);
    }

    @Test
    void look_stuckForEver_staysPositive() {
        untilAdded(WAITING);
        for (int i = 0; i < 100; i++) {
            assertThat(look(READY, WAITING)).isBetween(1, 1 << 16);
        }
    }

    @Test
    void look_afterProgress_startsFromOneAgain() {
        untilAdded(WAITING);
        look(READY, WAITING);
        done++;
        assertThat(look(READY, WAITING)).isZero();

        assertThat(untilAdded(WAITING)).isEqualTo(1);
    }

    @Test
    void look_afterTheProcessStoodStill_saysNothing() {
        assertThat(look(READY, WAITING)).isZero();
        now += 1_000 * StallDetector.LOOK_NANOS;
        assertThat(look(READY, WAITING)).isZero();
        assertThat(look(READY, WAITING)).as("of the two in time").isEqualTo(1);
    }

    @Test
    void look_eachComesLate_countsAsOneInTime() {
        int looks = 0;
        do {
            now += 19 * StallDetector.LOOK_NANOS;
            looks++;
        } while (look(READY, WAITING) == 0);
        assertThat(looks).isEqualTo(3);

        done++;
        looks = 0;
        do {
            now += 19 * StallDetector.LOOK_NANOS;
            looks++;
        } while (look(READY, !WAITING) == 0);
        assertThat(looks).as("with one that sees the task that ended").isEqualTo(5);
    }

    @Test
    void look_eachSecondComesLate_thoseInTimeCount() {
        int looks = 0;
        do {
            now += looks++ % 2 == 0 ? 19 * StallDetector.LOOK_NANOS : 0;
        } while (look(READY, WAITING) == 0);
        assertThat(looks).isEqualTo(4);
    }

    @Test
    void look_oldEntriesWhileTasksEndAndEachComesLate_replacesTheWorkersThatWait() {
        missing = 3;
        begin = 50; // those up to 100 were ready at the start
        int looks = 0;
        do {
            now += 19 * StallDetector.LOOK_NANOS;
            done++;
            looks++;
        } while (look(READY, !WAITING) == 0);
        assertThat(looks).isEqualTo(5);
    }

    @Test
    void look_nothingReadyForLong_isQuiet() {
        int looks = 1;
        while (look(!READY, WAITING) != StallDetector.QUIET) {
            looks++;
        }

        assertThat(looks).isGreaterThan(1).isLessThan(100);
    }

    @Test
    void look_readyNowAndThen_isNotQuiet() {
        for (int i = 0; i < 200; i++) {
            done++;
            assertThat(look(i % 5 == 0, WAITING)).isZero();
        }
    }

    @Test
    void look_nothingReadyInBetween_startsFromOneAgain() {
        untilAdded(WAITING);
        look(READY, WAITING);
        look(!READY, WAITING);

        assertThat(untilAdded(WAITING)).isEqualTo(1);
    }

    @Test
    void beginsEpisode_oncePerEpisode_isTrue() {
        untilAdded(WAITING);
        assertThat(check.beginsEpisode()).isTrue();
        assertThat(check.beginsEpisode()).isFalse();

        done++;
        look(READY, WAITING);
        untilAdded(WAITING);
        assertThat(check.beginsEpisode()).isTrue();
    }

    private StallDetector.Sample sight(boolean ready, boolean waiting) {
        return new StallDetector.Sample(done, ready, waiting, begin, end, missing);
    }

    private int look(boolean ready, boolean waiting) {
        now += StallDetector.LOOK_NANOS;
        return check.look(now, sight(ready, waiting));
    }

    private int untilAdded(boolean waiting) {
        for (int i = 0; i < 100; i++) {
            int add = look(READY, waiting);
            if (add > 0) {
                return add;
            }
        }
        throw new AssertionError("nothing was added in 100 looks");
    }
}
