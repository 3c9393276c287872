// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimersTest {
    private final Timers timers = new Timers();
    private final List<Timers.Timer> fired = new ArrayList<>();

    @Test
    void fire_severalDue_firesInTheOrderOfDueTimes() {
        Timers.Timer late = timer();
        Timers.Timer early = timer();
        timers.add(late, 20);
        timers.add(early, 10);

        timers.fire(20);

        assertThat(fired).containsExactly(early, late);
        assertThat(timers.isEmpty()).isTrue();
    }

    @Test
    void fire_sameDueTime_firesInTheOrderOfAdding() {
        Timers.Timer first = timer();
        Timers.Timer second = timer();
        timers.add(first, 10);
        timers.add(second, 10);

        timers.fire(10);

        assertThat(fired).containsExactly(first, second);
    }

    @Test
    void fire_oneNanosecondEarly_firesNothing() {
        timers.add(timer(), 10);

        timers.fire(9);

        assertThat(fired).isEmpty();
        assertThat(timers.isEmpty()).isFalse();
    }

    @Test
    void fire_acrossTheWrapOfTheClock_keepsTheOrder() {
        Timers.Timer before = timer();
        Timers.Timer after = timer();
        timers.add(after, Long.MAX_VALUE + 5);
        timers.add(before, Long.MAX_VALUE - 5);

        assertThat(timers.first()).isSameAs(before);
        timers.fire(Long.MAX_VALUE);
        assertThat(fired).containsExactly(before);
        timers.fire(Long.MIN_VALUE + 4);
        assertThat(fired).containsExactly(before, after);
    }

    @Test
    void add_firstOrLater_saysWhetherItIsTheFirst() {
        assertThat(timers.add(timer(), 10)).isTrue();
        assertThat(timers.add(timer(), 20)).isFalse();
        assertThat(timers.add(timer(), 5)).isTrue();
    }

    @Test
    void due_afterAdd_isTheTimeOfAdd() {
        Timers.Timer timer = timer();
        timers.add(timer, 42);

        assertThat(timer.due()).isEqualTo(42);
    }

    @Test
    void remove_thereAndGone_saysWhich() {
        Timers.Timer timer = timer();
        assertThat(timers.remove(timer)).isFalse();
        timers.add(timer, 10);

        assertThat(timers.remove(timer)).isTrue();
        assertThat(timers.remove(timer)).isFalse();
        timers.fire(10);
        assertThat(fired).isEmpty();
    }

    @Test
    void remove_oneOfSameDueTime_leavesTheOther() {
        Timers.Timer gone = timer();
        Timers.Timer stays = timer();
        timers.add(gone, 10);
        timers.add(stays, 10);

        timers.remove(gone);

        assertThat(timers.first()).isSameAs(stays);
    }

    @Test
    void removeIf_someAccepted_handsThemOverInOrder() {
        Timers.Timer third = timer();
        Timers.Timer stays = timer();
        Timers.Timer first = timer();
        timers.add(third, 30);
        timers.add(stays, 20);
        timers.add(first, 10);
        List<Timers.Timer> removed = new ArrayList<>();

        timers.removeIf(t -> t != stays, removed::add);

        assertThat(removed).containsExactly(first, third);
        assertThat(timers.first()).isSameAs(stays);
        assertThat(fired).isEmpty();
    }

    @Test
    void fire_timerThatAddsItselfAgain_firesItOncePerDueTime() {
        Timers.Timer periodic = new Timers.Timer() {
            @Override
            protected void fire() {
                fired.add(this);
                timers.add(this, due() + 10);
            }
        };
        timers.add(periodic, 10);

        timers.fire(25);

        assertThat(fired).hasSize(2);
        assertThat(periodic.due()).isEqualTo(30);
    }

    private Timers.Timer timer() {
        return new Timers.Timer() {
            @Override
            protected void fire() {
                fired.add(this);
            }
        };
    }
}
