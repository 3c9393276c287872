// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** F3 and D1: submits of all kinds against both shutdowns. The threads of the model checker stand for the workers. */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class ShutdownLincheckTest {
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final HandPool.Maker maker = new HandPool.Maker();
    private final Spindle spindle = Spindle.builder().threadFactory(maker).build();
    private final HandPool pool = maker.made();
    private final Keyed<String> keys = spindle.keyed("keys");

    private void task() {
        ended.incrementAndGet();
    }

    private void submit(Runnable submit) {
        try {
            submit.run();
            accepted.incrementAndGet();
        } catch (RejectedExecutionException e) {
            Tally.require(spindle.isShutdown(), "refused by an open executor: " + e);
        }
    }

    @Operation
    public void plain() {
        submit(() -> spindle.execute(this::task));
    }

    @Operation
    public void keyed() {
        submit(() -> keys.execute("key", this::task));
    }

    @Operation
    public void work() {
        pool.work();
    }

    @Operation
    public void shutdown() {
        spindle.shutdown();
    }

    @Operation
    public void shutdownNow() {
        spindle.shutdownNow().forEach(task -> ended.incrementAndGet());
    }

    @Validate
    public void eachHasOneOutcome() {
        while (pool.work()) {}
        Tally.require(ended.get() == accepted.get(), accepted + " were accepted, " + ended + " ran or were returned");
        spindle.shutdown();
        while (pool.work()) {}
        Tally.require(spindle.isTerminated(), "has ended, and does not say so: " + spindle);
    }

    @Test
    void executor_everyInterleaving_givesEachTaskOneOutcome() {
        LincheckSettings.wholeExecutor()
                .actorsPerThread(1) // few, since each operation has hundreds of steps
                .addCustomScenario(LincheckSettings.scenario(ShutdownLincheckTest.class, "", "plain", "shutdown"))
                .check(ShutdownLincheckTest.class);
    }

    @Test
    void executor_onRealThreads_givesEachTaskOneOutcome() {
        LincheckSettings.stress().verifier(EpsilonVerifier.class).check(ShutdownLincheckTest.class);
    }
}
