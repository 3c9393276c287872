// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.HandScheduler;
import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Submits and turns, run step by step on one thread. */
class LaneCoreTest {
    private final HandScheduler scheduler = new HandScheduler();
    private final LaneTable table = new LaneTable(scheduler, Integer.MAX_VALUE, () -> {}, lane -> {});
    private final LaneSpace keys = table.add(new LaneSpace(table, "keys"));
    private final LaneCore lane = keys.lane("a");
    private final List<Object> ran = new ArrayList<>();

    @Test
    void push_idleLane_makesItReady() {
        assertThat(push("1")).isTrue();

        assertThat(scheduler.ready).containsExactly(lane);
        assertThat(ran).isEmpty();
    }

    @Test
    void push_readyLane_wakesNobody() {
        push("1");
        push("2");

        assertThat(scheduler.readies).isEqualTo(1);
    }

    @Test
    void turn_severalTasks_runsThemInOrder() {
        for (int i = 0; i < 10; i++) {
            push(i);
        }
        scheduler.turn();

        assertThat(ran).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(lane.isFree()).isTrue();
    }

    @Test
    void push_insideATurn_runsAfterWhatWaits() {
        lane.push(() -> {
            push("3");
            ran.add("1");
        });
        push("2");
        scheduler.turn();

        assertThat(ran).containsExactly("1", "2", "3");
        assertThat(scheduler.readies).isEqualTo(1);
    }

    @Test
    void endWithoutThread_taskFromWhoFoundAThreadMeanwhile_isLeftToThat() {
        lane.push(new LaneBarrier(() -> ran.add("reached")));
        push("1"); // the submitter that started a thread
        scheduler.ready.remove(lane);

        assertThat(lane.endWithoutThread()).isFalse();
        assertThat(scheduler.ready).containsExactly(lane);
        scheduler.turn();
        assertThat(ran).containsExactly("reached", "1");
        assertThat(lane.isFree()).isTrue();
    }

    @Test
    void turn_taskThatThrows_runsTheNext() {
        Error error = new StackOverflowError();
        lane.push(() -> {
            throw error;
        });
        push("2");
        scheduler.turn();

        assertThat(ran).containsExactly("2");
        assertThat(scheduler.failures).containsExactly(error);
    }

    @Test
    void turn_quantumOfTasksUsedUpWhileOthersWait_goesBehindThem() {
        pushMany(WorkerContext.QUANTUM + 1);
        scheduler.others = true;
        scheduler.turn();

        assertThat(ran).hasSize(WorkerContext.QUANTUM);
        assertThat(scheduler.ready).containsExactly(lane);
        scheduler.turn();
        assertThat(ran).hasSize(WorkerContext.QUANTUM + 1);
        assertThat(scheduler.ready).isEmpty();
    }

    @Test
    void turn_quantumOfTasksUsedUpWhileNobodyWaits_goesOn() {
        pushMany(10 * WorkerContext.QUANTUM);
        scheduler.turn();

        assertThat(ran).hasSize(10 * WorkerContext.QUANTUM);
    }

    @Test
    void turn_quantumOfTimeUsedUpWhileOthersWait_goesBehindThem() {
        for (int i = 0; i < 2; i++) {
            lane.push(() -> {
                scheduler.now += 2000;
                ran.add("long");
            });
        }
        scheduler.others = true;
        scheduler.ready.clear();
        lane.turn(new WorkerContext(scheduler, 1000));

        assertThat(ran).hasSize(1);
        assertThat(scheduler.ready).containsExactly(lane);
    }

    @Test
    void turn_laneWithOnlyItself_runsWithoutTheInterruptsOfOthers() {
        push("1");
        lane.push(() -> ran.add(Thread.currentThread().isInterrupted()));
        Thread.currentThread().interrupt();
        scheduler.turn();

        assertThat(ran).containsExactly("1", false);
    }

    @Test
    void interruptTurn_insideATurn_interruptsItAndNothingAfter() {
        WorkerContext worker = new WorkerContext(scheduler, Long.MAX_VALUE);
        lane.push(() -> {
            lane.interruptTurn();
            ran.add(Thread.currentThread().isInterrupted());
        });
        lane.push(() -> ran.add(Thread.currentThread().isInterrupted()));
        worker.bind();
        try {
            lane.turn(worker);
        } finally {
            worker.unbind();
        }

        assertThat(ran).containsExactly(true, false);
        lane.interruptTurn();
        assertThat(Thread.interrupted()).as("no turn runs").isFalse();
    }

    @Test
    void runner_duringATurnAndAfter_isItsRunnerAndNull() {
        lane.push(() -> ran.add(lane.worker() != null));
        scheduler.turn();

        assertThat(ran).containsExactly(true);
        assertThat(lane.worker()).isNull();
        assertThat(lane.thread()).isNull();
    }

    @Test
    void offer_whileOneWaits_supersedesItInItsPlace() {
        Submission older = new Submission(() -> ran.add("older"));
        lane.offer(null, older);
        push("between");
        lane.offer(null, new Submission(() -> ran.add("newer")));
        assertThat(older.superseded).isTrue();
        scheduler.drain();

        assertThat(ran).containsExactly("newer", "between");
        assertThat(scheduler.readies).isEqualTo(1);
        assertThat(lane.estimatedSuperseded()).isEqualTo(1);
    }

    @Test
    void offer_whileOneRuns_runsAfterIt() {
        lane.offer(null, new Submission(() -> {
            lane.offer(null, new Submission(() -> ran.add("2")));
            push("3");
            ran.add("1");
        }));
        scheduler.drain();

        assertThat(ran).containsExactly("1", "2", "3");
    }

    @Test
    void offer_otherSlots_areApart() {
        lane.offer(null, new Submission(() -> ran.add("none")));
        lane.offer("s", new Submission(() -> ran.add("s")));
        lane.offer("t", new Submission(() -> ran.add("t")));
        scheduler.drain();

        assertThat(ran).containsExactly("none", "s", "t");
    }

    @Test
    void offer_lastOfVeryManySlotsHasLeft_makesAnotherTable() {
        for (int slot = 0; slot < 300; slot++) {
            lane.offer(slot, new Submission(() -> {}));
        }
        NamedSlots many = Objects.requireNonNull(lane.cells).slots();
        scheduler.drain();

        assertThat(Objects.requireNonNull(lane.cells).slots()).isNotSameAs(many);
        assertThat(many.offer("s", new Submission(() -> {}))).as("a late offer").isNull();
        lane.offer("s", new Submission(() -> ran.add("s")));
        scheduler.drain();
        assertThat(ran).containsExactly("s");
    }

    @Test
    void withdraw_pendingSubmission_doesNotRunAndTheNextDoes() {
        Submission gone = new Submission(() -> ran.add("gone"));
        CoalescingSlot cell = Objects.requireNonNull(lane.offer(null, gone));
        assertThat(cell.holds(gone)).isTrue();
        assertThat(cell.withdraw(gone)).isTrue();
        assertThat(cell.withdraw(gone)).isFalse();

        push("between");
        lane.offer(null, new Submission(() -> ran.add("next")));
        scheduler.drain();
        assertThat(ran).containsExactly("next", "between");
        assertThat(gone.superseded).isFalse();
    }

    @Test
    void withdraw_pendingSubmission_leavesItsPlaceToTheNext() {
        for (int i = 0; i < 10; i++) {
            Submission gone = new Submission(() -> ran.add("gone"));
            assertThat(Objects.requireNonNull(lane.offer(null, gone)).withdraw(gone))
                    .isTrue();
        }
        lane.offer(null, new Submission(() -> ran.add("next")));

        assertThat(lane.estimatedDepth()).as("one place for all").isEqualTo(1);
        scheduler.drain();
        assertThat(ran).containsExactly("next");
    }

    @Test
    void cancelPending_idleLane_returnsNothing() {
        assertThat(lane.cancelPending()).isEmpty();
        assertThat(lane.isFree()).isTrue();
    }

    @Test
    void cancelPending_tasksOfAllKinds_returnsTheUsersOwnInOrder() {
        List<Runnable> tasks = List.of(() -> ran.add(1), () -> ran.add(2), () -> ran.add(3));
        Submission submission = new Submission(tasks.get(1));
        lane.push(tasks.get(0));
        lane.offer(null, submission);
        lane.push(tasks.get(2));

        assertThat(lane.cancelPending()).containsExactlyElementsOf(tasks);
        assertThat(submission.withdrawn).isTrue();
        lane.offer(null, new Submission(() -> ran.add("next")));
        scheduler.drain();
        assertThat(ran).containsExactly("next");
    }

    @Test
    void cancelPending_insideATurn_returnsWhatHasNotStartedInOrder() {
        List<Runnable> tasks = List.of(() -> ran.add(1), () -> ran.add(2), () -> ran.add(3), () -> ran.add(4));
        List<Runnable> cancelled = new ArrayList<>();
        lane.push(() -> {
            lane.push(tasks.get(2));
            lane.push(tasks.get(3));
            cancelled.addAll(lane.cancelPending());
        });
        lane.push(tasks.get(0));
        lane.push(tasks.get(1));
        scheduler.drain();

        assertThat(cancelled).containsExactlyElementsOf(tasks);
        assertThat(ran).isEmpty();
        assertThat(lane.isFree()).isTrue();
    }

    @Test
    void cancelPending_marker_isStillReached() {
        push("1");
        lane.push(new LaneBarrier(() -> ran.add("reached")));

        assertThat(lane.cancelPending()).hasSize(1);
        scheduler.drain();
        assertThat(ran).containsExactly("reached");
    }

    @Test
    void cancelPending_closedLane_letsItDie() {
        push("1");
        lane.close();

        assertThat(lane.cancelPending()).hasSize(1);
        scheduler.drain();
        assertThat(lane.isDead()).isTrue();
    }

    @Test
    void marker_betweenTasks_isReachedInOrder() {
        push("1");
        lane.push(new LaneBarrier(() -> ran.add("reached")));
        push("2");
        scheduler.drain();

        assertThat(ran).containsExactly("1", "reached", "2");
    }

    @Test
    void estimatedDepth_beforeAndDuringATurn_countsWhatWaits() {
        lane.push(() -> {
            push("4");
            ran.add(lane.estimatedDepth());
        });
        push("2");
        lane.offer(null, new Submission(() -> {}));
        assertThat(lane.estimatedDepth()).isEqualTo(3);
        scheduler.drain();

        assertThat(ran.get(0)).isEqualTo(3);
        assertThat(lane.estimatedDepth()).isZero();
    }

    @Test
    void estimatedAgeMillis_tasksWait_isTheAgeOfTheOldest() {
        assertThat(lane.estimatedAgeMillis()).isZero();
        push("1");
        scheduler.now += 7_000_000;
        push("2");

        assertThat(lane.estimatedAgeMillis()).isEqualTo(7);
        scheduler.drain();
        assertThat(lane.estimatedAgeMillis()).isZero();
    }

    private boolean push(Object name) {
        return lane.push(() -> ran.add(name));
    }

    private void pushMany(int tasks) {
        Collections.nCopies(tasks, "task").forEach(this::push);
    }
}
