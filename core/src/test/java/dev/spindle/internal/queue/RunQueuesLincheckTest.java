// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import static dev.spindle.internal.LincheckSettings.scenario;

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

/** RunQueues-1: two workers with one run queue, which they take from each other: each entry is taken once. */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class RunQueuesLincheckTest {
    private static final String ONE = "one";
    private static final String OTHER = "other";

    private final ReadyQueue queue = new ReadyQueue("test", 2, new RunQueues(1, 1, 1));
    private final ReadyQueue.View one = new ReadyQueue.View(new Counters());
    private final ReadyQueue.View other = new ReadyQueue.View(new Counters());
    private final Tally tally = new Tally();

    @Operation
    public void remove() {
        tally.out(queue.removeFirst(entry -> true));
    }

    @Operation(nonParallelGroup = ONE)
    public void addOfOne() {
        add(one);
    }

    @Operation(nonParallelGroup = ONE)
    public void pollOfOne() {
        tally.out(queue.poll(one));
    }

    @Operation(nonParallelGroup = ONE)
    public void giveUpOfOne() {
        queue.giveUp(one);
    }

    @Operation(nonParallelGroup = OTHER)
    public void addOfOther() {
        add(other);
    }

    @Operation(nonParallelGroup = OTHER)
    public void pollOfOther() {
        tally.out(queue.poll(other));
    }

    private void add(ReadyQueue.View view) {
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
    void oneRunQueue_everyInterleaving_givesEachEntryOnce() {
        LincheckSettings.modelChecking()
                .verifier(EpsilonVerifier.class)
                .addCustomScenario(
                        scenario( // the other worker takes the run queue while its owner adds
                                RunQueuesLincheckTest.class, "addOfOne pollOfOne addOfOther", "addOfOne", "addOfOther"))
                .addCustomScenario(
                        scenario( // and while its owner makes a batch, of which it takes an entry
                                RunQueuesLincheckTest.class,
                                "addOfOne addOfOne addOfOther",
                                "addOfOne pollOfOne",
                                "pollOfOther addOfOther"))
                .check(RunQueuesLincheckTest.class);
    }

    @Test
    void oneRunQueue_onRealThreads_givesEachEntryOnce() {
        LincheckSettings.stress().verifier(EpsilonVerifier.class).check(RunQueuesLincheckTest.class);
    }
}
