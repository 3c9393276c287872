// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.verify.torture.Layout.Act;
import dev.spindle.verify.torture.Layout.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The turns of each lane in the order of the lane's plain counter, and the checks of their order. A logical executor
 * that runs one task at a time is checked like a lane.
 */
final class Turns {
    private static final int NONE = -1;
    private static final int SLOTS = 2;

    private final Program program;
    private final Layout layout;
    private final Log log;
    private final Violations violations;
    private final int lanes;
    /** The task of each turn of each lane, in order; {@link #NONE} if no task has this number. */
    private final int[][] turns;
    // The latest position in each lane and in each slot of one producer's tasks.
    private final int[] latest;
    private final int[] latestOfSlot;

    Turns(Program program, Layout layout, Log log, Violations violations) {
        this.program = program;
        this.layout = layout;
        this.log = log;
        this.violations = violations;
        lanes = program.pool().lanes() + program.pool().views().size();
        turns = new int[lanes][];
        latest = new int[lanes];
        latestOfSlot = new int[lanes * SLOTS];
    }

    /** Returns the index of the task's lane, or {@link #NONE}. */
    private int lane(Step step) {
        if (step.op().isPeriodic()) {
            return NONE; // turns of periodic tasks are not numbered
        }
        return switch (step.op().where()) {
            case POOL -> NONE;
            case LANE -> step.at();
            case VIEW ->
                program.pool().views().get(step.at()).isSerial()
                        ? program.pool().lanes() + step.at()
                        : NONE;
        };
    }

    int[] of(int lane) {
        return turns[lane];
    }

    void check() {
        number();
        for (Part part : layout.parts()) {
            Arrays.fill(latest, 0);
            Arrays.fill(latestOfSlot, 0);
            for (int round = 0; round < part.rounds(); round++) {
                for (Act act : part.tasks()) {
                    checkOrder(act, part.start(round));
                }
            }
        }
    }

    // ---------------------------------------------------------------- numbering

    /**
     * Checks that the turns of a lane have distinct numbers without gaps. Otherwise a turn did not see the write of the
     * previous turn.
     */
    private void number() {
        int[] counts = new int[lanes];
        forEachTurn((lane, task) -> counts[lane]++);
        for (int lane = 0; lane < lanes; lane++) {
            turns[lane] = new int[counts[lane]];
            Arrays.fill(turns[lane], NONE);
        }
        forEachTurn((lane, task) -> {
            int at = log.position[task] - 1;
            if (at < 0 || at >= turns[lane].length || turns[lane][at] != NONE) {
                violations.add(
                        Promise.K4,
                        "task " + task + " was number " + (at + 1) + " of the " + turns[lane].length + " turns of lane "
                                + lane + ", which another turn was or no turn can be: it saw a stale count");
            } else {
                turns[lane][at] = task;
            }
        });
    }

    private interface Visitor {
        void visit(int lane, int task);
    }

    private void forEachTurn(Visitor visitor) {
        for (Part part : layout.parts()) {
            for (Act act : part.tasks()) {
                int lane = lane(act.step());
                for (int round = 0; lane != NONE && round < part.rounds(); round++) {
                    int task = part.start(round) + act.offset();
                    if (log.runs[task] > 0) {
                        visitor.visit(lane, task);
                    }
                }
            }
        }
    }

    // ---------------------------------------------------------------- order of one submitter

    private void checkOrder(Act act, int start) {
        int task = start + act.offset();
        int position = log.position[task];
        if (act.depth() == 0 && isOrdered(act.step(), task)) {
            int lane = lane(act.step());
            int slot = slot(act.step());
            // A coalescing task may take the position of an older task, and then runs before tasks that were submitted
            // earlier.
            int before = slot == NONE ? latest[lane] : latestOfSlot[lane * SLOTS + slot];
            if (position <= before) {
                brokenOrder(act.step(), task, before, lane);
            }
            latest[lane] = Math.max(latest[lane], position);
            if (slot != NONE) {
                int at = lane * SLOTS + slot;
                latestOfSlot[at] = Math.max(latestOfSlot[at], position);
            }
        }
        if (!act.inner().isEmpty() && act.step().op().isTask() && log.runs[task] == 1) {
            checkInner(act, start);
        }
    }

    /**
     * Checks that the tasks that one task submitted run in order, and that those on the lane of the submitting task run
     * after that task.
     */
    private void checkInner(Act parent, int start) {
        List<Act> children = new ArrayList<>();
        addTasks(parent.inner(), children);
        for (int i = 0; i < children.size(); i++) {
            Act child = children.get(i);
            int task = start + child.offset();
            if (!isOrdered(child.step(), task)) {
                continue;
            }
            int lane = lane(child.step());
            if (lane == lane(parent.step()) && log.position[task] < log.position[start + parent.offset()]) {
                violations.add(Promise.K5, Checker.name(child.step(), task) + " ran before the one that submitted it");
            }
            for (int j = 0; j < i; j++) {
                Act older = children.get(j);
                int other = start + older.offset();
                boolean comparable = isOrdered(older.step(), other)
                        && lane(older.step()) == lane
                        && (slot(child.step()) == NONE || slot(child.step()) == slot(older.step()));
                if (comparable && log.position[other] > log.position[task]) {
                    brokenOrder(child.step(), task, log.position[other], lane);
                }
            }
        }
    }

    private static void addTasks(List<Act> acts, List<Act> to) {
        for (Act act : acts) {
            if (act.step().op().isTask()) {
                to.add(act);
            } else {
                addTasks(act.inner(), to);
            }
        }
    }

    private boolean isOrdered(Step step, int task) {
        return log.runs[task] > 0 && !step.op().isDelayed() && lane(step) != NONE;
    }

    private static int slot(Step step) {
        return switch (step.op()) {
            case COALESCE -> 0;
            case COALESCE_OTHER -> 1;
            default -> NONE;
        };
    }

    private void brokenOrder(Step step, int task, int before, int lane) {
        int[] of = turns[lane];
        String other = before >= 1 && before <= of.length ? "task " + of[before - 1] : "another";
        violations.add(
                slot(step) == NONE ? Promise.K3 : Promise.L2,
                Checker.name(step, task) + " ran as number " + log.position[task] + " of its lane, after " + other
                        + ", which was submitted earlier by the same thread and ran as number " + before);
    }

    // ---------------------------------------------------------------- order by the common clock

    /**
     * Checks pairs of tasks of which one was accepted before the other was submitted. The first task must end before
     * the second begins.
     */
    void checkClock() {
        int[] called = log.called;
        int[] answered = log.answered;
        for (int lane = 0; lane < lanes; lane++) {
            int[] of = turns[lane];
            int earliest = Integer.MAX_VALUE; // the earliest acceptance of the tasks that run later
            int[] earliestOfSlot = {Integer.MAX_VALUE, Integer.MAX_VALUE};
            for (int at = of.length - 1; at >= 0; at--) {
                int task = of[at];
                if (task == NONE) {
                    continue;
                }
                Step step = layout.act(task).step();
                if (at > 0 && of[at - 1] != NONE && log.ended[of[at - 1]] > log.begun[task]) {
                    checkOverlap(lane, of[at - 1], task);
                }
                if (step.op().isDelayed()) {
                    continue;
                }
                int slot = slot(step);
                int later = slot == NONE ? earliest : earliestOfSlot[slot];
                if (later < called[task]) {
                    violations.add(
                            slot == NONE ? Promise.K3 : Promise.L2,
                            Checker.name(step, task) + " was submitted at " + called[task]
                                    + ", and ran before one of its lane that had been accepted at " + later);
                }
                earliest = Math.min(earliest, answered[task]);
                if (slot != NONE) {
                    earliestOfSlot[slot] = Math.min(earliestOfSlot[slot], answered[task]);
                }
            }
        }
    }

    private void checkOverlap(int lane, int older, int newer) {
        boolean async = layout.act(older).step().op() == Op.LANE_ASYNC
                || layout.act(newer).step().op() == Op.LANE_ASYNC;
        violations.add(
                async ? Promise.A1 : Promise.K2,
                "task " + newer + " began at " + log.begun[newer] + ", and task " + older + " of the same lane, " + lane
                        + ", ended at " + log.ended[older]);
    }
}
