// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.report.Verdict.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {
    @Test
    void atMost_allRoundsBelow_isReached() {
        assertThat(atMost(1.25, 1.0, 1.1, 1.2, 1.15, 1.05)).isEqualTo(Outcome.REACHED);
    }

    @Test
    void atMost_allRoundsAbove_isNotReached() {
        assertThat(atMost(1.25, 1.3, 1.4, 1.5, 1.6, 1.7)).isEqualTo(Outcome.NOT_REACHED);
    }

    @Test
    void atMost_limitWithinTheSpread_isInconclusive() {
        assertThat(atMost(1.25, 1.0, 1.1, 1.2, 1.15, 1.3)).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(atMost(1.25, 1.2, 1.4, 1.5, 1.6, 1.7)).isEqualTo(Outcome.INCONCLUSIVE);
    }

    @Test
    void atLeast_allRoundsAbove_isReached() {
        assertThat(atLeast(15, 16.0, 20.0, 18.0, 15.0, 17.0)).isEqualTo(Outcome.REACHED);
    }

    @Test
    void atLeast_allRoundsBelow_isNotReached() {
        assertThat(atLeast(15, 14.0, 10.0, 12.0, 14.9, 13.0)).isEqualTo(Outcome.NOT_REACHED);
    }

    @Test
    void atLeast_fewerThanFiveRounds_isInconclusiveAndSaysWhatTheMedianWouldDo() {
        Verdict good = Verdict.atLeast("g", "a", 2, List.of(3.0, 3.0, 3.0));
        Verdict bad = Verdict.atLeast("g", "a", 2, List.of(1.0, 1.0, 1.0));

        assertThat(good.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(good.got()).contains("3 of 5 rounds").contains("would do");
        assertThat(bad.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(bad.got()).contains("would miss");
    }

    @Test
    void atMost_eightRounds_oneOutlierDoesNotDecide() {
        assertThat(atMost(2, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 9.0)).isEqualTo(Outcome.REACHED);
    }

    @Test
    void never_oneRoundAbove_isNotReached() {
        Verdict verdict = Verdict.never("g", "a", 4, List.of(2.0, 2.0, 5.0));

        assertThat(verdict.outcome()).isEqualTo(Outcome.NOT_REACHED);
        assertThat(verdict.got()).contains("5 at most in 3 forks");
        assertThat(Verdict.never("g", "a", 4, List.of(2.0, 4.0)).outcome()).isEqualTo(Outcome.REACHED);
    }

    @Test
    void unlessDisturbed_missedBesideNeighbours_isInconclusive() {
        Verdict missed = Verdict.atMost("g", "a", 1, List.of(2.0, 2.0, 2.0, 2.0, 2.0));

        assertThat(missed.unlessDisturbed(16).outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(missed.unlessDisturbed(16).got()).contains("others took 16 %");
        assertThat(missed.unlessDisturbed(14)).isEqualTo(missed);
        assertThat(missed.unlessDisturbed(Double.NaN)).isEqualTo(missed);
    }

    @Test
    void unlessDisturbed_reachedInSpiteOfNeighbours_staysReached() {
        Verdict reached = Verdict.atMost("g", "a", 3, List.of(2.0, 2.0, 2.0, 2.0, 2.0));

        assertThat(reached.unlessDisturbed(50)).isEqualTo(reached);
    }

    @Test
    void all_noValues_areNotMeasured() {
        assertThat(atMost(1)).isEqualTo(Outcome.NOT_MEASURED);
        assertThat(atLeast(1)).isEqualTo(Outcome.NOT_MEASURED);
        assertThat(Verdict.never("g", "a", 1, List.of()).outcome()).isEqualTo(Outcome.NOT_MEASURED);
    }

    private static Outcome atMost(double limit, Double... values) {
        return Verdict.atMost("goal", "asked", limit, List.of(values)).outcome();
    }

    private static Outcome atLeast(double limit, Double... values) {
        return Verdict.atLeast("goal", "asked", limit, List.of(values)).outcome();
    }
}
