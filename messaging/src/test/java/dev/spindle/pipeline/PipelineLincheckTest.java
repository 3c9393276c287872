// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** N2, N3, U2, U3, Y2 and Y3 at every switch between two threads: offers, events that wait, two stages, and a drain. */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class PipelineLincheckTest {
    private final PublisherModel model = new PublisherModel(false);

    @Operation
    public void offer() {
        model.offer();
    }

    @Operation
    public void publishAsync() {
        model.publishAsync();
    }

    @Operation
    public void work() {
        model.work();
    }

    @Operation
    public void drain() {
        model.drain();
    }

    @Validate
    public void whatWasAccepted_wasHandledOnce() {
        model.check();
    }

    @Test
    void pipeline_everyInterleaving_handlesWhatItAcceptsAndNothingElse() {
        new ModelCheckingOptions()
                .iterations(2)
                .invocationsPerIteration(50)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(1)
                .verifier(EpsilonVerifier.class)
                .check(PipelineLincheckTest.class);
    }
}
