// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import static dev.spindle.internal.LincheckSettings.scenario;

import dev.spindle.internal.LincheckSettings;
import dev.spindle.internal.Tally;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Submits, turns, pauses and resumes: when the last hold ends, exactly one of its releaser and the owner continues the
 * lane.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class LaneHoldsLincheckTest {
    private final LaneHarness harness = new LaneHarness();
    private final LaneCore lane = harness.lane();

    @Operation
    public void submit() {
        harness.submit();
    }

    @Operation
    public void work() {
        harness.work();
    }

    @Operation
    public void pauseAndResume() {
        if (lane.pause()) {
            lane.resume();
        }
    }

    // Not drawn at random, which would resume a lane that is not paused.

    public void pause() {
        Tally.require(lane.pause(), "is being retired");
    }

    public void resume() {
        lane.resume();
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
    void holds_everyInterleaving_loseNothing() {
        LincheckSettings.assertionsOnly()
                .addCustomScenario(scenario(LaneHoldsLincheckTest.class, "submit pause", "work", "resume"))
                .addCustomScenario(scenario(LaneHoldsLincheckTest.class, "submit submit", "work", "pauseAndResume"))
                .check(LaneHoldsLincheckTest.class);
    }
}
