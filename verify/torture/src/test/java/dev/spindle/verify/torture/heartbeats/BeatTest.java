// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.heartbeats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BeatTest {
    private static final int PERIOD = 10;
    private static final long MUCH = Limits.STARVED_WORK_NANOS + 1;

    private final Beat beat = new Beat("beat", PERIOD);

    @Test
    void look_whileItComes_findsNothing() {
        for (int tick = 1; tick < 10_000; tick += Limits.STARVED_TICKS) {
            beat.happened();
            assertThat(beat.look(tick, false, tick * MUCH)).isNull();
        }
    }

    @Test
    void look_starvedByWork_findsIt() {
        assertThat(beat.look(1, false, 0)).isNull();
        assertThat(beat.look(1 + PERIOD + Limits.STARVED_TICKS, false, MUCH)).isNull();
        assertThat(beat.look(2 + PERIOD + Limits.STARVED_TICKS, false, MUCH)).contains("beat of 10 ms is overdue by");
    }

    @Test
    void look_lateWithoutWork_mayBeTheMachine() {
        assertThat(beat.look(1, false, 0)).isNull();
        assertThat(beat.look(1 + PERIOD + Limits.SILENT_TICKS, false, MUCH - 1)).isNull();
    }

    @Test
    void look_lateWhileARunnerStandsStill_mayBeTheMachine() {
        assertThat(beat.look(1, false, 0, 0)).isNull();
        assertThat(beat.look(1 + PERIOD + Limits.SILENT_TICKS, false, MUCH, 0)).isNull();
        assertThat(beat.look(1 + PERIOD + Limits.SILENT_TICKS, false, MUCH, 1)).contains("by runner [200000, 0]");
    }

    @Test
    void look_silentWithoutWork_findsIt() {
        assertThat(beat.look(1, false, 0)).isNull();
        assertThat(beat.look(2 + PERIOD + Limits.SILENT_TICKS, false, 0)).isNotNull();
    }

    @Test
    void look_heldUp_findsNothing() {
        assertThat(beat.look(1, false, 0)).isNull();
        assertThat(beat.look(5_000, true, MUCH)).isNull();
        assertThat(beat.look(5_001, false, MUCH)).isNull();
    }
}
