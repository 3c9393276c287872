// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MachineLoadTest {
    @Test
    void parse_lineOfTheKernel_leavesOutIdleAndGuests() {
        MachineLoad load = MachineLoad.parse("cpu  10 20 30 1000 500 1 2 3 7777 8888");

        assertThat(load.busyTicks()).isEqualTo(66);
        assertThat(load.totalTicks()).isEqualTo(1_566);
    }

    @Test
    void foreignPercent_othersHadAQuarter_saysSo() {
        MachineLoad before = new MachineLoad(100, 1_000);
        MachineLoad after = new MachineLoad(180, 1_200);

        assertThat(after.foreignPercent(before, 300_000_000)).isCloseTo(25, within(0.01));
    }

    @Test
    void foreignPercent_ownTimeRoundedUp_isNotNegative() {
        assertThat(new MachineLoad(50, 200).foreignPercent(new MachineLoad(0, 0), 510_000_000))
                .isZero();
    }

    @Test
    void foreignPercent_tooShort_isNotKnown() {
        assertThat(new MachineLoad(5, 10).foreignPercent(new MachineLoad(0, 0), 0))
                .isNaN();
    }
}
