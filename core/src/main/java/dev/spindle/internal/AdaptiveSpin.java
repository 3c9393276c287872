// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A short spin of a thread that is about to park, if recent spins have paid. The thread is a worker that searches for
 * work, a worker whose pipeline stage has caught up, or a thread outside the pool that waits for a result or for room.
 * A spin pays if the awaited event occurs during the spin, which then saves a wake-up. A wake-up costs about as much as
 * a whole spin. A spin that does not pay only keeps a processor from other threads.
 */
public final class AdaptiveSpin {
    /*
     * The rule: threads spin while at least one of three spins pays. After a spin that does not pay, isWorthwhile
     * returns false a number of times. This number about doubles with each spin that does not pay. A spin that pays
     * undoes two doublings. On one processor no thread spins, since no other thread can run during the spin.
     *
     * field     writers            readers   mode
     * passing   spinning threads   all       plain, racy: set by a spin that does not pay to n, for a number of
     *                                        2^n - 2 occasions without a spin
     * left      all                all       plain, racy: the occasions that remain without a spin
     * spinning  awaiting threads   the same  atomic
     *
     * Tests: AdaptiveSpinTest. Decision: ADR 0005.
     */
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    /**
     * The time of a spin of a worker: about the cost of a wake-up. A wake-up costs the caller 8 µs, and the woken
     * thread runs after 24 to 34 µs, measured on two processors. A task
     * handed over every 10 µs took 1.06 µs; with half the value 25 µs, with twice as long as with this value.
     */
    private static final long WORKER_NANOS = 20_000;

    /**
     * The time between two checks of a stage. Measured: half and twice the value change a chain of three stages by no
     * more than a control.
     */
    private static final long STAGE_PAUSE_NANOS = 5_000;

    /**
     * The time of a spin of a waiter: about the time in which a sleeping thread wakes and runs a small task.
     * Measured on two processors: for a task of 40 µs, half the value changes nothing, and twice the value, which is
     * longer than the task, saves the park: 41 µs in place of 117.
     */
    private static final long WAITER_NANOS = 50_000;

    /** The maximum of {@code passing}: 65,534 occasions without a spin. Not measured. */
    private static final int MAX_PASSING = 16;

    /** The maximum number of readings of the clock in a spin, for a clock that stands still. Not measured. */
    private static final int MAX_ROUNDS = 1_000;

    /** The number of checks between two readings of the clock. Not measured. */
    private static final int LOOKS = 16;

    /**
     * The number of yields of a thread that waits for room. Measured, processor time of a message of 32 senders,
     * medians of eight passes without and with the yields: to an actor 500 and 190 ns, to a channel 8,200 and 230, to
     * an executor of one task at a time 740 and 400, to a pipeline 430 and 210. With 5, 10 and 40 yields, the
     * difference was below the spread.
     */
    private static final int YIELDS = 20;

    private final LongSupplier clock;
    private final int most;
    private final long nanos;
    private final long pauseNanos;
    private final boolean yields;
    private final AtomicInteger spinning = new AtomicInteger();
    private int passing;
    private int left;

    private AdaptiveSpin(LongSupplier clock, int most, long nanos, long pauseNanos, boolean yields) {
        this.clock = clock;
        this.most = most;
        this.nanos = nanos;
        this.pauseNanos = pauseNanos;
        this.yields = yields;
    }

    /**
     * Returns the spin of workers that search for work, one at a time.
     *
     * @param yields true if a searching worker yields its processor between checks
     */
    public static AdaptiveSpin ofWorkers(LongSupplier clock, boolean yields) {
        return ofWorkers(PROCESSORS, clock, yields);
    }

    static AdaptiveSpin ofWorkers(int processors, LongSupplier clock, boolean yields) {
        return new AdaptiveSpin(clock, unlimited(processors), WORKER_NANOS, 0, yields);
    }

    /**
     * Returns the spin of threads outside a pool that wait for a result or for room. At most half as many threads as
     * there are processors spin at a time.
     */
    public static AdaptiveSpin ofWaiters(LongSupplier clock) {
        return ofWaiters(PROCESSORS, clock);
    }

    static AdaptiveSpin ofWaiters(int processors, LongSupplier clock) {
        return new AdaptiveSpin(clock, processors / 2, WAITER_NANOS, 0, true);
    }

    /**
     * Returns the spin of a worker whose pipeline stage has caught up. The worker checks for events only every 5 µs,
     * since each check takes the cache line of the sequence from the publisher.
     */
    public static AdaptiveSpin ofStage(LongSupplier clock) {
        return ofStage(PROCESSORS, clock);
    }

    static AdaptiveSpin ofStage(int processors, LongSupplier clock) {
        return new AdaptiveSpin(clock, unlimited(processors), WORKER_NANOS, STAGE_PAUSE_NANOS, false);
    }

    private static int unlimited(int processors) {
        return processors == 1 ? 0 : Integer.MAX_VALUE;
    }

    /** Returns whether the calling thread should spin now. Each call counts as an occasion for a spin. */
    public boolean isWorthwhile() {
        if (most == 0) {
            return false;
        }
        int now = left;
        if (now > 0) {
            left = now - 1;
            return false;
        }
        return true;
    }

    /**
     * Spins until {@code there} returns true or the time for a spin has passed. Does not spin if a spin is not
     * {@linkplain #isWorthwhile likely to pay}, or if too many threads spin.
     *
     * @param atMost the maximum wait in nanoseconds; the thread does not spin if the wait is shorter than a spin
     */
    public void await(BooleanSupplier there, long atMost) {
        if (atMost < nanos || there.getAsBoolean() || !isWorthwhile()) {
            return;
        }
        if (spinning.incrementAndGet() <= most) {
            spin(there);
        }
        spinning.decrementAndGet();
    }

    /**
     * Yields the processor until {@code there} returns true, at most 20 times. Called by a thread that has joined a
     * queue of waiters, before the thread parks: many waiters are admitted together, and soon. An interrupted thread
     * does not yield, since it gives up its wait.
     *
     * @param atMost the maximum wait in nanoseconds, or {@link Long#MAX_VALUE} for no limit
     * @return the nanoseconds that the caller may still wait
     */
    public static long yieldUntil(BooleanSupplier there, long atMost, LongSupplier clock) {
        long begin = clock.getAsLong();
        long passed = 0;
        Thread self = Thread.currentThread();
        for (int left = YIELDS; left > 0 && passed < atMost && !there.getAsBoolean() && !self.isInterrupted(); left--) {
            Thread.yield();
            passed = clock.getAsLong() - begin;
        }
        return atMost == Long.MAX_VALUE ? atMost : atMost - passed;
    }

    /**
     * Spins until {@code there} returns true or the time for a spin has passed. Records and returns the last value of
     * {@code there}.
     */
    public boolean spin(BooleanSupplier there) {
        return spin(there, null);
    }

    /**
     * Does what {@link #spin(BooleanSupplier)} does. If {@code needed} returns true, returns false at once and records
     * nothing.
     */
    public boolean spin(BooleanSupplier there, @Nullable BooleanSupplier needed) {
        long now = clock.getAsLong();
        long end = now + nanos;
        for (int round = 0; round < MAX_ROUNDS && end - now > 0; round++) {
            if (needed != null && needed.getAsBoolean()) {
                return false;
            }
            if (pauseNanos == 0 ? look(there) : lookAfterPause(there, now)) {
                note(true);
                return true;
            }
            now = clock.getAsLong();
        }
        boolean found = there.getAsBoolean();
        note(found);
        return found;
    }

    private boolean look(BooleanSupplier there) {
        for (int i = 0; i < LOOKS; i++) {
            if (there.getAsBoolean()) {
                return true;
            }
            Thread.onSpinWait();
        }
        if (yields) {
            Thread.yield(); // the thread that makes the condition true may need this processor
        }
        return false;
    }

    private boolean lookAfterPause(BooleanSupplier there, long now) {
        for (int i = 0; i < MAX_ROUNDS && clock.getAsLong() - now < pauseNanos; i++) {
            Thread.onSpinWait();
        }
        return there.getAsBoolean();
    }

    /** Records the outcome of a spin. */
    void note(boolean found) {
        if (found) {
            passing = Math.max(0, passing - 2);
        } else {
            passing = Math.min(MAX_PASSING, passing + 1);
            left = (1 << passing) - 2;
        }
    }
}
