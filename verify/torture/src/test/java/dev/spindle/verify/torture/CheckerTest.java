// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.verify.torture.Log.Outcome;
import dev.spindle.verify.torture.Step.Does;
import dev.spindle.verify.torture.Step.Then;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checker names the promise that the log of a broken executor violates. */
class CheckerTest {
    private static final Step LANE = Story.lane(Op.LANE);
    private static final Step COALESCE = Story.lane(Op.COALESCE);
    private static final Step FUTURE = Story.lane(Op.LANE_FUTURE);

    private static void assertBroken(Story story, Promise promise, String... words) {
        Violations violations = story.violations();
        assertThat(violations.counts()).containsOnlyKeys(promise);
        assertThat(violations.text()).contains(words);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"LANE_AT_RATE", "LANE_WITH_DELAY", "PAUSE", "CANCEL_PENDING", "QUIESCE", "GAP"},
            mode = EnumSource.Mode.EXCLUDE)
    void soundExecutor_isNotBlamed(Op op) {
        Step step = Step.of(op, 0);
        Step throwing = step.with(Does.THROW);
        assertThat(Story.of(step, throwing, step)
                        .accept(0, 1, 2)
                        .run(0, 1, 2)
                        .violations()
                        .isEmpty())
                .isTrue();
        assertThat(Story.exact(step, throwing, step)
                        .accept(0, 1, 2)
                        .run(0, 1, 2)
                        .violations()
                        .isEmpty())
                .isTrue();
    }

    // ---------------------------------------------------------------- lost, doubled, refused, dropped

    @Test
    void f3_lostTask_isFound() {
        assertBroken(
                Story.of(LANE, LANE).accept(0, 1).run(0), Promise.F3, "task 1 (LANE at 0) was accepted, and ran 0");
    }

    @Test
    void f3_taskThatRanTwice_isFound() {
        Story story = Story.of(Step.of(Op.PLAIN, 0)).accept(0).run(0);
        story.log.runs[0]++;

        assertBroken(story, Promise.F3, "task 0 (PLAIN) was accepted, and ran 2");
    }

    @Test
    void f3_refusedTaskThatRan_isFound() {
        Story story = Story.of(LANE);
        story.log.calls(0);
        story.log.refused(0, false);

        assertBroken(story.run(0), Promise.F3, "was refused, and yet ran 1");
    }

    @Test
    void f3_taskThatNobodyHandedIn_isFound() {
        Story story = Story.of(LANE);
        story.log.calls(0);

        assertBroken(story.run(0), Promise.F3, "was not submitted, and yet ran 1");
    }

    @Test
    void f3_returnedTaskThatRan_isFound() {
        Story story = Story.of(LANE).accept(0).run(0);
        story.log.returned[0]++;

        assertBroken(story, Promise.F3, "ran 1, was returned 1");
    }

    @Test
    void f3_returnedStranger_isFound() {
        Story story = Story.of(LANE).accept(0).run(0);
        story.log.returns.add(new Log.Returned(Promise.D1, List.of(-1)));

        assertBroken(story, Promise.F3, "that no thread submitted");
    }

    @Test
    void f4_refusalWithoutABound_isFound() {
        Story story = Story.of(LANE);
        story.log.calls(0);
        story.log.refused(0, true);

        assertBroken(story, Promise.F4, "was refused by an open executor without a bound");
    }

    @Test
    void f4_dropWithoutABound_isFound() {
        Story story = Story.of(LANE).accept(0);
        story.log.dropped[0]++;

        assertBroken(story, Promise.F4, "was dropped, where no bound drops");
    }

    @Test
    void f4_cancelledFutureThatNobodyCancelled_isFound() {
        Story story = Story.of(FUTURE).accept(0);
        story.log.outcome[0] = Outcome.CANCELLED;

        assertBroken(story, Promise.F4, "was dropped, where no bound drops");
    }

    @Test
    void f4_moreThanTheBoundAllows_isFoundByTheClock() {
        Step plain = Step.of(Op.PLAIN, 0);

        assertBroken(
                Story.bounded(1, plain, plain, plain, plain).accept(0, 1, 2, 3).run(0, 1, 2, 3),
                Promise.F4,
                "4 tasks waited in the pool");
        assertThat(Story.bounded(2, plain, plain, plain, plain)
                        .accept(0, 1, 2, 3)
                        .run(0, 1, 2, 3)
                        .violations()
                        .isEmpty())
                .isTrue();
    }

    // ---------------------------------------------------------------- order and overlap

    @Test
    void k3_reorderedTasks_areFound() {
        assertBroken(
                Story.of(LANE, LANE).accept(0, 1).run(1, 0),
                Promise.K3,
                "task 1 (LANE at 0) ran as number 1 of its lane, after task 0");
    }

    @Test
    void k3_reorderedTasksOfASerialExecutor_areFound() {
        Step view = Step.of(Op.VIEW, 0);

        assertBroken(Story.of(view, view).accept(0, 1).run(1, 0), Promise.K3, "(VIEW at 0)");
    }

    @Test
    void k3_reorderedTasksOfATask_areFound() {
        Story story = Story.of(Step.of(Op.PLAIN, 0).inner(List.of(LANE, LANE)));

        assertBroken(story.accept(0, 1, 2).run(0, 2, 1), Promise.K3, "task 2 (LANE at 0)");
    }

    @Test
    void k3_taskBeforeAnEarlierOneOfAnotherThread_isFoundByTheClock() {
        assertBroken(Story.exact(LANE, LANE).accept(0, 1).run(1, 0), Promise.K3, "had been accepted at");
    }

    @Test
    void k3_concurrentSubmits_mayRunInAnyOrder() {
        Story story = Story.exact(LANE, LANE);
        story.log.calls(0);
        story.log.calls(1);
        story.log.accepted(0, false);
        story.log.accepted(1, false);

        assertThat(story.run(1, 0).violations().isEmpty()).isTrue();
    }

    @Test
    void k2_overlap_isFound() {
        Story story = Story.of(LANE).accept(0).run(0);
        story.log.see(0, Log.OVERLAP);

        assertBroken(story, Promise.K2, "was under way with another of its lane");
    }

    @Test
    void k2_overlap_isFoundByTheClock() {
        Story story =
                Story.exact(LANE, LANE).accept(0, 1).begin(0).begin(1).end(0).end(1);

        assertBroken(story, Promise.K2, "task 1 began at");
    }

    @Test
    void a1_taskDuringAnAsyncOne_isFoundByTheClock() {
        Story story = Story.exact(Story.lane(Op.LANE_ASYNC), LANE);

        assertBroken(story.accept(0, 1).begin(0).run(1).end(0), Promise.A1, "task 1 began at");
    }

    @Test
    void k5_taskInsideTheOneThatHandedItIn_isFound() {
        Story story = Story.of(LANE.inner(List.of(LANE))).accept(0, 1);
        story.run(1, 0);

        assertBroken(story, Promise.K5, "ran before the one that submitted it");
    }

    @Test
    void limit_oneTooMany_isFound() {
        Story story = Story.of(Step.of(Op.VIEW, 1)).accept(0).run(0);
        story.log.see(0, Log.OVER_LIMIT);

        assertBroken(story, Promise.LIMIT, "one more than the limit");
    }

    // ---------------------------------------------------------------- memory

    @Test
    void k4_staleCountOfALane_isFound() {
        Story story = Story.of(LANE, LANE).accept(0, 1).run(0, 1);
        story.log.position[1] = 1;

        Violations violations = story.violations();
        assertThat(violations.counts()).containsKey(Promise.K4);
        assertThat(violations.text()).contains("it saw a stale count");
    }

    @Test
    void k4_staleFieldOfTheSubmitter_isFound() {
        Story story = Story.of(LANE).accept(0);
        story.log.marks[0] = 0;

        assertBroken(story.run(0), Promise.K4, "without seeing what its submitter had written");
    }

    @Test
    void k4_staleResult_isFound() {
        Story story = Story.of(FUTURE.with(Then.AWAIT)).accept(0).run(0);
        story.log.tell(0, Log.STALE_RESULT);

        assertBroken(story, Promise.K4, "what it wrote was not seen");
    }

    // ---------------------------------------------------------------- waiting, pausing

    @Test
    void k6_waitForTheOwnLane_isFound() {
        Story story = Story.of(FUTURE.with(Then.AWAIT)).accept(0).run(0);
        story.log.tell(0, Log.WAITED_FOR_OWN);

        assertBroken(story, Promise.K6, "in a turn of its own lane");
    }

    @Test
    void k6_refusedWaitWithoutALane_isFound() {
        Story story = Story.of(FUTURE.with(Then.AWAIT)).accept(0).run(0);
        story.log.tell(0, Log.REFUSED_WAIT);

        assertBroken(story, Promise.K6, "by a task that holds no lane");
    }

    @Test
    void k8_twoTasksInAPause_areFound() {
        Story story = Story.exact(LANE, LANE, LANE).accept(0, 1, 2).run(0);
        int from = story.log.tick();
        story.run(1, 2);
        story.log.windows.add(new Log.Window(0, from, story.log.tick()));

        assertBroken(story, Promise.K8, "tasks 1 and 2 of lane 0 began", "while it was paused");
    }

    @Test
    void k8_oneTaskInAPause_isTheOneThatWasAboutToStart() {
        Story story = Story.exact(LANE, LANE).accept(0, 1).run(0);
        int from = story.log.tick();
        story.run(1);
        story.log.windows.add(new Log.Window(0, from, story.log.tick()));

        assertThat(story.violations().isEmpty()).isTrue();
    }

    @Test
    void k8_earlyQuiesce_isFound() {
        Story story = Story.exact(LANE).accept(0);
        Log.Quiet quiet = new Log.Quiet(0, story.log.tick());
        quiet.doneAt = story.log.tick();
        quiet.done = true;
        story.log.quiets.add(quiet);

        assertBroken(story.run(0), Promise.K8, "a quiesce of lane 0 at");
    }

    @Test
    void k8_quiesceThatNeverCompletes_isFound() {
        Story story = Story.of(LANE).accept(0).run(0);
        story.log.quiets.add(new Log.Quiet(0, 0));

        assertBroken(story, Promise.K8, "has not completed");
    }

    @Test
    void k8_cancelPendingOutOfOrder_isFound() {
        Story story = Story.of(LANE, LANE).accept(0, 1);
        story.log.returned[0]++;
        story.log.returned[1]++;
        story.log.returns.add(new Log.Returned(Promise.K8, List.of(1, 0)));

        assertBroken(story, Promise.K8, "task 0 (LANE at 0) was returned after task 1");
    }

    // ---------------------------------------------------------------- coalescing

    @Test
    void l1_supersededTaskThatRan_isFound() {
        assertBroken(
                Story.of(COALESCE, COALESCE).accept(0, 1).run(0, 1).supersede(0),
                Promise.L1,
                "was superseded, and yet ran 1");
    }

    @Test
    void l2_supersededLast_isFound() {
        assertBroken(
                Story.of(COALESCE, COALESCE).accept(0, 1).supersede(0).supersede(1),
                Promise.L2,
                "the last coalescing task of each submitter of lane 0 was superseded");
    }

    @Test
    void l2_supersededLast_isFoundByTheClock() {
        assertBroken(
                Story.exact(COALESCE, COALESCE).accept(0, 1).run(0).supersede(1),
                Promise.L2,
                "task 1 (COALESCE at 0) was the last of its slot, and was superseded");
    }

    @Test
    void l2_runsThatGoBack_areFound() {
        assertBroken(Story.of(COALESCE, COALESCE).accept(0, 1).run(1, 0), Promise.L2, "after task 0");
    }

    @Test
    void l2_lostSubmission_isFound() {
        Story story = Story.of(COALESCE).accept(0);
        story.log.outcome[0] = Outcome.CANCELLED;

        assertBroken(story, Promise.L2, "was accepted, and ran 0");
    }

    @Test
    void l3_submissionInThePlaceOfAnOlderOne_mayRunEarly() {
        Story story = Story.of(COALESCE, LANE, COALESCE).accept(0, 1, 2).supersede(0);

        assertThat(story.run(2, 1).violations().isEmpty()).isTrue();
    }

    // ---------------------------------------------------------------- failures, interrupts, ends

    @Test
    void f1_failureThatNobodyTold_isFound() {
        Story story = Story.of(LANE.with(Does.THROW)).accept(0).run(0);
        story.log.handled[0] = 0;

        assertBroken(story, Promise.F1, "which was told 0 times");
    }

    @Test
    void f1_futureThatSaysSomethingElse_isFound() {
        Story story = Story.of(FUTURE.with(Does.FAIL)).accept(0).run(0);
        story.log.outcome[0] = Outcome.DONE;

        assertBroken(story, Promise.F1, "says DONE, not FAILED");
    }

    @Test
    void a2_openFutureOfADelayedTaskThatRan_isFound() {
        Story story = Story.of(Story.lane(Op.LANE_DELAYED)).accept(0).run(0);
        story.log.outcome[0] = Outcome.OPEN;

        assertBroken(story, Promise.A2, "says OPEN, not DONE");
    }

    private static Story periodic(int runs, Outcome outcome) {
        Story story = Story.of(Story.lane(Op.LANE_AT_RATE)).accept(0);
        story.log.runs[0] = (byte) runs;
        story.log.outcome[0] = outcome;
        return story;
    }

    @Test
    void a2_periodicTask_endsByItsLastRunOrByAShutdown() {
        assertThat(periodic(3, Outcome.FAILED).violations().isEmpty()).isTrue();
        assertThat(periodic(1, Outcome.CANCELLED).violations().isEmpty()).isTrue();
        assertBroken(periodic(4, Outcome.FAILED), Promise.A2, "ran 4 times, and threw the time 3");
        assertBroken(periodic(3, Outcome.CANCELLED), Promise.A2, "ran 3 of 3 times", "says CANCELLED, not FAILED");
        assertBroken(periodic(2, Outcome.OPEN), Promise.A2, "ran 2 of 3 times", "says OPEN, not CANCELLED");
    }

    @Test
    void f2_foreignInterrupt_isFound() {
        Story story = Story.of(LANE).accept(0).run(0);
        story.log.see(0, Log.INTERRUPTED);

        assertBroken(story, Promise.F2, "began with an interrupt that was not meant for it");
    }

    @Test
    void d1_submitAcceptedAfterAShutdown_isFound() {
        Story story = Story.of(LANE);
        story.log.calls(0);
        story.log.accepted(0, true);

        assertBroken(story.run(0), Promise.D1, "was accepted after a shutdown had returned");
    }

    @Test
    void d1_taskAfterTermination_isFound() {
        Story story = Story.of(LANE).accept(0).run(0);
        story.log.see(0, Log.LATE);

        assertBroken(story, Promise.D1, "when the pool said that it had terminated");
    }

    @Test
    void d1_poolThatDoesNotEnd_isFoundWithWhatWaits() {
        Story story = Story.of(LANE, LANE).accept(0, 1).run(0);
        story.log.unfinished = true;

        assertBroken(story, Promise.D1, "1 tasks were accepted and have not run");
    }

    @Test
    void d1_shutdownNowOutOfOrder_isFound() {
        Story story = Story.of(LANE, LANE).accept(0, 1);
        story.log.returned[0]++;
        story.log.returned[1]++;
        story.log.returns.add(new Log.Returned(Promise.D1, List.of(1, 0)));

        assertBroken(story, Promise.D1, "was returned after task 1");
    }

    @Test
    void t1_tooManyThreads_areFound() {
        Story story = Story.of(LANE).accept(0).run(0);
        story.log.peakThreads = 3;

        assertBroken(story, Promise.T1, "there were 3 threads, at most 2 are allowed");
    }

    @Test
    void t1_moreTasksAtOnceThanThreads_areFoundByTheClock() {
        Step plain = Step.of(Op.PLAIN, 0);
        Story story = Story.exact(plain, plain, plain).accept(0, 1, 2);
        story.begin(0).begin(1).begin(2).end(0).end(1).end(2);

        assertBroken(story, Promise.T1, "3 tasks were under way");
    }
}
