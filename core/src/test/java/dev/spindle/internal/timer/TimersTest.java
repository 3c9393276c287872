// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.internal.Pool.Added;
import dev.spindle.internal.timer.Timers.Timer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimersTest {
    private final Timers timers = new Timers(0);
    private final List<Timer> fired = new ArrayList<>();

    @Test
    void fire_severalDue_firesInTheOrderOfDueTimes() {
        Timer late = timer();
        Timer early = timer();
        timers.add(late, 20);
        timers.add(early, 10);

        TestTimer.fire(timers, 20);

        assertThat(fired).containsExactly(early, late);
        assertThat(timers.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 1L << 21, 1L << 40, 1L << 62})
    void fire_sameDueTime_firesInTheOrderOfAdding(long due) {
        List<Timer> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(timer());
            timers.add(all.get(i), due);
        }

        TestTimer.fire(timers, due);

        assertThat(fired).containsExactlyElementsOf(all);
    }

    @Test
    void fire_sameDueTimeAddedAtDifferentDistances_firesInTheOrderOfAdding() {
        long due = 3L << 40;
        List<Timer> all = new ArrayList<>();
        for (long now = 0; now < due; now += due / 97) {
            TestTimer.fire(timers, now);
            long unused = timers.untilNext(now);
            all.add(timer());
            timers.add(all.get(all.size() - 1), due);
        }

        TestTimer.fire(timers, due - 1);
        assertThat(fired).isEmpty();
        TestTimer.fire(timers, due);

        assertThat(fired).containsExactlyElementsOf(all);
    }

    @Test
    void fire_notYetDue_firesNothing() {
        timers.add(timer(), 10);

        TestTimer.fire(timers, 9);

        assertThat(fired).isEmpty();
        assertThat(timers.isEmpty()).isFalse();
    }

    @Test
    void fire_firstOfATickWasRemoved_doesNotFireTheNextEarly() {
        Timer first = timer();
        Timer next = timer();
        timers.add(first, 1);
        timers.add(next, 2);
        timers.remove(first);

        TestTimer.fire(timers, 1);
        assertThat(fired).isEmpty();
        TestTimer.fire(timers, 2);
        assertThat(fired).containsExactly(next);
    }

    @Test
    void fire_clockWraps_comparesByDifference() {
        Timers wrapping = new Timers(Long.MAX_VALUE - 100);
        Timer before = timer();
        Timer after = timer();
        Timer farAway = timer();
        wrapping.add(farAway, Long.MAX_VALUE - 100 + TimeUnit.DAYS.toNanos(30));
        wrapping.add(after, Long.MAX_VALUE + 5);
        wrapping.add(before, Long.MAX_VALUE - 5);

        assertThat(wrapping.untilNext(Long.MAX_VALUE - 100)).isEqualTo(95);
        TestTimer.fire(wrapping, Long.MAX_VALUE);
        assertThat(fired).containsExactly(before);
        TestTimer.fire(wrapping, Long.MIN_VALUE + 3);
        assertThat(fired).containsExactly(before);
        assertThat(wrapping.untilNext(Long.MIN_VALUE + 3)).isEqualTo(1);
        TestTimer.fire(wrapping, Long.MIN_VALUE + 4);
        assertThat(fired).containsExactly(before, after);
        TestTimer.fire(wrapping, Long.MAX_VALUE - 101 + TimeUnit.DAYS.toNanos(30));
        assertThat(fired).hasSize(2);
        TestTimer.fire(wrapping, Long.MAX_VALUE - 100 + TimeUnit.DAYS.toNanos(30));
        assertThat(fired).containsExactly(before, after, farAway);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1, Long.MAX_VALUE, Long.MIN_VALUE, (1L << 62) - 1, 0x1234_5678_9abc_def0L})
    void fire_longestDelayBesideAnOverdueTimer_keepsTheOrder(long now) {
        Timers any = new Timers(now);
        Timer longest = timer();
        Timer overdue = timer();
        any.add(longest, now + Long.MAX_VALUE);
        any.add(overdue, now - TimeUnit.DAYS.toNanos(365));

        TestTimer.fire(any, now);
        assertThat(fired).containsExactly(overdue);
        assertThat(any.untilNext(now)).isEqualTo(Long.MAX_VALUE);
        TestTimer.fire(any, now + Long.MAX_VALUE - 1);
        assertThat(fired).containsExactly(overdue);
        TestTimer.fire(any, now + Long.MAX_VALUE);
        assertThat(fired).containsExactly(overdue, longest);
    }

    @Test
    void fire_readingBeforeTheLongestDelayWasAdded_doesNotFireItEarly() {
        long later = 2_000;
        timers.add(timer(), later + Long.MAX_VALUE);

        TestTimer.fire(timers, 1_000); // a reading from before the timer was added

        assertThat(fired).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("bits")
    void fire_aroundEachBitOfTheClock_isExact(int bit) {
        for (long start : new long[] {0, (1L << bit) - 1, -(1L << bit), 77}) {
            Timers fresh = new Timers(start);
            fired.clear();
            List<Timer> all = new ArrayList<>();
            for (long due = start + (1L << bit) - 2; due != start + (1L << bit) + 3; due++) {
                all.add(timer());
                fresh.add(all.get(all.size() - 1), due);
            }
            for (int i = 0; i < all.size(); i++) {
                long due = all.get(i).due();
                if (due - start > 0) {
                    TestTimer.fire(fresh, due - 1);
                    assertThat(fired).hasSize(i);
                }
                TestTimer.fire(fresh, due - start > 0 ? due : start);
            }
            assertThat(fired).containsExactlyElementsOf(all);
            assertThat(fresh.isEmpty()).isTrue();
        }
    }

    @Test
    void fire_clockJumpsOverSeveralLevels_firesAllInOrder() {
        List<Timer> all = new ArrayList<>();
        for (long due = 1; due > 0; due <<= 1) {
            all.add(0, timer());
            timers.add(all.get(0), due);
        }
        Collections.reverse(all);
        assertThat(all).hasSize(63);

        TestTimer.fire(timers, 1L << 50);
        assertThat(fired).containsExactlyElementsOf(all.subList(0, 51));
        TestTimer.fire(timers, 1L << 62);
        assertThat(fired).containsExactlyElementsOf(all);
    }

    @Test
    void fire_clockStandsStill_firesOnlyWhatIsDueAlready() {
        timers.add(timer(), 0);
        timers.add(timer(), 1);

        for (int i = 0; i < 3; i++) {
            TestTimer.fire(timers, 0);
            assertThat(fired).hasSize(1);
            assertThat(timers.untilNext(0)).isEqualTo(1);
        }
    }

    @Test
    void fire_clockGoesBack_firesNothingEarlyAndNothingTwice() {
        TestTimer.fire(timers, TimeUnit.HOURS.toNanos(1));
        long unused = timers.untilNext(TimeUnit.HOURS.toNanos(1));
        Timer behind = timer();
        Timer ahead = timer();
        timers.add(ahead, TimeUnit.HOURS.toNanos(2));
        timers.add(behind, TimeUnit.MINUTES.toNanos(2));

        TestTimer.fire(timers, TimeUnit.MINUTES.toNanos(1));
        assertThat(fired).isEmpty();
        TestTimer.fire(timers, TimeUnit.MINUTES.toNanos(2));
        assertThat(fired).containsExactly(behind);
        TestTimer.fire(timers, TimeUnit.HOURS.toNanos(2));
        assertThat(fired).containsExactly(behind, ahead);
    }

    @Test
    void untilNext_nobodyRemoved_isExactSoThatNoLookIsInVain() {
        long[] delays = {1, 999, 1 << 20, 50_000_000, 50_000_001, 1L << 33, 3L << 41, 5L << 55, Long.MAX_VALUE};
        for (long delay : delays) {
            timers.add(timer(), delay);
        }
        long now = 0;
        for (int i = 0; i < delays.length; i++) {
            assertThat(timers.untilNext(now)).isEqualTo(delays[i] - now);
            now = delays[i];
            TestTimer.fire(timers, now);
            assertThat(fired).hasSize(i + 1);
        }
        assertThat(timers.untilNext(now)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void untilNext_firstOfASlotRemoved_isExactAgain() {
        Timer first = timer();
        timers.add(first, 1L << 40);
        timers.add(timer(), (1L << 40) + 1_000);
        timers.remove(first);

        assertThat(timers.untilNext(0)).isEqualTo((1L << 40) + 1_000);
    }

    @Test
    void untilNext_firstOfALargeSlotRemoved_isNotLateAndMovesOnInOneLook() {
        Timer first = timer();
        timers.add(first, 1L << 40);
        for (int i = 0; i < 1_000; i++) {
            timers.add(timer(), (1L << 40) + 1_000_000_000 + i);
        }
        timers.remove(first);

        assertThat(timers.untilNext(0)).isBetween(1L << 40, (1L << 40) + 1_000_000_000);
        TestTimer.fire(timers, 1L << 40);
        assertThat(fired).isEmpty();
        assertThat(timers.untilNext(1L << 40)).isEqualTo(1_000_000_000);
    }

    @Test
    void untilNext_overdue_isZero() {
        timers.add(timer(), 10);

        assertThat(timers.untilNext(11)).isZero();
    }

    @Test
    void add_firstOrEarlierOrLater_saysWhich() {
        assertThat(timers.add(timer(), 10)).isEqualTo(Added.EARLIER);
        assertThat(timers.untilNext(0)).isEqualTo(10);
        assertThat(timers.add(timer(), 20)).isEqualTo(Added.LATER);
        assertThat(timers.add(timer(), 10)).isEqualTo(Added.LATER);
        assertThat(timers.add(timer(), 5)).isEqualTo(Added.EARLIER);
        TestTimer.fire(timers, 20);
        assertThat(timers.add(timer(), 30)).isEqualTo(Added.FIRST);
        assertThat(timers.untilNext(20)).isEqualTo(10);
        assertThat(timers.add(timer(), 25)).isEqualTo(Added.EARLIER);
    }

    /** The thread that added the first timer may fail before it wakes the sleeper. */
    @Test
    void add_severalEarlierThanASleeperWasTold_eachWakesIt() {
        timers.add(timer(), 1_000);
        assertThat(timers.untilNext(0)).isEqualTo(1_000);
        assertThat(timers.add(timer(), 10)).isEqualTo(Added.EARLIER);
        assertThat(timers.add(timer(), 20)).isEqualTo(Added.EARLIER);
        assertThat(timers.untilNext(0)).isEqualTo(10);
        assertThat(timers.add(timer(), 20)).isEqualTo(Added.LATER);
    }

    @Test
    void add_toTheEmptySetWhileSomebodySleepsForLess_needNotWake() {
        Timer gone = timer();
        timers.add(gone, 10);
        assertThat(timers.untilNext(0)).isEqualTo(10);
        timers.remove(gone);

        assertThat(timers.add(gone, 12)).isEqualTo(Added.FIRST);
        assertThat(timers.add(timer(), 11)).isEqualTo(Added.LATER);
        assertThat(timers.add(timer(), 9)).isEqualTo(Added.EARLIER);
    }

    @Test
    void add_afterSomebodyWasToldOfNothing_wakes() {
        Timer gone = timer();
        timers.add(gone, 10);
        timers.remove(gone);
        assertThat(timers.untilNext(0)).isEqualTo(Long.MAX_VALUE);

        assertThat(timers.add(timer(), 20)).isEqualTo(Added.EARLIER);
    }

    @Test
    void add_timerThatWaits_isRefusedAndChangesNothing() {
        Timer timer = timer();
        timers.add(timer, 10);

        assertThatThrownBy(() -> timers.add(timer, 5)).isInstanceOf(IllegalStateException.class);

        assertThat(timer.due()).isEqualTo(10);
        TestTimer.fire(timers, 10);
        assertThat(fired).containsExactly(timer);
    }

    @Test
    void remove_thereAndGone_saysWhich() {
        Timer timer = timer();
        assertThat(timers.remove(timer)).isFalse();
        timers.add(timer, 10);

        assertThat(timers.remove(timer)).isTrue();
        assertThat(timers.remove(timer)).isFalse();
        assertThat(timers.isEmpty()).isTrue();
        TestTimer.fire(timers, 10);
        assertThat(fired).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 1L << 21, 1L << 40, 1L << 62})
    void remove_anyOfManyInOnePlace_leavesTheOthersInOrder(long due) {
        for (int gone = 0; gone < 12; gone++) {
            fired.clear();
            Timers fresh = new Timers(0);
            List<Timer> all = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                all.add(timer());
                fresh.add(all.get(i), due + i % 5);
            }
            assertThat(fresh.remove(all.get(gone))).isTrue();
            assertThat(fresh.remove(all.get(gone))).isFalse();

            TestTimer.fire(fresh, due + 5);

            List<Timer> expected = new ArrayList<>(all);
            expected.remove(gone);
            expected.sort((a, b) -> Long.compare(a.due(), b.due())); // stable
            assertThat(fired).containsExactlyElementsOf(expected);
        }
    }

    @Test
    void remove_fromFire_takesWhatIsDueButNotFiredYet() {
        Timer victim = timer();
        Timer killer = new TestTimer() {
            @Override
            void fired() {
                fired.add(this);
                assertThat(timers.remove(this)).isFalse();
                assertThat(timers.remove(victim)).isTrue();
            }
        };
        timers.add(killer, 10);
        timers.add(victim, 10);

        TestTimer.fire(timers, 10);

        assertThat(fired).containsExactly(killer);
        assertThat(timers.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void removeIf_someAccepted_handsThemOverInOrder(boolean everyGroup) {
        Timers.Group group = new Timers.Group();
        List<Timer> expected = new ArrayList<>();
        List<Timer> stay = new ArrayList<>();
        for (long due = 1L << 62; due > 0; due >>= 1) {
            Timer goes = timer(group);
            Timer stays = timer(everyGroup ? group : new Timers.Group());
            timers.add(goes, due);
            timers.add(stays, due);
            expected.add(0, goes);
            stay.add(0, stays);
        }
        List<Timer> removed = new ArrayList<>();

        if (everyGroup) {
            timers.removeIf(null, t -> !stay.contains(t), removed::add);
        } else {
            timers.removeIf(group, t -> true, removed::add);
        }

        assertThat(removed).containsExactlyElementsOf(expected);
        assertThat(timers.untilNext(0)).isEqualTo(1);
        assertThat(timers.remove(expected.get(0))).isFalse();
        TestTimer.fire(timers, 1L << 62);
        assertThat(fired).containsExactlyElementsOf(stay);
    }

    @Test
    void removeIf_ofManyGroups_findsWhatWaitsInEach() {
        List<Timers.Group> groups = new ArrayList<>();
        List<Timer> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            groups.add(new Timers.Group());
            for (int j = 0; j < 3; j++) {
                Timer timer = timer(groups.get(i));
                all.add(timer);
                timers.add(timer, 10 * i + j);
            }
        }
        timers.add(timer(), 7); // of no group
        TestTimer.fire(timers, 1); // the first group keeps one
        assertThat(timers.remove(all.get(4))).isTrue(); // from the middle of its list
        timers.removeIf(groups.get(3), t -> true, t -> {});
        List<Timer> removed = new ArrayList<>();

        timers.removeIf(null, t -> true, removed::add);

        assertThat(removed)
                .containsExactly(
                        all.get(2),
                        all.get(3),
                        all.get(5),
                        all.get(6),
                        all.get(7),
                        all.get(8),
                        all.get(12),
                        all.get(13),
                        all.get(14));
        timers.removeIf(null, t -> true, removed::add);
        assertThat(removed).hasSize(9);
        TestTimer.fire(timers, 100);
        assertThat(fired).hasSize(3);
        assertThat(timers.isEmpty()).isTrue();
    }

    @Test
    void removeIf_timerThatFiredAndIsKept_isHandedOverOnce() {
        Timers.Group group = new Timers.Group();
        Timer kept = timer(group);
        Timer gone = timer(group);
        timers.add(kept, 1);
        timers.add(gone, 2);
        TestTimer.fire(timers, 2);
        timers.keep(gone);
        assertThat(timers.letGo(gone)).isTrue();
        assertThat(timers.letGo(gone)).isFalse();
        timers.keep(kept);
        List<Timer> removed = new ArrayList<>();

        timers.removeIf(group, t -> true, removed::add);
        timers.removeIf(null, t -> true, removed::add);

        assertThat(removed).containsExactly(kept);
        assertThat(timers.letGo(kept)).isFalse();
    }

    @Test
    void letGo_timerThatFiredAndWasRemoved_saysSo() {
        Timer kept = timer(new Timers.Group());
        Timer without = timer();
        timers.keep(kept);
        timers.keep(without);

        assertThat(timers.remove(kept)).isTrue();
        assertThat(timers.remove(kept)).isFalse();
        assertThat(timers.letGo(kept)).isFalse();
        assertThat(timers.letGo(without)).isTrue();
    }

    @Test
    void removeIf_takerThrows_handsOverTheOthersAllTheSame() {
        List<Timer> removed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            timers.add(timer(new Timers.Group()), i);
        }

        assertThatThrownBy(() -> timers.removeIf(null, t -> true, t -> {
                    removed.add(t);
                    throw new IllegalStateException("taker " + removed.size());
                }))
                .hasMessage("taker 1");

        assertThat(removed).hasSize(3);
        assertThat(timers.isEmpty()).isTrue();
    }

    @Test
    void fire_timerThatAddsItselfAgain_firesItOncePerDueTime() {
        Timer periodic = new TestTimer() {
            @Override
            void fired() {
                fired.add(this);
                timers.add(this, due() + 10);
            }
        };
        timers.add(periodic, 10);

        TestTimer.fire(timers, 25);

        assertThat(fired).hasSize(2);
        assertThat(periodic.due()).isEqualTo(30);
    }

    static IntStream bits() {
        return IntStream.range(0, Long.SIZE - 1);
    }

    private Timer timer() {
        return timer(null);
    }

    private Timer timer(Timers.@Nullable Group group) {
        return new TestTimer(group) {
            @Override
            void fired() {
                fired.add(this);
            }
        };
    }

    @Test
    void timers_limitsThatAreNone_areRefused() {
        assertThatThrownBy(() -> new Timers(0, 0, 1)).hasMessageContaining("piece must be at least 1, is 0");
        assertThatThrownBy(() -> new Timers(0, 1, -1)).hasMessageContaining("scan at least 0, is -1");
    }
}
