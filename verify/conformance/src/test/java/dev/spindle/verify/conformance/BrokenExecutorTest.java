// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The suite finds executors that are broken on purpose. The JDK's executors show that correct ones pass. */
@Timeout(60)
class BrokenExecutorTest {
    private static Arguments breaks(Class<?> tests, String... methods) {
        return Arguments.of(tests, List.of(methods));
    }

    private static Stream<Arguments> broken() {
        return Stream.of(
                breaks(Forgetful.class, "execute_manyTasksOfManyThreads_eachRunsOnce"),
                breaks(Eager.class, "execute_manyTasksOfManyThreads_eachRunsOnce"),
                breaks(
                        NewestFirst.class,
                        "execute_tasksOfOneThread_runInOrderOneAtATime",
                        "execute_tasksOfManyThreads_keepTheOrderOfEach"),
                breaks(Reentrant.class, "execute_byATaskOfItsOwn_runsAfterItAndNotInside"),
                breaks(
                        Ajar.class,
                        "submit_neverUsedAndShutDown_isRejected",
                        "submit_shutDownWhileATaskRuns_isRejected",
                        "submit_afterShutdownNow_isRejected",
                        "submit_byAnOwnTaskAfterShutdown_isRejected"),
                breaks(
                        Hasty.class,
                        "isTerminated_whileATaskRuns_isFalse",
                        "shutdown_runsAllThatWasAcceptedAndInterruptsNothing"),
                breaks(
                        Violent.class,
                        "shutdown_runsAllThatWasAcceptedAndInterruptsNothing",
                        "shutdown_byATask_runsTheRest"),
                breaks(
                        Greedy.class,
                        "shutdownNow_executedTasks_areGivenBackAndNeverRun",
                        "shutdownNow_submittedTasks_areGivenBackOnceEach"),
                breaks(GreedyInARace.class, "shutdown_racingWithSubmits_losesNothingAndTerminates"),
                breaks(Uninterrupting.class, "shutdownNow_tasksThatRun_areInterruptedAndNotGivenBack"),
                breaks(Reversing.class, "invokeAll_manyTasks_givesTheirResultsInOrder"),
                breaks(
                        Careless.class,
                        "invokeAll_interruptedWhileWaiting_cancelsWhatIsNotDone",
                        "invokeAll_byAnInterruptedThread_cancelsWhatIsNotDone"),
                breaks(Gentle.class, "cancelTrue_taskThatRuns_isInterrupted"),
                breaks(Early.class, "schedule_withDelay_runsNotBeforeItHasPassed"),
                breaks(
                        Overlapping.class,
                        "periodic_runIsLongerThanThePeriod_neverOverlapsItself",
                        "periodic_runThatThrows_isTheLast"),
                breaks(Hurried.class, "fixedDelay_countsFromTheEndOfARun"),
                breaks(Endless.class, "shutdown_periodicTasksThatWait_areCancelled"),
                breaks(Abrupt.class, "shutdown_delayedTasks_stillRunWhenTheyAreDue"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void suite_onABrokenExecutor_findsIt(Class<?> tests, List<String> methods) {
        assertThat(SuiteRun.of(tests).failed()).containsAll(methods);
    }

    @Test
    void suite_onARightExecutor_findsNothing() {
        SuiteRun run = SuiteRun.of(Right.class);

        assertThat(run.failed()).isEmpty();
        assertThat(run.passed()).isPositive();
    }

    static class Right extends ExecuteContract {
        Right() {
            super(BrokenExecutors.right());
        }
    }

    static class Forgetful extends ExecuteContract {
        Forgetful() {
            super(BrokenExecutors.forgetful());
        }
    }

    static class Eager extends ExecuteContract {
        Eager() {
            super(BrokenExecutors.eager());
        }
    }

    static class NewestFirst extends SerialContract {
        NewestFirst() {
            super(BrokenExecutors.newestFirst());
        }
    }

    static class Reentrant extends SerialContract {
        Reentrant() {
            super(BrokenExecutors.reentrant());
        }
    }

    static class Ajar extends RejectionContract {
        Ajar() {
            super(BrokenExecutors.ajar());
        }
    }

    static class Hasty extends ShutdownContract {
        Hasty() {
            super(BrokenExecutors.hasty());
        }
    }

    static class Violent extends ShutdownContract {
        Violent() {
            super(BrokenExecutors.violent());
        }
    }

    static class Greedy extends ShutdownNowContract {
        Greedy() {
            super(BrokenExecutors.greedy());
        }
    }

    static class GreedyInARace extends ShutdownRaceContract {
        GreedyInARace() {
            super(BrokenExecutors.greedy());
        }
    }

    static class Uninterrupting extends ShutdownNowContract {
        Uninterrupting() {
            super(BrokenExecutors.uninterrupting());
        }
    }

    static class Reversing extends InvokeAllContract {
        Reversing() {
            super(BrokenExecutors.reversing());
        }
    }

    static class Careless extends InvokeAllContract {
        Careless() {
            super(BrokenExecutors.careless());
        }
    }

    static class Gentle extends FutureContract {
        Gentle() {
            super(BrokenExecutors.gentle());
        }
    }

    static class Early extends ScheduleContract {
        Early() {
            super(BrokenExecutors.early());
        }
    }

    static class Overlapping extends PeriodicContract {
        Overlapping() {
            super(BrokenExecutors.overlapping());
        }
    }

    static class Hurried extends PeriodicContract {
        Hurried() {
            super(BrokenExecutors.hurried());
        }
    }

    static class Endless extends ScheduledShutdownContract {
        Endless() {
            super(BrokenExecutors.endless());
        }
    }

    static class Abrupt extends ScheduledShutdownContract {
        Abrupt() {
            super(BrokenExecutors.abrupt());
        }
    }
}
