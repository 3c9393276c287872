// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.timer.Timers.Timer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes to a slot while it is being emptied, one timer at a time. */
class TimerWheelTest {
    private static final long DUE = 1L << 40;

    private final TimerWheel wheel = new TimerWheel(0, 0, 1, 2);
    private final List<Timer> all = new ArrayList<>();

    @BeforeEach
    void openASlotOfFive() {
        for (int i = 0; i < 5; i++) {
            all.add(timer(DUE + i));
            wheel.add(all.get(i));
        }
        assertThat(wheel.step(DUE - 1)).isNull();
        assertThat(wheel.step(DUE)).isNull(); // the last added timer is at the head, and has moved
    }

    @Test
    void step_slotPartlyMoved_handsOutNothingBeforeAllHave() {
        for (int i = 0; i < 4; i++) {
            assertThat(wheel.bound()).isEqualTo(DUE);
            assertThat(wheel.step(DUE)).isNull();
        }

        assertThat(wheel.step(DUE)).isSameAs(all.get(0));
        assertThat(wheel.bound()).isEqualTo(DUE + 1);
        assertThat(wheel.step(DUE)).isNull();
        assertThat(drain(DUE + 4)).containsExactlyElementsOf(all.subList(1, 5));
        assertThat(wheel.bound()).isEqualTo(TimerWheel.NEVER);
    }

    @Test
    void remove_fromWhatHasMovedAndWhatHasNot_leavesTheOthers() {
        for (int gone : new int[] {4, 3, 1}) { // one that has moved, the head of the rest, one in the middle
            assertThat(wheel.remove(all.get(gone))).isTrue();
            assertThat(wheel.remove(all.get(gone))).isFalse();
        }

        assertThat(drain(DUE + 4)).containsExactly(all.get(0), all.get(2));
    }

    @Test
    void remove_allOfTheRest_endsTheEmptying() {
        for (int gone = 0; gone < 4; gone++) {
            assertThat(wheel.remove(all.get(gone))).isTrue();
        }

        assertThat(wheel.bound()).isEqualTo(DUE + 4);
        assertThat(wheel.size()).isEqualTo(1);
        assertThat(drain(DUE + 4)).containsExactly(all.get(4));
    }

    @Test
    void add_meanwhile_keepsTheOrder() {
        Timer overdue = timer(5);
        Timer same = timer(DUE + 2);
        Timer nearby = timer(DUE + (1 << 21));
        Timer far = timer(DUE * 2);
        for (Timer t : List.of(overdue, same, nearby, far)) {
            wheel.add(t);
        }

        assertThat(wheel.bound()).isEqualTo(5);
        assertThat(drain(DUE * 2))
                .containsExactly(
                        overdue, all.get(0), all.get(1), all.get(2), same, all.get(3), all.get(4), nearby, far);
    }

    @Test
    void turnTo_meanwhile_doesNotTurn() {
        wheel.turnTo(DUE * 2);

        assertThat(drain(DUE + 4)).containsExactlyElementsOf(all);
    }

    private List<Timer> drain(long at) {
        List<Timer> order = new ArrayList<>();
        while (wheel.bound() != TimerWheel.NEVER && Long.compareUnsigned(wheel.bound(), at) <= 0) {
            Timer t = wheel.step(at);
            if (t != null) {
                order.add(t);
            }
        }
        return order;
    }

    private static Timer timer(long due) {
        Timer timer = new TestTimer() {
            @Override
            void fired() {
                throw new AssertionError("the wheel fires nothing");
            }
        };
        timer.due = due;
        return timer;
    }
}
