// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BurnTest {
    @Test
    void calibrate_findsMoreThanOneStepAMicrosecond() {
        assertThat(Burn.calibrate()).isGreaterThan(1);
    }

    @Test
    void new_noSteps_namesTheValue() {
        assertThatThrownBy(() -> new Burn(0)).hasMessage("steps per microsecond must be above 0, are 0.0");
    }

    @Test
    void task_anyLength_ends() {
        new Burn(500).task(0.0001).run();
        new Burn(500).task(10).run();
    }
}
