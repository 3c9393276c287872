// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.pool.size.AwakeLimit;
import dev.spindle.internal.pool.watch.WatchdogState;
import org.junit.jupiter.api.Test;

/** WatchdogState-1: the looks for stuck work begin with work and end after it. */
class StuckLookTest {
    private static final long PERIOD = 100;

    private final WatchdogState watch = new WatchdogState(new AwakeLimit(1, 1, 1, true), PERIOD);

    @Test
    void firstWork_beginsTheLooks_andTheFirstIsDueAfterAPeriod() {
        assertThat(watch.isOn()).isFalse();
        assertThat(watch.isStuckLookDue(0)).isFalse();

        assertThat(watch.beginWork()).isTrue();
        assertThat(watch.beginWork()).isFalse();

        assertThat(watch.isOn()).isTrue();
        assertThat(watch.isStuckLookDue(1_000)).isFalse(); // the clock thread sees the begin
        assertThat(watch.untilLook(1_000)).isEqualTo(PERIOD);
        assertThat(watch.isStuckLookDue(1_000 + PERIOD)).isTrue();
    }

    @Test
    void workThatBeginsDuringALook_keepsTheLooks() {
        watch.beginWork();
        watch.isStuckLookDue(0);
        assertThat(watch.beginStuckLook()).isTrue();
        assertThat(watch.beginWork()).isFalse(); // the worker relies on the next look

        assertThat(watch.endStuckWatch()).isFalse();
        assertThat(watch.isOn()).isTrue();
        assertThat(watch.beginStuckLook()).isTrue();
    }

    @Test
    void workThatBeginsAfterTheLooks_beginsThemAnew() {
        watch.beginWork();
        watch.isStuckLookDue(0);
        watch.beginStuckLook();
        assertThat(watch.endStuckWatch()).isTrue();
        assertThat(watch.isOn()).isFalse();

        assertThat(watch.beginWork()).isTrue();
        assertThat(watch.isStuckLookDue(5_000)).isFalse();
        assertThat(watch.isStuckLookDue(5_000 + PERIOD)).isTrue();
    }

    @Test
    void threadThatCannotBeStarted_endsTheLooks() {
        watch.beginWork();
        watch.endUnwatched();

        assertThat(watch.isOn()).isFalse();
        assertThat(watch.beginWork()).isTrue();
    }

    @Test
    void zero_isOff() {
        WatchdogState off = new WatchdogState(new AwakeLimit(1, 1, 1, true), 0);

        assertThat(off.beginWork()).isFalse();
        assertThat(off.isOn()).isFalse();
        assertThat(off.isStuckLookDue(Long.MAX_VALUE)).isFalse();
    }
}
