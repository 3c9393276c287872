// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.verify.torture.Layout.Act;
import dev.spindle.verify.torture.Layout.Part;
import dev.spindle.verify.torture.Log.Quiet;
import dev.spindle.verify.torture.Log.Window;
import dev.spindle.verify.torture.Op.Where;
import java.util.ArrayList;
import java.util.List;

/** Checks the events of an exact program in the order of the common clock. */
final class Timeline {
    // An event is four times the number of its task or quiesce, plus its kind; 0 is none.
    private static final int QUIESCED = 1;
    private static final int ANSWERED = 2;
    private static final int BEGUN = 3;

    private final Program program;
    private final Layout layout;
    private final Log log;
    private final Turns turns;
    private final Violations violations;

    Timeline(Program program, Layout layout, Log log, Turns turns, Violations violations) {
        this.program = program;
        this.layout = layout;
        this.log = log;
        this.turns = turns;
        this.violations = violations;
    }

    void check() {
        turns.checkClock();
        log.windows.forEach(this::checkPause);
        sweep();
    }

    // ---------------------------------------------------------------- K8

    /** Checks that at most one task begins during a pause, since one task may already have been dequeued. */
    private void checkPause(Window window) {
        int[] of = turns.of(window.lane());
        int first = firstAfter(of, window.from());
        if (first + 1 < of.length && begun(of, first + 1) < window.to()) {
            violations.add(
                    Promise.K8,
                    "tasks " + of[first] + " and " + of[first + 1] + " of lane " + window.lane() + " began at "
                            + begun(of, first) + " and " + begun(of, first + 1) + ", while it was paused from "
                            + window.from() + " to " + window.to());
        }
    }

    /**
     * Returns the index of the first turn that begins after {@code time}. The search assumes that turns begin in order,
     * which {@link Turns} checks.
     */
    private int firstAfter(int[] of, int time) {
        int low = 0;
        int high = of.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (begun(of, middle) < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int begun(int[] of, int turn) {
        return of[turn] < 0 ? Integer.MAX_VALUE : log.begun[of[turn]];
    }

    // ---------------------------------------------------------------- T1, F4, and K8 again

    private void sweep() {
        List<Quiet> quiets = new ArrayList<>(log.quiets);
        int[] events = events(quiets);
        int[] ends = new int[program.pool().lanes()]; // the latest end of a lane's tasks accepted so far
        Waiting waiting = new Waiting(program.pool(), violations);
        int inWork = 0;
        for (int time = 1; time < events.length; time++) {
            int event = events[time];
            if (event < 0) {
                inWork -= holdsWorker(step(-1 - event)) ? 1 : 0;
                continue;
            }
            int task = event >>> 2;
            switch (event & 3) {
                case QUIESCED -> checkQuiet(quiets.get(task), ends);
                case ANSWERED -> {
                    Step step = step(task);
                    if (step.op().where() == Where.LANE) {
                        ends[step.at()] = Math.max(ends[step.at()], log.ended[task]);
                    }
                    if (log.begun[task] > time) {
                        waiting.add(step, time);
                    }
                }
                case BEGUN -> {
                    Step step = step(task);
                    inWork += holdsWorker(step) ? 1 : 0;
                    if (inWork > program.pool().max()) {
                        violations.add(
                                Promise.T1,
                                inWork + " tasks were under way at " + time + ", at most "
                                        + program.pool().max() + " threads are allowed");
                    }
                    if (log.answered[task] != 0 && log.answered[task] < time) {
                        waiting.remove(step);
                    }
                }
                default -> {} // no event at this time
            }
        }
    }

    /**
     * Returns the event at each time, for quiesces and for tasks that ran once. Delayed tasks are omitted, because they
     * are enqueued some time after they were accepted.
     */
    private int[] events(List<Quiet> quiets) {
        int[] events = new int[log.ticks() + 1];
        for (int quiet = 0; quiet < quiets.size(); quiet++) {
            events[quiets.get(quiet).called] = quiet * 4 + QUIESCED;
        }
        for (Part part : layout.parts()) {
            for (int round = 0; round < part.rounds(); round++) {
                for (Act act : part.tasks()) {
                    int task = part.start(round) + act.offset();
                    if (log.runs[task] == 1 && !act.step().op().isDelayed()) {
                        events[log.answered[task]] = task * 4 + ANSWERED;
                        events[log.begun[task]] = task * 4 + BEGUN;
                        events[log.ended[task]] = -1 - task;
                    }
                }
            }
        }
        return events;
    }

    private Step step(int task) {
        return layout.act(task).step();
    }

    private void checkQuiet(Quiet quiet, int[] ends) {
        if (quiet.done && quiet.doneAt < ends[quiet.lane]) {
            violations.add(
                    Promise.K8,
                    "a quiesce of lane " + quiet.lane + " at " + quiet.called + " completed at " + quiet.doneAt
                            + ", and a task accepted before ended at " + ends[quiet.lane]);
        }
    }

    /**
     * Returns true if the task occupies a thread of the pool. Async tasks, tasks of strands with their own threads, and
     * tasks on their submitters' threads do not occupy a thread.
     */
    private boolean holdsWorker(Step step) {
        return step.op() != Op.LANE_ASYNC
                && program.pool().holds(step)
                && !(step.op().where() == Where.VIEW
                        && program.pool().views().get(step.at()).callersRun());
    }
}
