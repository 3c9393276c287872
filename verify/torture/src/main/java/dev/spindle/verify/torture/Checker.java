// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.verify.torture.Layout.Act;
import dev.spindle.verify.torture.Layout.Part;
import dev.spindle.verify.torture.Log.Outcome;
import dev.spindle.verify.torture.Op.Where;
import dev.spindle.verify.torture.Program.Policy;
import dev.spindle.verify.torture.Program.Pool;
import dev.spindle.verify.torture.Program.View;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the broken promises in the log of a program. The checker uses no executor, so that a test can pass the log of a
 * faulty executor. The time of a check is proportional to the number of tasks.
 */
final class Checker {
    private final Program program;
    private final Pool pool;
    private final Layout layout;
    private final Log log;
    private final Violations violations = new Violations();

    private Checker(Program program, Log log) {
        this.program = program;
        this.pool = program.pool();
        this.layout = new Layout(program);
        this.log = log;
    }

    static Violations check(Program program, Log log) {
        return new Checker(program, log).check();
    }

    private Violations check() {
        log.odds.forEach(odd -> violations.add(odd.promise(), odd.what()));
        if (log.unfinished) {
            countLost();
            return violations;
        }
        if (log.peakThreads > pool.max()) {
            violations.add(
                    Promise.T1, "there were " + log.peakThreads + " threads, at most " + pool.max() + " are allowed");
        }
        for (Part part : layout.parts()) {
            for (int round = 0; round < part.rounds(); round++) {
                for (Act act : part.tasks()) {
                    fate(act, part.start(round) + act.offset());
                }
            }
        }
        checkReturns();
        for (int task : log.waited) {
            Step step = layout.act(task).step();
            if (log.answer[task] == Log.ACCEPTED && isBounded(step)) { // only a bounded submission waits
                broken(Promise.D1, step, task, "was accepted after a shutdownNow had returned");
            }
        }
        for (Log.Quiet quiet : log.quiets) {
            if (!quiet.done) {
                violations.add(Promise.K8, "a quiesce of lane " + quiet.lane + " has not completed");
            }
        }
        new Slots(program, layout, log, violations).check();
        Turns turns = new Turns(program, layout, log, violations);
        turns.check();
        if (log.isExact()) {
            new Timeline(program, layout, log, turns, violations).check();
        }
        return violations;
    }

    /** Reports the accepted tasks that have not run, for a program that did not end. */
    private void countLost() {
        int waiting = 0;
        for (int task = 0; task < layout.tasks(); task++) {
            waiting += log.answer[task] == Log.ACCEPTED && log.runs[task] == 0 ? 1 : 0;
        }
        violations.add(
                Promise.D1, waiting + " tasks were accepted and have not run, the superseded and cancelled included");
    }

    // ---------------------------------------------------------------- the end of each task

    private void fate(Act act, int task) {
        int ends = log.runs[task] + log.returned[task] + log.dropped[task];
        switch (log.answer[task]) {
            case Log.ACCEPTED -> {
                if (act.step().op().isPeriodic()) {
                    periodic(act.step(), task);
                } else {
                    accepted(act.step(), task);
                }
                if (log.told[task] != 0) {
                    told(act.step(), task);
                }
            }
            case Log.REFUSED -> refused(act.step(), task, ends);
            default -> {
                if (ends > 0) {
                    broken(Promise.F3, act.step(), task, "was not submitted, and yet " + ends(task));
                }
            }
        }
        if (log.seen[task] != 0) {
            seen(act.step(), task);
        }
    }

    private void refused(Step step, int task, int ends) {
        if (ends > 0) {
            broken(Promise.F3, step, task, "was refused, and yet " + ends(task));
        }
        if (log.wasTold(task, Log.REFUSED_OPEN)
                && !isBounded(step)
                && !pool.threads().isFailing()) {
            broken(Promise.F4, step, task, "was refused by an open executor without a bound");
        }
    }

    private void accepted(Step step, int task) {
        Outcome outcome = log.outcome[task];
        boolean cancelled = log.wasTold(task, Log.CANCELLED);
        boolean superseded = outcome == Outcome.SUPERSEDED;
        int runs = log.runs[task];
        int returned = log.returned[task];
        // If the task has a future, dropping the task cancels the future.
        boolean quietly = step.op().hasFuture()
                && outcome == Outcome.CANCELLED
                && !cancelled
                && runs + returned + log.dropped[task] == 0;
        int drops = log.dropped[task] + (quietly ? 1 : 0);
        int ends = runs + returned + drops + (superseded ? 1 : 0);
        boolean coalescing = step.op().isCoalescing();
        if (runs > 0 && superseded) {
            broken(Promise.L1, step, task, "was superseded, and yet " + ends(task));
            return; // the following checks would fail as well
        }
        if (ends != 1 && !(cancelled && ends == 0)) {
            broken(coalescing ? Promise.L2 : Promise.F3, step, task, "was accepted, and " + ends(task));
        }
        if (drops > 0 && !mayDrop(step)) {
            broken(Promise.F4, step, task, "was dropped, where no bound drops");
        }
        outcome(step, task, outcome, cancelled);
        if (step.then() == Step.Then.CALL_BACK && log.calledBack[task] != 1) {
            broken(Promise.F1, step, task, "called back " + log.calledBack[task] + " times, not once");
        }
        int due = !step.op().hasFuture() && step.does().isThrowing() && runs == 1 ? 1 : 0;
        boolean interrupted = coalescing && cancelled && log.handled[task] == 0;
        if (log.handled[task] != due && !interrupted) {
            broken(
                    Promise.F1,
                    step,
                    task,
                    "threw " + due + " times for the failure handler, which was told " + log.handled[task] + " times");
        }
    }

    /** Checks a periodic task, which runs until its last run throws or until it is cancelled. */
    private void periodic(Step step, int task) {
        int most = Job.runsOf(step);
        int runs = log.runs[task];
        if (runs > most) {
            broken(Promise.A2, step, task, "ran " + runs + " times, and threw the time " + most);
        }
        Outcome right = runs >= most ? Outcome.FAILED : Outcome.CANCELLED;
        if (log.outcome[task] != right && !log.wasTold(task, Log.CANCELLED)) {
            broken(
                    Promise.A2,
                    step,
                    task,
                    "ran " + runs + " of " + most + " times, and has a future that says " + log.outcome[task] + ", not "
                            + right);
        }
    }

    private void outcome(Step step, int task, @Nullable Outcome outcome, boolean cancelled) {
        Op op = step.op();
        if ((!op.hasFuture() && !op.isCoalescing()) || cancelled) {
            return;
        }
        Promise promise = op.isDelayed() ? Promise.A2 : op == Op.LANE_ASYNC ? Promise.A1 : Promise.F1;
        Outcome right;
        if (log.runs[task] > 0) {
            right = step.does().isThrowing() ? Outcome.FAILED : Outcome.DONE;
        } else {
            right = outcome == Outcome.SUPERSEDED ? Outcome.SUPERSEDED : Outcome.CANCELLED;
        }
        if (outcome != right && !(outcome == Outcome.CANCELLED && mayBeCancelled(step))) {
            broken(promise, step, task, "has a future or a submission that says " + outcome + ", not " + right);
        }
    }

    private void seen(Step step, int task) {
        if (log.saw(task, Log.INTERRUPTED) && !isCallersRun(step)) {
            broken(Promise.F2, step, task, "began with an interrupt that was not meant for it");
        }
        if (log.saw(task, Log.STALE)) {
            broken(Promise.K4, step, task, "began without seeing what its submitter had written");
        }
        if (log.saw(task, Log.OVERLAP)) {
            broken(Promise.K2, step, task, "was under way with another of its lane");
        }
        if (log.saw(task, Log.OVERLAP_ASYNC)) {
            broken(Promise.A1, step, task, "was under way with an async one of its lane, or it was one");
        }
        if (log.saw(task, Log.OVER_LIMIT)) {
            broken(Promise.LIMIT, step, task, "was one more than the limit of its executor");
        }
        if (log.saw(task, Log.AFTER_END)) {
            broken(Promise.D1, step, task, "ran after the termination of its strand");
        }
        if (log.saw(task, Log.LATE)) {
            broken(Promise.D1, step, task, "was under way when the pool said that it had terminated");
        }
    }

    private void told(Step step, int task) {
        if (log.wasTold(task, Log.ACCEPTED_CLOSED)) {
            broken(Promise.D1, step, task, "was accepted after a shutdown had returned");
        }
        if (log.wasTold(task, Log.STALE_RESULT)) {
            broken(Promise.K4, step, task, "had completed its future, and what it wrote was not seen");
        }
        if (log.wasTold(task, Log.WAITED_FOR_OWN)) {
            broken(Promise.K6, step, task, "was waited for in a turn of its own lane");
        }
        if (log.wasTold(task, Log.REFUSED_WAIT)) {
            broken(Promise.K6, step, task, "could not be waited for by a task that holds no lane");
        }
    }

    private String ends(int task) {
        return "ran " + log.runs[task] + ", was returned " + log.returned[task] + " and dropped " + log.dropped[task]
                + " times"
                + (log.outcome[task] == null ? "" : ", and is said to be " + log.outcome[task]);
    }

    private void broken(Promise promise, Step step, int task, String what) {
        violations.add(promise, name(step, task) + " " + what);
    }

    static String name(Step step, int task) {
        String where = step.op().where() == Where.POOL ? "" : " at " + step.at();
        return "task " + task + " (" + step.op() + where + ")";
    }

    // ---------------------------------------------------------------- what a program allows

    /**
     * Returns true if a shutdown may have cancelled the task. A {@code shutdownNow}, and a graceful shutdown at its
     * time limit, cancel async tasks whose stages are not complete.
     */
    private boolean mayBeCancelled(Step step) {
        return step.op() == Op.LANE_ASYNC && program.stops().stream().anyMatch(stop -> mayCancel(stop, step));
    }

    private boolean mayCancel(Program.Stop stop, Step step) {
        boolean own = step.at() >= pool.lanes() - pool.own();
        boolean now = stop.how().isNow()
                || stop.after() == Program.After.NOW
                || (stop.how() == Program.How.INSIDE && own); // these strands have a graceful shutdown
        return now && (stop.where() == Where.POOL || stop.at() == step.at());
    }

    /** Returns true if a bound applies to the task. No bound applies to coalescing and delayed tasks. */
    private boolean isBounded(Step step) {
        if (step.op().isCoalescing() || step.op().isDelayed()) {
            return false;
        }
        return switch (step.op().where()) {
            case POOL -> pool.capacity() > 0;
            case LANE -> pool.isBounded(step.at());
            case VIEW -> pool.capacity() > 0 || view(step).capacity() > 0;
        };
    }

    private boolean mayDrop(Step step) {
        boolean byPool = pool.onFull() == Policy.DROP_OLDEST;
        return switch (step.op().where()) {
            case POOL -> byPool && pool.capacity() > 0;
            case LANE -> byPool && pool.isBounded(step.at());
            case VIEW ->
                (byPool && pool.capacity() > 0)
                        || (view(step).capacity() > 0 && view(step).onFull() == Policy.DROP_OLDEST);
        };
    }

    private boolean isCallersRun(Step step) {
        return step.op().where() == Where.VIEW && view(step).callersRun();
    }

    private View view(Step step) {
        return pool.views().get(step.at());
    }

    // ---------------------------------------------------------------- lists

    /** Checks that in each list of returned tasks, the tasks of the same lane and producer are in order. */
    private void checkReturns() {
        for (Log.Returned list : log.returns) {
            Map<Long, Integer> latest = new HashMap<>();
            for (int task : list.tasks()) {
                if (task < 0) {
                    violations.add(Promise.F3, "something was returned that no thread submitted");
                    continue;
                }
                Act act = layout.act(task);
                Op op = act.step().op();
                if (act.depth() == 0 && op.where() == Where.LANE && !op.isCoalescing() && !op.isDelayed()) {
                    long order = ((long) layout.part(task) << 32) | act.step().at();
                    Integer before = latest.put(order, task);
                    if (before != null && before > task) {
                        broken(list.promise(), act.step(), task, "was returned after task " + before);
                    }
                }
            }
        }
    }
}
