// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import dev.spindle.ClosedException;
import dev.spindle.internal.AdaptiveSpin;
import dev.spindle.internal.LincheckSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Publishers, the two strands of a parallel stage, the stage after it, and a drain: each accepted event passes each
 * stage once before the drain ends, and no rejected event does.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class PipelineLincheckTest {
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicInteger followed = new AtomicInteger();
    private final List<CompletableFuture<@Nullable Void>> waiting = new ArrayList<>(); // of one publisher
    private final HandPipeline hand = new HandPipeline();
    private final Pipeline<int[]> pipeline = hand.builder(2)
            .parallelStage("many", 2, event -> handled.incrementAndGet())
            .maxBatch(1)
            .stage("one", event -> follow())
            .after("many")
            .build();
    private final HandLane first = hand.lane("many#0");
    private final HandLane second = hand.lane("many#1");
    private final HandLane follower = hand.lane("one");
    private volatile @Nullable CompletableFuture<@Nullable Void> end;

    private void follow() {
        CompletableFuture<@Nullable Void> now = end;
        LincheckSettings.check(now == null || !now.isDone(), "handled after the end");
        followed.incrementAndGet();
    }

    @Operation
    public void offer() {
        try {
            if (pipeline.offer(event -> event[0]++)) {
                accepted.incrementAndGet();
            }
        } catch (ClosedException expected) {
            // rejected
        }
    }

    @Operation(nonParallelGroup = "waiting")
    public void publishLater() {
        try {
            waiting.add(pipeline.publishAsync(event -> event[0]++).toCompletableFuture());
        } catch (ClosedException expected) {
            // rejected
        }
    }

    @Operation
    public void runFirst() {
        first.runOne();
    }

    @Operation
    public void runSecond() {
        second.runOne();
    }

    @Operation
    public void runFollower() {
        follower.runOne();
    }

    @Operation
    public void drain() {
        end = pipeline.drain().toCompletableFuture();
    }

    @Validate
    public void allAcceptedHasPassed() {
        hand.run();
        int all = accepted.get();
        for (CompletableFuture<@Nullable Void> later : waiting) {
            LincheckSettings.check(later.isDone(), "a publisher waits beside free slots");
            all += later.isCompletedExceptionally() ? 0 : 1;
        }
        LincheckSettings.check(handled.get() == all, all + " accepted, " + handled + " handled");
        LincheckSettings.check(followed.get() == all, all + " accepted, " + followed + " handled by the last stage");
        CompletableFuture<@Nullable Void> now = end;
        LincheckSettings.check(now == null || now.isDone(), "the drain does not end");
    }

    private static List<Actor> calls(String... names) {
        List<Actor> calls = new ArrayList<>();
        for (String name : names) {
            calls.add(LincheckSettings.call(PipelineLincheckTest.class, name));
        }
        return calls;
    }

    @Test
    void pipeline_everyInterleaving_takesEachAcceptedEventThrough() {
        new ModelCheckingOptions()
                .iterations(LincheckSettings.drawn(4))
                .invocationsPerIteration(400)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(0)
                .verifier(EpsilonVerifier.class)
                .addCustomScenario(
                        LincheckSettings.scenario(calls(), calls("offer"), calls("drain", "runFirst"), calls()))
                .check(PipelineLincheckTest.class);
    }

    @Test
    void strands_everyInterleavingOfTheirSteps_leaveNoMarkBehind() {
        new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(6_000)
                .verifier(EpsilonVerifier.class)
                .addGuarantee(
                        forClasses(Ring.class.getName(), PublisherGate.class.getName(), AdaptiveSpin.class.getName())
                                .allMethods()
                                .treatAsAtomic())
                .addGuarantee(
                        forClasses(HandLane.class.getName(), Stage.class.getName(), Stage.Handling.class.getName())
                                .methods("next", "execute", "wake", "moved", "available", "handle", "rest")
                                .treatAsAtomic())
                .addCustomScenario(LincheckSettings.scenario(
                        calls("offer", "offer"), calls("runFirst"), calls("runSecond"), calls()))
                .check(PipelineLincheckTest.class);
    }
}
