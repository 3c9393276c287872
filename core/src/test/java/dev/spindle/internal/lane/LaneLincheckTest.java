// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.LincheckSettings;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Submits, turns of two workers, cancellations and retirement: each task ends once, tasks do not overlap, and none is
 * left.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class LaneLincheckTest {
    private final LaneHarness harness = new LaneHarness();

    @Operation
    public void submit() {
        harness.submit();
    }

    @Operation
    public void work() {
        harness.work();
    }

    @Operation
    public void cancelPending() {
        harness.cancelPending();
    }

    @Operation
    public void retire() {
        harness.retire();
    }

    @Validate
    public void nothingIsLeftBehind() {
        harness.validate();
    }

    @Test
    void lane_everyInterleaving_losesNothingAndRunsOneAtATime() {
        LincheckSettings.assertionsOnly()
                .addCustomScenario(scenario("submit", "work", "submit")) // the end of a turn
                .addCustomScenario(scenario("submit submit", "submit", "submit")) // one slot of a chunk
                .addCustomScenario(scenario("submit submit submit submit submit", "work", "submit")) // a full chunk
                .addCustomScenario(scenario("submit submit", "work", "cancelPending"))
                .check(LaneLincheckTest.class);
    }

    @Test
    void lane_onRealThreads_losesNothingAndRunsOneAtATime() {
        LincheckSettings.stress().verifier(EpsilonVerifier.class).check(LaneLincheckTest.class);
    }

    private static ExecutionScenario scenario(String before, String one, String other) {
        return LincheckSettings.scenario(LaneLincheckTest.class, before, one, other);
    }
}
