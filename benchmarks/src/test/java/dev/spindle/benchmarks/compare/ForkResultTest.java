// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ForkResultTest {
    private final ForkResult calm = beside(3, 90);
    private final ForkResult busy = beside(40, 10);

    @Test
    void disturbed_isAboveTheLimitAlone() {
        assertThat(calm.disturbed()).isFalse();
        assertThat(busy.disturbed()).isTrue();
        assertThat(beside(Double.NaN, 10).disturbed()).isFalse();
        assertThat(failed().disturbed()).isFalse();
    }

    @Test
    void orCalmer_goesByTheNeighboursAndNotByTheFigure() {
        assertThat(busy.orCalmer(calm)).isSameAs(calm);
        assertThat(calm.orCalmer(busy)).isSameAs(calm);
    }

    @Test
    void orCalmer_neverDropsAFault() {
        ForkResult faulty = Samples.result(1, Samples.OURS, Map.of(Figure.FOREIGN, 80.0, Figure.VIOLATIONS, 1.0));
        ForkResult failed = failed();

        assertThat(faulty.orCalmer(calm)).isSameAs(faulty);
        assertThat(calm.orCalmer(faulty)).isSameAs(faulty);
        assertThat(busy.orCalmer(failed)).isSameAs(failed);
    }

    private static ForkResult beside(double foreign, double nanos) {
        return Samples.result(1, Samples.OURS, Map.of(Figure.FOREIGN, foreign, Samples.TIME, nanos));
    }

    private static ForkResult failed() {
        return ForkResult.failed(new ForkResult.Fork(1, Samples.cell(), Samples.OURS), "stalled");
    }
}
