// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.Lane;
import dev.spindle.StrandGroup;
import dev.spindle.verify.torture.Op.Where;
import dev.spindle.verify.torture.Program.How;
import dev.spindle.verify.torture.Program.Stop;
import dev.spindle.verify.torture.tools.Pause;
import dev.spindle.verify.torture.tools.Threads;
import dev.spindle.verify.torture.tools.Timeouts;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Shuts down the executors of a program, and checks their termination and the submitters that wait at bounds. */
final class Shutdowns {
    private static final long BEFORE_NOW_NANOS = 200_000;
    private static final long INSIDE_SECONDS = 1;
    private static final long END_SECONDS = 10;
    private static final long GRACE_MILLIS = 20;

    private final Program program;
    private final Target target;
    private final Handles handles;
    private final Log log;
    private final Place pool;
    /** The task that each producer is submitting. */
    private final Map<Thread, Integer> submitting = new ConcurrentHashMap<>();

    private final boolean watchesWaiters;

    Shutdowns(Program program, Target target, Handles handles, Log log) {
        this.program = program;
        this.target = target;
        this.handles = handles;
        this.log = log;
        pool = target.place(Where.POOL, 0);
        watchesWaiters = program.pool().blocksLong() && program.pool().threads() != Threads.Kind.SLOW;
    }

    /** Records that the calling producer is about to submit a task. */
    void submits(int task) {
        if (watchesWaiters) {
            submitting.put(Thread.currentThread(), task);
        }
    }

    void submitted() {
        if (watchesWaiters) {
            submitting.remove(Thread.currentThread());
        }
    }

    void shut(Stop stop) throws InterruptedException {
        ExecutorService executor = target.executor(stop.where(), stop.at());
        Place place = target.place(stop.where(), stop.at());
        boolean quiet = stop.where() == Where.LANE
                && program.isQuiet(stop.at())
                && !stop.how().isNow();
        place.graceful = quiet;
        place.closing = true;
        if (stop.how() == How.CLOSE && executor == target.spindle()) {
            target.spindle().close();
        } else if (stop.how() == How.INSIDE) {
            inside(executor);
        } else if (stop.how() != How.NOW) {
            executor.shutdown();
        }
        if (stop.how() == How.THEN_NOW) {
            Pause.spin(BEFORE_NOW_NANOS);
        }
        if (stop.how().isNow()) {
            now(executor, place, stop);
        }
        StrandGroup own = target.own();
        if (executor == target.spindle() && own != null) {
            shutOwn(own, stop.how());
        }
        place.closed = !quiet;
        after(stop, executor, place);
    }

    private void now(ExecutorService executor, Place place, Stop stop) {
        place.interrupting = true;
        handles.returned(Promise.D1, executor.shutdownNow());
        submitting.forEach((thread, task) -> {
            if (thread.getState() == Thread.State.TIMED_WAITING
                    && task.equals(submitting.get(thread))
                    && isFor(handles.step(task), stop)) {
                log.waited.add(task);
            }
        });
    }

    private static boolean isFor(Step step, Stop stop) {
        return stop.where() == Where.POOL || (step.op().where() == stop.where() && step.at() == stop.at());
    }

    private void after(Stop stop, ExecutorService executor, Place place) throws InterruptedException {
        switch (stop.after()) {
            case NOTHING -> {}
            case NOW -> {
                place.graceful = false;
                now(executor, place, stop);
                place.closed = true;
            }
            case CANCEL_PENDING -> forEachLane(stop, lane -> handles.returned(Promise.K8, lane.cancelPending()));
            case PAUSE -> {
                if (!place.graceful) { // with a quiet period, the executor is still open and may be paused
                    forEachLane(stop, this::pause);
                    requireEnd(stop, executor);
                }
            }
        }
    }

    /** Checks that an executor that is paused after its shutdown terminates. */
    private void requireEnd(Stop stop, ExecutorService executor) throws InterruptedException {
        if (!executor.awaitTermination(Timeouts.seconds(END_SECONDS), TimeUnit.SECONDS)) {
            log.odd(Promise.D1, "an executor that is paused after its shutdown has not terminated: " + stop);
        }
    }

    private void pause(Lane lane) {
        try {
            lane.pause();
        } catch (IllegalStateException e) {
            return; // a lane refuses a pause after its shutdown
        }
        log.odd(Promise.D1, "a lane was paused after its shutdown: " + lane.key());
    }

    private interface LaneAction {
        void act(Lane lane);
    }

    private void forEachLane(Stop stop, LaneAction action) {
        if (stop.where() == Where.LANE) {
            action.act(target.lane(stop.at()));
        } else {
            for (int lane = 0; lane < program.pool().lanes(); lane++) {
                action.act(target.lane(lane));
            }
        }
    }

    /** Shuts down the strands that have their own threads, in the same way as the pool. */
    private void shutOwn(StrandGroup own, How how) throws InterruptedException {
        switch (how) {
            case CLOSE -> own.close();
            case SHUTDOWN, GRACEFUL -> end(own.drain());
            case NOW -> halt(own);
            case THEN_NOW -> {
                var unused = own.drain();
                halt(own);
            }
            case INSIDE -> {
                pool.interrupting = true; // halt(own) interrupts tasks if the drain reaches its time limit
                try {
                    own.drain().get(GRACE_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    halt(own);
                } catch (ExecutionException e) {
                    throw new AssertionError("a shutdown failed", e.getCause());
                }
            }
        }
    }

    private void halt(StrandGroup own) throws InterruptedException {
        handles.returned(Promise.D1, end(own.halt()).items());
    }

    private <T extends @Nullable Object> T end(CompletableFuture<T> end) throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw new AssertionError("a shutdown failed", e.getCause());
        }
    }

    /**
     * Runs the shutdown in a task of the pool, or on this thread if the task is refused or does not run within a
     * second.
     */
    private void inside(ExecutorService executor) throws InterruptedException {
        Inside task = new Inside(executor, new CountDownLatch(1));
        try {
            target.spindle().execute(task);
            if (task.done().await(INSIDE_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (RejectedExecutionException e) {
            executor.shutdown();
            return;
        }
        executor.shutdown();
    }

    /** The task that shuts its own executor down. */
    record Inside(ExecutorService executor, CountDownLatch done) implements Runnable {
        @Override
        public void run() {
            executor.shutdown();
            done.countDown();
        }
    }

    // ---------------------------------------------------------------- when all has ended

    /** Logs the strands whose termination futures have not completed. */
    void settle() throws InterruptedException {
        for (CompletableFuture<?> told : target.terminations()) {
            try {
                told.get(Timeouts.seconds(END_SECONDS), TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                log.odd(Promise.D1, "the pool has terminated, and the termination of a strand was not told: " + e);
            }
        }
    }
}
