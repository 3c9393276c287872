// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.benchmarks.compare.StalledException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Counts the tasks of a pass that have run, and in the first pass the runs of each task. */
final class Tally {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final long SHORTEST_NAP = 20_000;
    private static final long LONGEST_NAP = 1_000_000;

    private final int expected;
    private final LongAdder done = new LongAdder();
    private final LongAdder outOfOrder = new LongAdder();
    private final @Nullable AtomicIntegerArray runs;

    private Tally(int expected, @Nullable AtomicIntegerArray runs) {
        this.expected = expected;
        this.runs = runs;
    }

    /** Creates a tally that counts each task separately. */
    static Tally checked(int tasks) {
        return new Tally(tasks, new AtomicIntegerArray(tasks));
    }

    /** Creates a tally that counts all tasks together. */
    static Tally counted(int tasks) {
        return new Tally(tasks, null);
    }

    int expected() {
        return expected;
    }

    /**
     * Returns a function from an index to its task. A checked tally has an object per task; otherwise all indexes share
     * one object.
     */
    IntFunction<Runnable> tasks(Runnable body) {
        if (runs != null) {
            return index -> () -> {
                body.run();
                ran(index);
            };
        }
        Runnable shared = () -> {
            body.run();
            done.increment();
        };
        return index -> shared;
    }

    /** Counts a task; called by the task at the end of its work. */
    void ran(int index) {
        if (runs != null) {
            runs.getAndIncrement(index);
        }
        done.increment();
    }

    /** Counts a task that ran before a task that it should follow. */
    void ranOutOfOrder() {
        outOfOrder.increment();
    }

    int done() {
        return done.intValue();
    }

    /**
     * Returns the number of tasks that were lost, duplicated or out of order; exact after the executor has terminated.
     */
    long miscounted() {
        if (runs == null) {
            return outOfOrder.sum() + Math.abs(done.sum() - expected);
        }
        long wrong = outOfOrder.sum();
        for (int index = 0; index < expected; index++) {
            wrong += Math.abs(runs.get(index) - 1L);
        }
        return wrong;
    }

    void await(double microsPerTask) {
        awaitDone(expected, microsPerTask);
    }

    /**
     * Waits until {@code wanted} tasks have run; between checks, the thread sleeps for a part of the estimated
     * remaining time.
     *
     * @throws StalledException if no task ends for 30 seconds
     */
    void awaitDone(int wanted, double microsPerTask) {
        int last = done();
        long deadline = System.nanoTime() + LIMIT.toNanos();
        for (int now = last; now < wanted; now = done()) {
            if (now != last) {
                last = now;
                deadline = System.nanoTime() + LIMIT.toNanos();
            } else if (System.nanoTime() > deadline) {
                throw stalled();
            }
            double nanos = (wanted - now) * microsPerTask * 1_000 / PROCESSORS / 2;
            LockSupport.parkNanos((long) Math.min(LONGEST_NAP, Math.max(SHORTEST_NAP, nanos)));
        }
    }

    StalledException stalled() {
        return new StalledException(expected - done() + " of " + expected + " tasks had not run, and none ended for "
                + LIMIT.toSeconds() + " s");
    }
}
