// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import dev.spindle.internal.LincheckSettings;
import dev.spindle.internal.Tally;
import java.util.ArrayList;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Offers, polls and removals across the ends of segments: each entry is taken once, and an empty queue reports so.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class InjectionQueueRemovalLincheckTest {
    private final InjectionQueue queue = new InjectionQueue(1);
    private final Tally tally = new Tally();

    @Operation
    public void offer() {
        int entry = tally.next();
        queue.offer(entry);
        tally.in(entry);
    }

    @Operation
    public void poll() {
        tally.out(queue.poll());
    }

    @Operation
    public void removeFirst() {
        tally.out(queue.removeFirst(entry -> (int) entry % 2 == 0));
    }

    @Operation
    public void removeAll() {
        ArrayList<Object> removed = new ArrayList<>();
        queue.removeAll(entry -> (int) entry % 2 == 1, removed);
        removed.forEach(tally::out);
    }

    @Validate
    public void eachWasTakenOnce() {
        while (tally.out(queue.poll())) {}
        Tally.require(queue.isEmpty(), "seems to have entries, and has none");
        tally.check();
    }

    @Test
    void queue_everyInterleaving_givesEachEntryOnce() {
        LincheckSettings.modelChecking().verifier(EpsilonVerifier.class).check(InjectionQueueRemovalLincheckTest.class);
    }

    @Test
    void queue_onRealThreads_givesEachEntryOnce() {
        LincheckSettings.stress().verifier(EpsilonVerifier.class).check(InjectionQueueRemovalLincheckTest.class);
    }
}
