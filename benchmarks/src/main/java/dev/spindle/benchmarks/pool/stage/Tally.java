// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import dev.spindle.benchmarks.forks.StalledException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The tasks of one pass: how many have run, and in a checked pass how often each. */
public final class Tally {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
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

    /** Counts each task for itself. */
    public static Tally checked(int tasks) {
        return new Tally(tasks, new AtomicIntegerArray(tasks));
    }

    /** Counts all tasks together. */
    public static Tally counted(int tasks) {
        return new Tally(tasks, null);
    }

    /** The task of each index: an object for each in a checked pass, else one for all, so that nothing is allocated. */
    public IntFunction<Runnable> tasks(Runnable body) {
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

    /** To be called by each task when it has done its work. */
    public void ran(int index) {
        if (runs != null) {
            runs.getAndIncrement(index);
        }
        done.increment();
    }

    /** To be called by a task that ran before one that it had to follow. */
    public void ranOutOfOrder() {
        outOfOrder.increment();
    }

    public int done() {
        return done.intValue();
    }

    /** Tasks that never ran, ran too often, or out of order. Exact when the executor has ended. */
    public long miscounted() {
        if (runs == null) {
            return outOfOrder.sum() + Math.abs(done.sum() - expected);
        }
        long wrong = outOfOrder.sum();
        for (int index = 0; index < expected; index++) {
            wrong += Math.abs(runs.get(index) - 1L);
        }
        return wrong;
    }

    /**
     * Waits for all tasks, asleep for a part of the time that the rest must take.
     *
     * @throws StalledException if none ends for half a minute
     */
    public void await(double microsPerTask) {
        awaitDone(expected, microsPerTask);
    }

    /**
     * Waits until so many tasks have run.
     *
     * @throws StalledException if none ends for half a minute
     */
    public void awaitDone(int wanted, double microsPerTask) {
        int last = done();
        long patience = System.nanoTime() + PATIENCE.toNanos();
        for (int now = last; now < wanted; now = done()) {
            if (now != last) {
                last = now;
                patience = System.nanoTime() + PATIENCE.toNanos();
            } else if (System.nanoTime() > patience) {
                throw stalled();
            }
            double nanos = (wanted - now) * microsPerTask * 1_000 / PROCESSORS / 2;
            LockSupport.parkNanos((long) Math.min(LONGEST_NAP, Math.max(SHORTEST_NAP, nanos)));
        }
    }

    public StalledException stalled() {
        return new StalledException(expected - done() + " of " + expected + " tasks had not run, and none ended for "
                + PATIENCE.toSeconds() + " s");
    }
}
