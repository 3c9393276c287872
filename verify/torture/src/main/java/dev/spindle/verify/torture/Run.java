// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.Lane;
import dev.spindle.Strand;
import dev.spindle.StrandGroup;
import dev.spindle.verify.torture.Layout.Act;
import dev.spindle.verify.torture.Layout.Part;
import dev.spindle.verify.torture.Op.Where;
import dev.spindle.verify.torture.Program.Stop;
import dev.spindle.verify.torture.tools.Pause;
import dev.spindle.verify.torture.tools.PoolState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs a program on a pool, from its creation to the end of its last thread, and writes the log. */
final class Run {
    private static final long LOOK_NANOS = 200_000;
    private static final long CALLBACK_NANOS = 200_000;

    private final Program program;
    private final Layout layout;
    private final Log log;
    private final Target target;
    private final Place pool;
    private final Handles handles;
    private final Shutdowns shutdowns;
    private final ScheduledExecutorService stages =
            Executors.newSingleThreadScheduledExecutor(body -> Target.daemon(body, "torture-stages"));
    private volatile int progress; // the number of rounds that the first producer has begun
    private volatile boolean terminated;

    Run(Program program, UnaryOperator<Lane> facade) {
        this.program = program;
        layout = new Layout(program);
        log = new Log(layout.tasks(), program.pool().exact());
        target = new Target(program, facade, this::handled);
        pool = target.place(Where.POOL, 0);
        handles = new Handles(layout, log);
        shutdowns = new Shutdowns(program, target, handles, log);
    }

    /** Runs a program once; the last thread must end within {@code limit}. */
    static Log of(Program program, Duration limit) throws InterruptedException {
        return of(program, lane -> lane, limit);
    }

    /** Runs a program once, with each lane wrapped by {@code facade}. */
    static Log of(Program program, UnaryOperator<Lane> facade, Duration limit) throws InterruptedException {
        Run run = new Run(program, facade);
        try {
            return run.run(System.nanoTime() + limit.toNanos(), limit);
        } finally {
            run.stages.shutdownNow();
        }
    }

    /** Shuts the pool down if the program is not run. */
    void close() {
        stages.shutdownNow();
        target.spindle().shutdownNow();
    }

    private Log run(long deadline, Duration limit) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Part part : layout.parts()) {
            threads.add(start(() -> produce(part), "torture-producer-" + threads.size()));
        }
        List<Thread> producers = List.copyOf(threads);
        threads.add(start(() -> stop(producers), "torture-stop"));
        StrandGroup own = target.own();
        if (!target.spindle().awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            unfinished("the pool has not terminated in " + limit);
            target.spindle().shutdownNow();
            return log;
        }
        if (own != null && !ends(own, deadline)) {
            unfinished("strands with threads of their own have not terminated in " + limit);
            var unused = own.halt();
            return log;
        }
        terminated = true;
        threads.addAll(target.threads());
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            if (thread.isAlive()) {
                unfinished("the pool has terminated, and thread " + thread.getName() + " has not");
                return log;
            }
        }
        stages.shutdown();
        if (!stages.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            unfinished("the thread that completes stages is held up by a callback");
            return log;
        }
        shutdowns.settle();
        log.peakThreads = target.spindle().stats().peakThreads();
        handles.settle();
        return log;
    }

    private static boolean ends(StrandGroup own, long deadline) throws InterruptedException {
        for (Strand strand : own.strands()) {
            if (!strand.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return true;
    }

    private void unfinished(String what) {
        log.odd(Promise.D1, what + ": " + PoolState.of(target.spindle()));
        log.unfinished = true;
    }

    private Thread start(Body body, String name) {
        Thread thread = Target.daemon(() -> guarded(body), name);
        thread.start();
        return thread;
    }

    private interface Body {
        void run() throws InterruptedException;
    }

    private void guarded(Body body) {
        try {
            body.run();
        } catch (Throwable t) {
            StackTraceElement[] frames = t.getStackTrace();
            log.odd(
                    Promise.OTHER,
                    Thread.currentThread().getName() + " got " + t + (frames.length == 0 ? "" : " at " + frames[0]));
        }
    }

    // ---------------------------------------------------------------- methods for tasks

    Log log() {
        return log;
    }

    boolean isTerminated() {
        return terminated;
    }

    boolean isInterrupting() {
        return pool.interrupting;
    }

    /** Runs {@code action} on another thread after {@code nanos} nanoseconds. */
    void later(Runnable action, long nanos) {
        Future<?> unused = stages.schedule(action, nanos, TimeUnit.NANOSECONDS);
    }

    private void handled(Object task, Throwable failure) {
        if (task instanceof Job job) {
            if (failure instanceof RejectedExecutionException) {
                log.dropped[job.number()]++;
            } else if (Job.isOwn(failure, job.number())) {
                log.handled[job.number()]++;
            } else {
                log.odd(Promise.F1, job + " failed, not on purpose: " + failure);
            }
        } else if (!(task instanceof Shutdowns.Inside || task instanceof Extra)) {
            log.odd(Promise.F1, "the failure handler was told of " + task + ", which no thread submitted: " + failure);
        }
    }

    // ---------------------------------------------------------------- steps

    private void produce(Part part) {
        boolean first = part == layout.parts().get(0);
        for (int round = 0; round < part.rounds(); round++) {
            boolean last = pool.closed; // the tasks of the last round are refused
            if (first) {
                progress = round;
            }
            take(part.acts(), part.start(round), round, null);
            if (last) {
                return;
            }
        }
    }

    /**
     * Takes the steps of one round.
     *
     * @param start the number of the first task of the round
     * @param inside the task that takes the steps, or null if a producer does
     */
    void take(List<Act> acts, int start, int round, @Nullable Job inside) {
        for (int i = 0; i < acts.size(); i++) {
            Act act = acts.get(i);
            Step step = act.step();
            if (round % step.every() == 0) {
                switch (step.op()) {
                    case GAP -> Pause.gap(step.nanos());
                    case PAUSE -> pause(act, start, round, inside);
                    case CANCEL_PENDING ->
                        handles.returned(Promise.K8, target.lane(step.at()).cancelPending());
                    case QUIESCE -> quiesce(step.at());
                    default -> submit(act, start, round, inside);
                }
            }
        }
    }

    private void submit(Act act, int start, int round, @Nullable Job inside) {
        Step step = act.step();
        Place place = target.place(step.op().where(), step.at());
        boolean tagged = step.op() == Op.LANE_TAGGED && target.isKey(step.at());
        Job job = Job.of(this, act, start, round, place, tagged);
        int task = job.number();
        boolean closed = place.closed || pool.closed;
        log.calls(task);
        if (inside == null) {
            shutdowns.submits(task);
        }
        Object handle;
        try {
            handle = target.hand(job);
        } catch (RejectedExecutionException e) {
            // During a graceful shutdown, a strand still accepts tasks from its own tasks.
            boolean within = place.graceful && inside != null && inside.isIn(place);
            log.refused(task, (within || !place.closing) && !pool.closing);
            return;
        } finally {
            if (inside == null) {
                shutdowns.submitted();
            }
        }
        log.accepted(task, closed);
        if (handle != null) {
            handles.add(task, handle);
            then(step, task, handle, inside);
        }
    }

    private void then(Step step, int task, Object handle, @Nullable Job inside) {
        switch (step.then()) {
            case NOTHING -> {}
            case AWAIT -> handles.await(task, (Future<?>) handle, inside == null ? null : inside.step());
            case CANCEL, INTERRUPT -> {
                boolean interrupt = step.then() == Step.Then.INTERRUPT;
                boolean cancelled = ((Future<?>) handle).cancel(interrupt);
                if (cancelled) {
                    log.tell(task, Log.CANCELLED);
                }
            }
            case CALL_BACK -> {
                Future<?> unused = ((CompletableFuture<?>) handle)
                        .whenComplete((value, failure) -> calledBack(step, task, failure));
            }
        }
    }

    /** Blocks in a callback, and then submits a task. */
    private void calledBack(Step step, int task, @Nullable Throwable failure) {
        log.calledBack[task]++;
        if (log.runs[task] > 0 && !(failure instanceof CancellationException) && !log.endIsSeen(task)) {
            log.odd(Promise.K4, "the callback of task " + task + " did not see what the task wrote");
        }
        Pause.park(CALLBACK_NANOS);
        try {
            target.later(step, new Extra());
        } catch (RejectedExecutionException e) {
            // The task was refused after a shutdown, or because no thread could be created.
        }
    }

    /** A task that a callback submits. */
    static final class Extra implements Runnable {
        @Override
        public void run() {}
    }

    private void pause(Act act, int start, int round, @Nullable Job inside) {
        int at = act.step().at();
        Lane lane = target.lane(at);
        boolean paused = false;
        try {
            lane.pause();
            paused = true;
        } catch (IllegalStateException e) {
            requireClosing(at, e);
        }
        int from = log.tick();
        take(act.inner(), start, round, inside);
        if (!paused) {
            return;
        }
        int to = log.tick();
        if (log.isExact() && !isClosing(at)) { // a shutdown ends the pause
            log.windows.add(new Log.Window(at, from, to));
        }
        try {
            lane.resume();
        } catch (IllegalStateException e) {
            requireClosing(at, e);
        }
    }

    private void requireClosing(int lane, IllegalStateException refusal) {
        if (!isClosing(lane)) {
            log.odd(Promise.K8, "lane " + lane + ", which was open, refused a pause or resume: " + refusal);
        }
    }

    private boolean isClosing(int lane) {
        return pool.closing || target.place(Where.LANE, lane).closing;
    }

    private void quiesce(int lane) {
        Log.Quiet quiet = new Log.Quiet(lane, log.tick());
        log.quiets.add(quiet);
        Future<?> unused = target.lane(lane).quiesce().thenRun(() -> {
            quiet.doneAt = log.tick();
            quiet.done = true;
        });
    }

    // ---------------------------------------------------------------- shutdowns

    private void stop(List<Thread> producers) throws InterruptedException {
        int rounds = layout.parts().get(0).rounds();
        for (Stop stop : program.stops()) {
            if (stop.percent() < 100) {
                while (progress * 100L < (long) stop.percent() * rounds
                        && producers.get(0).isAlive()) {
                    LockSupport.parkNanos(LOOK_NANOS);
                }
            } else {
                for (Thread producer : producers) {
                    producer.join();
                }
            }
            shutdowns.shut(stop);
        }
    }
}
