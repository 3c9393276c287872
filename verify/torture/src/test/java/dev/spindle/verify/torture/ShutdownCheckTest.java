// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.verify.torture.Step.Then;
import dev.spindle.verify.torture.tools.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As {@link CheckerTest}, for shutdowns, callbacks and thread factories. */
class ShutdownCheckTest {
    private static final Step LANE = Story.lane(Op.LANE);
    private static final Step CALL_BACK = Story.lane(Op.LANE_FUTURE).with(Then.CALL_BACK);

    private static Story refused(Threads.Kind threads) {
        Program.Pool pool = Story.of(LANE).program.pool();
        Program.Pool other = new Program.Pool(
                pool.core(),
                pool.max(),
                pool.keepAlive(),
                pool.linger(),
                pool.capacity(),
                pool.capacityPerKey(),
                pool.onFull(),
                pool.keys(),
                pool.strands(),
                pool.own(),
                pool.views(),
                pool.exact(),
                threads);
        Story story = Story.of(other, LANE);
        story.log.calls(0);
        story.log.refused(0, true);
        return story;
    }

    @Test
    void d1_waitingSubmitterThatWasAcceptedAfterShutdownNow_isFound() {
        Story story = Story.bounded(1, LANE, LANE).accept(0, 1).run(0, 1);
        story.log.waited.add(1);

        assertThat(story.violations().counts()).containsOnlyKeys(Promise.D1);
        assertThat(story.violations().text())
                .contains("task 1 (LANE at 0) was accepted after a shutdownNow had returned");
    }

    @Test
    void d1_waitingSubmitterThatWasRefused_isRight() {
        Story story = Story.bounded(1, LANE, LANE).accept(0).run(0);
        story.log.calls(1);
        story.log.refused(1, false);
        story.log.waited.add(1);

        assertThat(story.violations().isEmpty()).isTrue();
    }

    @Test
    void d1_taskAfterTheTerminationOfItsStrand_isFound() {
        Story story = Story.of(LANE).accept(0).run(0);
        Place strand = Place.serial();
        strand.terminated();
        story.log.see(0, strand.enter(story.job(0), story.log, 0));
        story.log.position[0] = 1;

        assertThat(story.violations().counts()).containsOnlyKeys(Promise.D1);
        assertThat(story.violations().text()).contains("ran after the termination of its strand");
    }

    /** From inside, the strands with threads of their own are drained for a limited time, then halted. */
    @ParameterizedTest
    @CsvSource({"CLOSE, 2, false", "INSIDE, 2, true", "INSIDE, 0, false", "NOW, 0, true"})
    void a1_asyncTaskThatAShutdownCancelled_isRightWhereItMay(Program.How how, int lane, boolean right) {
        Story story = Story.stopped(how, Step.of(Op.LANE_ASYNC, lane)).accept(0).run(0);
        story.log.outcome[0] = Log.Outcome.CANCELLED;

        assertThat(story.violations().isEmpty()).isEqualTo(right);
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true", "2, false"})
    void f1_callback_runsOnce(int times, boolean right) {
        Story story = Story.of(CALL_BACK).accept(0).run(0);
        story.log.calledBack[0] = (byte) times;

        assertThat(story.violations().isEmpty()).isEqualTo(right);
        assertThat(story.violations().text()).contains(right ? "" : "called back " + times + " times, not once");
    }

    @ParameterizedTest
    @CsvSource({
        "SOUND, false",
        "SLOW, false",
        "FAILS_FIRST, true",
        "FAILS_OFTEN, true",
        "THROWS_WHEN_INTERRUPTED, false"
    })
    void f5_refusalForWantOfAThread_needsAFactoryThatFails(Threads.Kind threads, boolean right) {
        assertThat(refused(threads).violations().isEmpty()).isEqualTo(right);
    }
}
