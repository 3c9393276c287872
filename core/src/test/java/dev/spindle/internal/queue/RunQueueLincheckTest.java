// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import static dev.spindle.internal.LincheckSettings.scenario;

import dev.spindle.internal.LincheckSettings;
import dev.spindle.internal.Tally;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * RunQueue-1 and RunQueue-2 with a run queue that wraps around after two entries: each is taken once, in order by its
 * worker, or by a thief.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class RunQueueLincheckTest {
    private static final String OWNER = "owner";

    private final RunQueue queue = new RunQueue(2);
    private final Tally tally = new Tally();
    private int polled; // written by the owner

    @Operation(nonParallelGroup = OWNER)
    public void offer() {
        int entry = tally.next();
        if (queue.offer(entry, entry)) {
            tally.in(entry);
        }
    }

    @Operation(nonParallelGroup = OWNER)
    public void poll() {
        if (queue.poll() instanceof Integer entry) {
            tally.out(entry);
            Tally.require(entry > polled, entry + " came after " + polled);
            polled = entry;
        }
    }

    @Operation
    public void take() {
        tally.out(queue.take(entry -> true));
    }

    @Validate
    public void eachWasTakenOnce() {
        while (tally.out(queue.poll())) {}
        Tally.require(queue.isEmpty(), "seems to have entries, and has none");
        tally.check();
    }

    @Test
    void queue_everyInterleaving_givesEachEntryOnce() {
        LincheckSettings.modelChecking()
                .verifier(EpsilonVerifier.class)
                .addCustomScenario(
                        scenario(RunQueueLincheckTest.class, "offer", "poll offer offer", "take")) // wraps around
                .check(RunQueueLincheckTest.class);
    }

    @Test
    void queue_onRealThreads_givesEachEntryOnce() {
        LincheckSettings.stress().verifier(EpsilonVerifier.class).check(RunQueueLincheckTest.class);
    }
}
