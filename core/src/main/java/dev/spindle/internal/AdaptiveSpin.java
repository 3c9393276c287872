// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Spins for a moment in a thread that is about to park or to go idle, if spins have paid lately. It serves a worker
 * that searches for work, a worker whose pipeline stage has caught up, and a thread outside the pool that waits for a
 * result or for room. A spin during which the awaited event occurs saves a wake-up, which costs about as much as the
 * whole spin. Any other spin is wasted: it keeps a processor from other threads, and drives threads that work together
 * apart, since a thread that is woken while another spins is put on another, idle processor, which takes long to wake.
 */
public final class AdaptiveSpin {
    /*
     * The rule: threads spin while at least one of three spins pays. After a spin that does not pay, threads skip a
     * number of occasions. That number doubles after each such spin, and a spin that pays undoes two doublings. On one
     * processor no thread spins, since no other thread can make progress during the spin.
     *
     * field     writers            readers   mode
     * passing   spinning threads   all       plain, racy: after the next wasted spin, 2^passing - 2 occasions pass
     *                                        without a spin
     * left      all                all       plain, racy: a lost update is a spin more or less
     * spinning  awaiting threads   the same  atomic
     *
     * Tests: AdaptiveSpinTest. Decision: ADR 0005.
     */
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final long WORKER_NANOS = 20_000; // about what a wake-up costs
    private static final long STAGE_NANOS = 20_000;
    private static final long STAGE_PAUSE_NANOS = 5_000;
    /** About the time in which a sleeping thread wakes and runs a small task. */
    private static final long WAITER_NANOS = 50_000;

    private static final int MAX_PASSING = 16;
    private static final int MAX_ROUNDS = 1_000; // ends a spin if the clock stands still
    private static final int LOOKS = 16;

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
     * @param yields true if a searching worker yields its processor between looks
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
     * Returns the spin of a worker whose pipeline stage has caught up; without it, the next event costs a trip through
     * the pool. The worker checks rarely, since each check takes the cache line from the publisher; events that arrive
     * between two checks form one batch.
     */
    public static AdaptiveSpin ofStage(LongSupplier clock) {
        return ofStage(PROCESSORS, clock);
    }

    static AdaptiveSpin ofStage(int processors, LongSupplier clock) {
        return new AdaptiveSpin(clock, unlimited(processors), STAGE_NANOS, STAGE_PAUSE_NANOS, false);
    }

    private static int unlimited(int processors) {
        return processors == 1 ? 0 : Integer.MAX_VALUE;
    }

    /** Returns whether the calling thread should spin now; each call is an occasion. */
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
     * Spins until {@code there} returns true, if a spin is {@linkplain #isWorthwhile likely to pay} and not too many
     * threads spin.
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
     * Spins until {@code there} returns true or the time for a spin has passed. Records and returns the last value of
     * {@code there}.
     */
    public boolean spin(BooleanSupplier there) {
        return spin(there, null);
    }

    /** As {@link #spin(BooleanSupplier)}, but ends early, and records nothing, once {@code needed} returns true. */
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
