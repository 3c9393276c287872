// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.internal.LincheckSettings;
import dev.spindle.internal.Tally;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * A terminated spindle: each quiesce completes without a thread, while refused submits create and remove lanes
 * (LaneCore-7).
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class QuiesceLincheckTest {
    private final Spindle spindle = Spindle.builder().build();
    private final Keyed<String> keys = spindle.keyed("keys");
    private final Queue<CompletableFuture<?>> quiet = new ConcurrentLinkedQueue<>();

    public QuiesceLincheckTest() {
        spindle.shutdown(); // terminates at once, since it has had no thread
    }

    @Operation
    public void submit() {
        try {
            keys.execute("key", () -> {});
        } catch (RejectedExecutionException expected) {
            // expected: the spindle is shut down
        }
    }

    @Operation
    public void quiesce() {
        quiet.add(keys.at("key").quiesce());
    }

    @Operation
    public void cancelPending() {
        Tally.require(keys.at("key").cancelPending().isEmpty(), "a task was accepted");
    }

    @Validate
    public void nothingIsLeftBehind() {
        for (CompletableFuture<?> each : quiet) {
            Tally.require(each.isDone(), "a quiesce waits for a thread that will never come");
        }
        Tally.require(spindle.stats().keys() == 0, "a lane stays");
        Tally.require(spindle.isTerminated(), "has ended, and does not say so");
    }

    @Test
    void quiesce_everyInterleavingWithARefusedSubmit_completes() {
        LincheckSettings.wholeExecutor()
                .iterations(2) // the scenarios below matter; each operation has hundreds of steps
                .addCustomScenario(LincheckSettings.scenario(QuiesceLincheckTest.class, "", "submit", "quiesce"))
                .addCustomScenario(
                        LincheckSettings.scenario(QuiesceLincheckTest.class, "", "submit", "quiesce cancelPending"))
                .check(QuiesceLincheckTest.class);
    }

    @Test
    void quiesce_onRealThreads_completes() {
        LincheckSettings.stress().verifier(EpsilonVerifier.class).check(QuiesceLincheckTest.class);
    }
}
