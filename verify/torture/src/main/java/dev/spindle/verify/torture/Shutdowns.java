// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import static java.util.Objects.requireNonNull;

import dev.spindle.Lane;
import dev.spindle.Strand;
import dev.spindle.StrandGroup;
import dev.spindle.verify.torture.Op.Where;
import dev.spindle.verify.torture.Program.How;
import dev.spindle.verify.torture.Program.Stop;
import dev.spindle.verify.torture.tools.Pause;
import dev.spindle.verify.torture.tools.Threads;
import dev.spindle.verify.torture.tools.Timeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Shuts down the parts of a pool, and checks hooks and waiting submitters afterwards. */
final class Shutdowns {
    private static final long BEFORE_NOW_NANOS = 200_000;
    private static final long INSIDE_SECONDS = 1;
    private static final long END_SECONDS = 10;
    private static final Duration QUIET = Duration.ofMillis(1);
    private static final Duration GRACE = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofHours(1);

    private final Program program;
    private final Target target;
    private final Handles handles;
    private final Log log;
    private final Place pool;
    /** For each submitter that may wait at a bound, the task that it is submitting. */
    private final Map<Thread, Integer> submitting = new ConcurrentHashMap<>();

    private final List<CompletableFuture<?>> graceful = new ArrayList<>();
    private final boolean[] ended; // strands that had terminated before the pool was shut down
    private final boolean watchesWaiters;

    Shutdowns(Program program, Target target, Handles handles, Log log) {
        this.program = program;
        this.target = target;
        this.handles = handles;
        this.log = log;
        pool = target.place(Where.POOL, 0);
        ended = new boolean[program.pool().lanes()];
        watchesWaiters = program.pool().blocksLong() && program.pool().threads() != Threads.Kind.SLOW;
    }

    /** Records that a producer is about to submit a task. */
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
        if (stop.where() == Where.POOL) {
            forEachStrand(lane -> ended[lane] = target.strand(lane).isTerminated());
        }
        place.graceful = stop.how() == How.GRACEFUL;
        place.closing = true;
        if (stop.how() == How.CLOSE && executor == target.spindle()) {
            target.spindle().close();
        } else if (stop.how() == How.GRACEFUL) {
            gracefully(target.strand(stop.at()));
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
        place.closed = stop.how() != How.GRACEFUL;
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
                if (!place.graceful) { // otherwise it stays open for a while
                    forEachLane(stop, this::pause);
                    requireEnd(stop, executor);
                }
            }
        }
    }

    /** Checks that an executor that is paused after its shutdown ends nevertheless, before any other shutdown. */
    private void requireEnd(Stop stop, ExecutorService executor) throws InterruptedException {
        if (!executor.awaitTermination(Timeouts.seconds(END_SECONDS), TimeUnit.SECONDS)) {
            log.odd(Promise.D1, "an executor that is paused after its shutdown has not terminated: " + stop);
        }
    }

    private void pause(Lane lane) {
        try {
            lane.pause();
        } catch (IllegalStateException e) {
            return; // this refusal is promised
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

    private interface LaneNumber {
        void act(int lane);
    }

    private void forEachStrand(LaneNumber action) {
        for (int lane = program.pool().keys(); lane < program.pool().lanes(); lane++) {
            action.act(lane);
        }
    }

    private void gracefully(Strand strand) {
        graceful.add(strand.shutdownGracefully(QUIET, NEVER).whenComplete((tasks, failure) -> {
            if (failure == null) {
                handles.returned(Promise.D1, requireNonNull(tasks));
            } else {
                log.odd(Promise.D1, "a graceful shutdown failed: " + failure);
            }
        }));
    }

    /** Shuts down the strands with threads of their own at the end of the pool, in the same way. */
    private void shutOwn(StrandGroup own, How how) throws InterruptedException {
        switch (how) {
            case CLOSE -> own.close();
            case SHUTDOWN, GRACEFUL -> own.shutdown();
            case NOW -> handles.returned(Promise.D1, own.shutdownNow());
            case THEN_NOW -> {
                own.shutdown();
                handles.returned(Promise.D1, own.shutdownNow());
            }
            case INSIDE -> {
                pool.interrupting = true; // in case it reaches the limit
                try {
                    handles.returned(
                            Promise.D1, own.shutdownGracefully(QUIET, GRACE).get());
                } catch (ExecutionException e) {
                    log.odd(Promise.D1, "a graceful shutdown failed: " + e.getCause());
                }
            }
        }
    }

    /** Runs the shutdown in a task of the pool, or in this thread if that task is refused or dropped at a bound. */
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

    /** A task that no producer of the program submits. */
    record Inside(ExecutorService executor, CountDownLatch done) implements Runnable {
        @Override
        public void run() {
            executor.shutdown();
            done.countDown();
        }
    }

    // ---------------------------------------------------------------- when all has ended

    /** Logs failures of hooks and graceful shutdowns. */
    void settle() {
        forEachStrand(lane -> {
            int hooks = target.place(Where.LANE, lane).hooks();
            boolean must = ended[lane] || program.pool().isOwn(lane);
            if (hooks > 1 || (must && hooks == 0)) {
                log.odd(Promise.D1, "the shutdown hook of the strand of lane " + lane + " ran " + hooks + " times");
            }
        });
        if (!graceful.stream().allMatch(CompletableFuture::isDone)) {
            log.odd(Promise.D1, "the pool has terminated, and a graceful shutdown of a strand has not");
        }
    }
}
