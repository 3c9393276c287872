// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import dev.spindle.OnFull;
import dev.spindle.Strand;
import dev.spindle.WaitStrategy;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * A strand with its own thread, two producers and both shutdowns: each accepted task runs once or is returned, tasks do
 * not overlap, and those of a producer run in order (K3, F3, D1). The threads of the model checker stand for the
 * strand's.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class SerialExecutorLincheckTest {
    private final HandPool.Maker maker = new HandPool.Maker();
    private final Strand strand = Strand.builder("serial", maker, WaitStrategy.PARK)
            .capacity(2, OnFull.reject())
            .build();
    private final HandPool pool = maker.made();
    private final Producer one = new Producer();
    private final Producer other = new Producer();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();

    private final class Producer {
        private int sent;
        private int seen; // plain: written by the tasks, which run one at a time

        void submit() {
            int number = ++sent;
            try {
                strand.execute(() -> run(number));
                accepted.incrementAndGet();
            } catch (RejectedExecutionException expected) {
                // full, or shut down
            }
        }

        private void run(int number) {
            Tally.require(running.incrementAndGet() == 1, "two tasks at once");
            Tally.require(number > seen, number + " after " + seen);
            seen = number;
            ended.incrementAndGet();
            running.decrementAndGet();
        }
    }

    @Operation(nonParallelGroup = "one")
    public void submitOne() {
        one.submit();
    }

    @Operation(nonParallelGroup = "other")
    public void submitOther() {
        other.submit();
    }

    @Operation
    public void work() {
        pool.work();
    }

    @Operation
    public void shutdown() {
        strand.shutdown();
    }

    @Operation
    public void shutdownNow() {
        List<Runnable> returned = strand.shutdownNow();
        ended.addAndGet(returned.size());
    }

    @Validate
    public void eachHasOneOutcome() {
        while (pool.work()) {}
        Tally.require(ended.get() == accepted.get(), accepted + " were accepted, " + ended + " ran or were returned");
        int pending = strand.activity().pending();
        Tally.require(pending == 0, pending + " pending");
        if (!strand.isShutdown()) { // a second shutdown would hide a fault of the first
            strand.shutdown();
        }
        while (pool.work()) {}
        Tally.require(strand.isTerminated(), "has ended, and does not say so: " + strand);
    }

    @Test
    void strand_everyInterleaving_runsInOrderAndGivesEachTaskOneOutcome() {
        LincheckSettings.wholeExecutor()
                .actorsPerThread(1) // few, since each operation has hundreds of steps
                .addCustomScenario(
                        LincheckSettings.scenario(SerialExecutorLincheckTest.class, "", "submitOne submitOne", "work"))
                .addCustomScenario(
                        LincheckSettings.scenario(SerialExecutorLincheckTest.class, "", "submitOne", "submitOther"))
                .addCustomScenario(
                        LincheckSettings.scenario(SerialExecutorLincheckTest.class, "", "submitOne", "shutdown"))
                .check(SerialExecutorLincheckTest.class);
    }

    @Test
    void strand_onRealThreads_runsInOrderAndGivesEachTaskOneOutcome() {
        LincheckSettings.stress().verifier(EpsilonVerifier.class).check(SerialExecutorLincheckTest.class);
    }
}
