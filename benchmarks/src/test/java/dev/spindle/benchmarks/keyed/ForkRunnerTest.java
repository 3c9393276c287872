// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForkRunnerTest {
    @Test
    void run_smallCell_measuresInAnotherProcess() throws IOException, InterruptedException {
        ForkResult result = new ForkRunner(0.01).run(new Plan.Fork(1, Cell.K16_W20, Contender.SPINDLE));

        assertThat(result.problem()).isEmpty();
        assertThat(Optional.ofNullable(result.measurement()).map(Measurement::violations))
                .contains(0L);
    }
}
