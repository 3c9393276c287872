// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.size;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AwakeLimitTest {
    private static final boolean ENDED = true;

    private final AwakeLimit two = new AwakeLimit(2, 64, 2);
    private long now = -1_000_000; // the clock passes 0 early in each test

    /** Takes {@code times} samples with as many workers at work as allowed, of which {@code percent} percent wait. */
    private static void samples(AwakeLimit limit, int times, int percent, boolean ended) {
        for (int i = 0; i < times; i++) {
            int working = limit.limit();
            limit.sample(working, working * percent / 100, ended);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 8, 2, 2", "64, 64, 2, 2", "1, 8, 2, 1", "64, 512, 64, 64", "3, 3, 64, 3"})
    void limit_atFirst_isTheCoreOrTheProcessorsIfThoseAreFewer(int core, int max, int processors, int expected) {
        AwakeLimit limit = new AwakeLimit(core, max, processors);
        assertThat(limit.base()).isEqualTo(expected);
        assertThat(limit.limit()).isEqualTo(expected);
    }

    @Test
    void sample_nobodyWaits_changesNothing() {
        for (int i = 0; i < 100; i++) {
            assertThat(two.sample(2, 0, i % 2 == 0)).isTrue();
            assertThat(two.limit()).isEqualTo(2);
        }
    }

    @Test
    void sample_nobodyAtWork_changesNothing() {
        for (int i = 0; i < 10; i++) {
            assertThat(two.sample(0, 0, !ENDED)).isTrue();
        }
        assertThat(two.limit()).isEqualTo(2);
    }

    @Test
    void sample_allWaitAndNothingEnds_doublesAtOnceUpToTheMaximum() {
        for (int expected : new int[] {4, 8, 16, 32, 64, 64}) {
            samples(two, 1, 100, !ENDED);
            assertThat(two.limit()).isEqualTo(expected);
        }
    }

    @Test
    void sample_allWaitOnVirtualThreads_growsFourfold() {
        two.auxiliariesAreVirtual();
        for (int expected : new int[] {8, 32, 64, 64}) {
            samples(two, 1, 100, !ENDED);
            assertThat(two.limit()).isEqualTo(expected);
        }
    }

    @Test
    void sample_allWaitWhileTasksEnd_doublesFromTheSecondOn() {
        for (int expected : new int[] {2, 4, 8, 16, 32, 64, 64}) {
            samples(two, 1, 100, ENDED);
            assertThat(two.limit()).isEqualTo(expected);
        }
    }

    @Test
    void sample_fewAtWorkOfThoseThatMayBe_raisesNothing() {
        samples(two, 10, 100, ENDED);
        samples(two, 1, 0, ENDED);
        int before = two.limit();
        two.sample(2, 2, !ENDED);
        assertThat(two.limit()).isEqualTo(before);
    }

    @Test
    void sample_oneOddSample_changesNothing() {
        for (int i = 0; i < 50; i++) {
            two.sample(2, i % 10 == 5 ? 1 : 0, ENDED);
            assertThat(two.limit()).isEqualTo(2);
        }
    }

    @Test
    void sample_unsettled_whileAnotherLikeItWouldRaiseTheLimit() {
        two.sample(2, 0, ENDED);
        assertThat(two.sample(2, 1, ENDED)).as("seen once").isFalse();
        assertThat(two.limit()).isEqualTo(2);
        assertThat(two.sample(2, 1, ENDED)).as("raised").isFalse();
        assertThat(two.limit()).isGreaterThan(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 16, 64})
    void sample_oneWorkerWaitsForEver_isReplacedByOneOrTwo(int processors) {
        AwakeLimit limit = new AwakeLimit(processors, 512, processors);
        for (int i = 0; i < 50; i++) {
            limit.sample(limit.limit(), 1, ENDED || limit.limit() > 1);
        }
        assertThat(limit.limit()).isBetween(processors + 1, processors + 4);
    }

    @Test
    void sample_waitingIsOver_fallsBackToTheBaseWithinTwelveSamples() {
        samples(two, 20, 100, ENDED);
        assertThat(two.limit()).isEqualTo(64);
        samples(two, 12, 0, ENDED);
        assertThat(two.limit()).isEqualTo(2);
    }

    @Test
    void sample_nothingEnds_neverFalls() {
        samples(two, 20, 100, ENDED);
        samples(two, 50, 0, !ENDED);
        assertThat(two.limit()).isEqualTo(64);
    }

    @Test
    void sample_falls_byHalfAtMost() {
        samples(two, 20, 100, ENDED);
        for (int i = 0; i < 20; i++) {
            int before = two.limit();
            samples(two, 1, 0, ENDED);
            assertThat(two.limit()).isGreaterThanOrEqualTo(before / 2);
        }
    }

    @Test
    void begin_afterAPause_startsFromWhatIsInUseWithNewEstimates() {
        samples(two, 20, 100, ENDED);
        two.begin(now, 62);
        assertThat(two.limit()).isEqualTo(64);
        samples(two, 1, 0, ENDED);
        assertThat(two.limit()).as("nothing is known of before").isEqualTo(32);
    }

    /** The workers no longer wait, so that ready work would use all of them at once. */
    @Test
    void begin_fewerWaitThanDid_keepsTheseAndTheBase() {
        samples(two, 20, 100, ENDED);
        two.begin(now, 10);
        assertThat(two.limit()).isEqualTo(12);
        two.begin(now, 0);
        assertThat(two.limit()).isEqualTo(2);
    }

    @Test
    void force_raisesTheLimitAboveThoseThatAreUnblocked_untilTasksEnd() {
        two.force(1, 2);
        assertThat(two.limit()).isEqualTo(3);
        two.force(2, 9);
        assertThat(two.limit()).isEqualTo(11);
        samples(two, 50, 0, !ENDED);
        two.note(now, 0, 11);
        assertThat(two.limit()).isEqualTo(11);
        two.force(Integer.MAX_VALUE, 11);
        assertThat(two.limit()).isEqualTo(64);
        samples(two, 6, 0, ENDED);
        assertThat(two.limit()).as("30 ms after").isEqualTo(2);
    }

    @Test
    void leave_moreComputeThanMay_takesOneOffDownToTheBase() {
        samples(two, 20, 100, ENDED);
        two.leave(30);
        assertThat(two.limit()).isEqualTo(29);
        two.leave(60);
        assertThat(two.limit()).isEqualTo(29);
        two.leave(1);
        assertThat(two.limit()).isEqualTo(2);
        assertThat(two.mostComputing()).isEqualTo(4);
    }

    @Test
    void add_raisesTheLimit_untilThereIsNoWorkForAWhile() {
        assertThat(two.add(3, 2, 0)).isTrue();
        assertThat(two.limit()).isEqualTo(5);
        samples(two, 50, 0, ENDED);
        assertThat(two.limit()).isEqualTo(5);
        two.rest(0);
        assertThat(two.limit()).isEqualTo(2);
        samples(two, 50, 0, ENDED);
        assertThat(two.limit()).isEqualTo(2);
    }

    @Test
    void add_neverAboveTheMaximum() {
        two.add(1 << 16, 2, 0);
        two.add(Integer.MAX_VALUE, 2, 0);
        assertThat(two.limit()).isEqualTo(64);
    }

    @Test
    void rest_keepsWhatIsInUseAndTheBaseBeside() {
        samples(two, 20, 100, ENDED);
        two.rest(30);
        assertThat(two.limit()).isEqualTo(32);
        two.rest(40);
        assertThat(two.limit()).isEqualTo(32);
        two.rest(-1); // the counts are not read atomically
        assertThat(two.limit()).isEqualTo(2);
    }

    @Test
    void add_whileTheLimitIsHigher_onlyWhatWasAddedStays() {
        samples(two, 20, 100, ENDED);
        samples(two, 1, 0, ENDED);
        samples(two, 1, 0, ENDED);
        assertThat(two.limit()).isBetween(16, 32);
        two.add(1, 2, 0);
        samples(two, 12, 0, ENDED);
        assertThat(two.limit()).isEqualTo(3);
    }

    @Test
    void add_asManyComputeAsHelps_addsNone() {
        samples(two, 20, 100, ENDED);
        for (int computing : new int[] {3, 4, 64}) {
            assertThat(two.add(4, 64, computing)).isFalse();
            assertThat(two.limit()).isEqualTo(64);
        }
        samples(two, 12, 0, ENDED);
        assertThat(two.limit()).isEqualTo(2);
    }

    @Test
    void add_oneComputes_addsUpToOneBeyondTheProcessors() {
        assertThat(two.add(4, 2, 1)).isTrue();
        assertThat(two.limit()).isEqualTo(4);
    }

    /** This happens if two samples in a row add one worker each before the first of these has started. */
    @Test
    void add_thoseAddedBeforeHaveNoWorkYet_countAsComputing() {
        assertThat(two.add(1, 2, 2)).isTrue();
        assertThat(two.limit()).isEqualTo(3);
        assertThat(two.add(2, 2, 2)).isFalse();
        assertThat(two.add(2, 0, 0)).as("no worker has a processor").isFalse();
        assertThat(two.limit()).isEqualTo(3);
    }

    /** This happens if the process gets so little processor time that no task ends for long. */
    @Test
    void note_moreComputeThanWouldBeAddedFor_whatWasAddedIsTakenBack() {
        two.add(1, 2, 0);
        two.add(2, 2, 0);
        assertThat(two.limit()).isEqualTo(5);
        two.note(now, 0, 3);
        samples(two, 12, 0, ENDED);
        assertThat(two.limit()).as("three may compute").isEqualTo(5);
        two.note(now, 0, 5);
        samples(two, 12, 0, ENDED);
        assertThat(two.limit()).isEqualTo(3);
        two.note(now, 0, 64);
        samples(two, 12, 0, ENDED);
        assertThat(two.limit()).isEqualTo(2);
    }

    @Test
    void sample_moreHaveWaitedLately_doesNotFallBelowThatAndTheBase() {
        samples(two, 20, 100, ENDED);
        two.note(now, 10, 0);
        samples(two, 12, 0, ENDED);
        assertThat(two.limit()).isEqualTo(12);
        now += 2 * RecentMaximum.WINDOW_NANOS;
        two.note(now, 0, 0);
        samples(two, 12, 0, ENDED);
        assertThat(two.limit()).isEqualTo(2);
    }

    @Test
    void sample_allHaveWaitedLately_isSettledAtWhatTheseNeed() {
        samples(two, 20, 100, ENDED);
        two.note(now, 64, 0);
        assertThat(two.sample(64, 64, ENDED)).isTrue();
        assertThat(two.limit()).isEqualTo(64);
    }

    @Test
    void rest_moreHaveWaitedLately_keepsThatAndTheBase() {
        samples(two, 20, 100, ENDED);
        two.note(now, 10, 0);
        two.rest(3);
        assertThat(two.limit()).isEqualTo(12);
        two.note(now, Integer.MAX_VALUE, 0);
        two.rest(3);
        assertThat(two.limit()).isEqualTo(12);
    }

    @Test
    void begin_afterALongPause_forgetsWhatHasWaited() {
        assertThat(two.waitedLately()).isFalse();
        two.note(now, 1, 0);
        assertThat(two.waitedLately()).isTrue();
        now += 2 * RecentMaximum.WINDOW_NANOS;
        two.begin(now, 0);
        assertThat(two.waitedLately()).isFalse();
    }

    @Test
    void lower_neverBelowTheBase() {
        two.add(1, 2, 0);
        two.lower();
        two.lower();
        assertThat(two.limit()).isEqualTo(2);
    }

    @Test
    void coreIs_grown_raisesTheBaseUpToTheProcessors() {
        AwakeLimit limit = new AwakeLimit(1, 8, 2);
        limit.coreIs(2);
        assertThat(limit.base()).isEqualTo(2);
        assertThat(limit.limit()).isEqualTo(2);
        limit.coreIs(3);
        assertThat(limit.base()).isEqualTo(2);
        assertThat(limit.limit()).isEqualTo(2);
    }

    /** Simulates the resize of a container. */
    @Test
    void processorsAre_moreOrFewer_isTheNewBaseOfWhichTheLimitIsNeverBelow() {
        AwakeLimit limit = new AwakeLimit(8, 64, 2);
        limit.add(1, 2, 0);
        limit.processorsAre(6, 8);
        assertThat(limit.base()).isEqualTo(6);
        assertThat(limit.limit()).isEqualTo(6);
        limit.processorsAre(12, 8);
        assertThat(limit.base()).isEqualTo(8);
        limit.processorsAre(3, 8);
        assertThat(limit.base()).isEqualTo(3);
        samples(limit, 12, 0, ENDED);
        assertThat(limit.limit()).as("with the one that was added").isEqualTo(4);
    }

    @Test
    void processorsAre_moreThanADefaultCore_areTheBase() {
        AwakeLimit limit = new AwakeLimit(2, 64, 2, true);
        assertThat(limit.base()).isEqualTo(2);
        limit.processorsAre(6, 2);
        assertThat(limit.base()).isEqualTo(6);
    }

    @Test
    void sample_maximumOfOne_staysThere() {
        AwakeLimit one = new AwakeLimit(1, 1, 2);
        samples(one, 10, 100, !ENDED);
        one.add(1, 1, 0);
        assertThat(one.limit()).isEqualTo(1);
    }

    /** For arbitrary samples the limit stays within its bounds, and at most doubles or halves. */
    @Test
    void sample_anything_staysWithinBounds() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 2_000; round++) {
            int processors = 1 + random.nextInt(64);
            int core = 1 + random.nextInt(64);
            int max = core + random.nextInt(500);
            AwakeLimit limit = new AwakeLimit(core, max, processors);
            for (int i = 0; i < 100; i++) {
                int before = limit.limit();
                int working = random.nextInt(max + 1);
                now += random.nextInt(50_000_000);
                limit.note(now, random.nextInt(working + 1), random.nextInt(working + 1));
                limit.sample(working, random.nextInt(working + 1), random.nextBoolean());
                assertThat(limit.limit())
                        .isBetween(limit.base(), max)
                        .isBetween(before / 2, Math.max(before, 2 * working));
            }
        }
    }

    /**
     * Each worker waits for that share of the time, sampled at random. The limit settles near the value of the rule.
     */
    @ParameterizedTest
    @CsvSource({"2, 0", "2, 30", "2, 50", "2, 80", "2, 90", "8, 0", "8, 2", "8, 50", "16, 75", "64, 1", "64, 50"})
    void sample_loadThatStaysTheSame_settles(int processors, int percent) {
        AwakeLimit limit = new AwakeLimit(processors, 1_024, processors);
        SplittableRandom random = new SplittableRandom(percent);
        double share = percent / 100.0;
        double ideal = (processors + 1.5 * Math.sqrt(processors * share)) / (1 - share);
        long sum = 0;
        int samples = 2_000;
        for (int i = -100; i < samples; i++) {
            sample(limit, random, percent);
            sum += i < 0 ? 0 : limit.limit();
        }
        assertThat((double) sum / samples).isBetween(ideal * 0.75 - 1, ideal * 1.3 + 1);
    }

    /** Under alternating loads the limit follows each change within 20 samples and does not oscillate in between. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void sample_loadsThatAlternate_areFollowedWithoutSwinging(int processors) {
        AwakeLimit limit = new AwakeLimit(processors, 64 * processors, processors);
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 200; round++) {
            boolean waits = round % 2 == 0;
            int turns = 0;
            int before = limit.limit();
            int direction = 0;
            for (int i = 0; i < 100; i++) {
                sample(limit, random, waits ? 100 : 0);
                int change = Integer.signum(limit.limit() - before);
                turns += change != 0 && change == -direction ? 1 : 0;
                direction = change == 0 ? direction : change;
                before = limit.limit();
                if (i >= 20) {
                    assertThat(before).isEqualTo(waits ? 64 * processors : processors);
                }
            }
            assertThat(turns).as("turns").isLessThanOrEqualTo(1);
        }
    }

    private static void sample(AwakeLimit limit, SplittableRandom random, int percent) {
        int working = limit.limit();
        int waiting = 0;
        for (int w = 0; w < working; w++) {
            waiting += random.nextInt(100) < percent ? 1 : 0;
        }
        limit.sample(working, waiting, ENDED);
    }
}
