// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.SequentialTask;
import dev.spindle.Spindle;
import dev.spindle.verify.torture.tools.Pause;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** A task, which records its run, performs the action of its step, and takes the inner steps. */
class Job implements Runnable {
    private static final int PERIODIC_RUNS = 3;

    private final Run run;
    private final Layout.Act act;
    private final int start;
    private final int round;
    private final Place place;

    private Job(Run run, Layout.Act act, int start, int round, Place place) {
        this.run = run;
        this.act = act;
        this.start = start;
        this.round = round;
        this.place = place;
    }

    /**
     * Creates the task of a step.
     *
     * @param start the number of the first task of the round
     * @param tagged true if the task has a {@code key()}
     */
    static Job of(Run run, Layout.Act act, int start, int round, Place place, boolean tagged) {
        return tagged ? new Tagged(run, act, start, round, place) : new Job(run, act, start, round, place);
    }

    boolean isIn(Place asked) {
        return place == asked;
    }

    Step step() {
        return act.step();
    }

    int number() {
        return start + act.offset();
    }

    @Override
    public void run() {
        begin();
        try {
            work();
        } finally {
            end();
        }
        if (step().does() == Step.Does.THROW || (step().op().isPeriodic() && isLastRun())) {
            throw new Failure(number());
        }
        if (step().does() == Step.Does.FAIL) {
            throw new Fault(number());
        }
    }

    private boolean isLastRun() {
        return run.log().runs[number()] >= runsOf(step());
    }

    /** Returns the maximum number of runs of a task; the last run of a periodic task throws. */
    static int runsOf(Step step) {
        return step.op().isPeriodic() && !step.does().isThrowing() ? PERIODIC_RUNS : 1;
    }

    Integer call() {
        run();
        return number();
    }

    /** Runs an async task, and returns a future that completes when the task ends. */
    CompletionStage<Integer> stage() {
        begin();
        work();
        Stage stage = new Stage();
        if (step().nanos() == 0) {
            complete(stage);
        } else {
            run.later(() -> complete(stage), step().nanos());
        }
        return stage;
    }

    /** The future of an async task, which completes once, by the task or by a cancellation of {@code shutdownNow}. */
    private final class Stage extends CompletableFuture<Integer> {
        private final AtomicBoolean ended = new AtomicBoolean();

        boolean end() {
            boolean first = ended.compareAndSet(false, true);
            if (first) {
                Job.this.end();
            }
            return first;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return end() && super.cancel(mayInterruptIfRunning);
        }
    }

    private void complete(Stage stage) {
        if (!stage.end()) {
            return;
        }
        if (step().does().isThrowing()) {
            stage.completeExceptionally(new Failure(number()));
        } else {
            stage.complete(number());
        }
    }

    private void begin() {
        Log log = run.log();
        int task = number();
        if (step().op().isPeriodic()) {
            log.beginsAgain(task);
        } else {
            log.begins(task);
        }
        if (Thread.currentThread().isInterrupted() && !isInterruptMeant()) {
            log.see(task, Log.INTERRUPTED);
        }
        if (run.isTerminated()) {
            log.see(task, Log.LATE);
        }
        log.see(task, place.enter(this, log, task));
    }

    private boolean isInterruptMeant() {
        return step().then() == Step.Then.INTERRUPT || place.interrupting || run.isInterrupting();
    }

    /** Returns true if the task is async and a {@code shutdownNow} may have ended its turn before the task ends. */
    private boolean mayBeCancelled() {
        return step().op() == Op.LANE_ASYNC && (place.interrupting || run.isInterrupting());
    }

    private void work() {
        Step step = step();
        switch (step.does()) {
            case SPIN -> Pause.spin(step.nanos());
            case PARK -> Pause.park(step.nanos());
            case BLOCK ->
                Spindle.callBlocking(() -> {
                    Pause.park(step.nanos());
                    return null;
                });
            case NOTHING, THROW, FAIL -> {}
        }
        run.take(act.inner(), start, round, this);
    }

    private void end() {
        Log log = run.log();
        int odd = place.leave(this) | (run.isTerminated() ? Log.LATE : 0);
        if (!mayBeCancelled()) {
            log.see(number(), odd);
        }
        log.ends(number());
    }

    /** Returns true if {@code failure} was thrown by the task with this number. */
    static boolean isOwn(Throwable failure, int task) {
        return (failure instanceof Failure || failure instanceof Fault)
                && String.valueOf(task).equals(failure.getMessage());
    }

    @Override
    public String toString() {
        return "task " + number() + " (" + step().op() + ")";
    }

    /** A task with a {@code key()}. */
    private static final class Tagged extends Job implements SequentialTask {
        Tagged(Run run, Layout.Act act, int start, int round, Place place) {
            super(run, act, start, round, place);
        }

        @Override
        public Object key() {
            return step().at();
        }
    }

    /**
     * A deliberate failure of a task. The failure has no stack trace, because collecting one costs more than the task.
     */
    private static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failure(int task) {
            super(String.valueOf(task), null, false, false);
        }
    }

    private static final class Fault extends Error {
        private static final long serialVersionUID = 1;

        Fault(int task) {
            super(String.valueOf(task), null, false, false);
        }
    }
}
