// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import dev.spindle.internal.Counters;
import dev.spindle.internal.LincheckSettings;
import dev.spindle.internal.Tally;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Both levels of queue, with two workers that steal from each other and leave: each entry is taken once. */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class ReadyQueueLincheckTest {
    private static final String ONE = "one";
    private static final String OTHER = "other";

    private final ReadyQueue queue = new ReadyQueue("test", 2, new RunQueues(1, 8, 1));
    private final ReadyQueue.View one = new ReadyQueue.View(new Counters());
    private final ReadyQueue.View other = new ReadyQueue.View(new Counters());
    private final Tally tally = new Tally();

    @Operation
    public void offer() {
        int entry = tally.next();
        tally.in(entry);
        queue.offer(entry);
    }

    @Operation
    public void remove() {
        tally.out(queue.removeFirst(entry -> true));
    }

    @Operation(nonParallelGroup = ONE)
    public void offerOwnOfOne() {
        offerOwn(one);
    }

    @Operation(nonParallelGroup = ONE)
    public void pollOfOne() {
        tally.out(queue.poll(one));
    }

    @Operation(nonParallelGroup = ONE)
    public void handOverOfOne() {
        queue.handOver(one);
    }

    @Operation(nonParallelGroup = OTHER)
    public void offerOwnOfOther() {
        offerOwn(other);
    }

    @Operation(nonParallelGroup = OTHER)
    public void pollOfOther() {
        tally.out(queue.poll(other));
    }

    private void offerOwn(ReadyQueue.View view) {
        int entry = tally.next();
        tally.in(entry);
        queue.offerOwn(view, entry);
    }

    @Validate
    public void eachWasTakenOnce() {
        while (tally.out(queue.poll(one))) {}
        Tally.require(!queue.hasReady(), "seems to have entries, and has none");
        tally.check();
    }

    @Test
    void queues_everyInterleaving_giveEachEntryOnce() {
        LincheckSettings.modelChecking().verifier(EpsilonVerifier.class).check(ReadyQueueLincheckTest.class);
    }

    @Test
    void queues_onRealThreads_giveEachEntryOnce() {
        LincheckSettings.stress().verifier(EpsilonVerifier.class).check(ReadyQueueLincheckTest.class);
    }
}
