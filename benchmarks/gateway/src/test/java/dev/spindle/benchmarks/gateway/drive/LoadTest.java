// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.gateway.servers.Route;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reading of the load generator's log, and what follows from it. */
class LoadTest {
    @Test
    void h2load_itsLog_isPercentilesOfGoodAnswersAndOfRefusals() {
        List<H2load.Request> log = List.of(
                H2load.request("1000\t200\t100000"),
                H2load.request("2000\t503\t1500"),
                H2load.request("3000\t200\t300000"),
                H2load.request("4000\t-1\t10"),
                H2load.request("5000\t0\t200000")); // a status line without a reason

        assertThat(H2load.outcome(log, 6)).isEqualTo(new H2load.Outcome(3, 3, false, 200, 300));
        assertThat(H2load.outcome(log, 0)).isEqualTo(new H2load.Outcome(3, 2, true, 200, 300));
        assertThat(H2load.outcome(log, 6).less(1)).isEqualTo(new H2load.Outcome(2, 4, false, 200, 300));
        assertThat(H2load.refused(log)).containsExactly(1.5);
    }

    @Test
    void percentile_ofNone_isNotANumber() {
        assertThat(H2load.percentile(new double[0], 0.99)).isNaN();
        assertThat(H2load.percentile(new double[] {7}, 0)).isEqualTo(7);
    }

    @Test
    void calls_ofLoadThatEndedWithItsRequests_mustBeExact() {
        H2load.Outcome outcome = new H2load.Outcome(100, 0, false, 1, 1);

        assertThat(Stage.unexplained(Route.LARGE, 700, outcome, 10)).isZero();
        assertThat(Stage.unexplained(Route.LARGE, 699, outcome, 10)).isEqualTo(1);
        assertThat(Stage.unexplained(Route.LARGE, 800, outcome, 10)).isEqualTo(100); // the study's eighth call
    }

    @Test
    void calls_ofLoadThatWasCutOff_mayBeThoseOfItsOpenRequestsMore() {
        H2load.Outcome outcome = new H2load.Outcome(100, 1, true, 1, 1);

        assertThat(Stage.unexplained(Route.LARGE, 700 + 7 + 70, outcome, 10)).isZero();
        assertThat(Stage.unexplained(Route.LARGE, 700 + 7 + 71, outcome, 10)).isEqualTo(1);
        assertThat(Stage.unexplained(Route.LARGE, 698, outcome, 10)).isEqualTo(2);
    }

    @Test
    void step_withinTheServiceLevel_isNotBroken() {
        assertThat(new Breakdown.Step(0.001, 0.9, 1_000).broken(1_000)).isFalse();
        assertThat(new Breakdown.Step(0.0011, 1, 10).broken(1_000)).isTrue();
        assertThat(new Breakdown.Step(0, 0.89, 10).broken(1_000)).isTrue();
        assertThat(new Breakdown.Step(0, 1, 1_001).broken(1_000)).isTrue();
        assertThat(new Breakdown.Step(0, 1, Double.NaN).broken(1_000)).isTrue();
    }

    @Test
    void usage_ofAProcessWithAnyName_isReadBehindIt() {
        String stat = "42 (a) name (x) S 1 42 42 0 -1 4194560 100 0 0 0 250 50 30 20 20 0 17 0 100 1000 200"
                + " 18446744073709551615";

        assertThat(List.of(Stage.ticks(stat, 11), Stage.ticks(stat, 13))).containsExactly(300L, 50L);
    }
}
