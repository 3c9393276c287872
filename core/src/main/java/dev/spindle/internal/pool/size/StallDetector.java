// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.size;

/**
 * Detects stuck work by a lack of progress, even if no worker is seen to wait: for 20 ms, work was ready, no step
 * has ended, and no sample has raised the limit. The workers are sampled by looks, every 2 to 15
 * ms. A single late look is ignored, since perhaps the process did not run. If the process gets little processor time,
 * every look is late; so from the second late look in a row, the time since the previous look is taken as
 * {@link #LOOK_NANOS}.
 *
 * <p>For stuck work, {@link AwakeLimit#add} adds no workers while enough workers compute. But tasks that compute may
 * spin until a ready task has run. So after each 500 ms in which work was ready and no step has ended, further workers
 * are {@link #forced}, up to the maximum of the pool. The pool therefore completes all tasks that a fixed pool with
 * that number of threads completes. Used by {@link AwakeLimit} alone.
 */
final class StallDetector {
    /**
     * The time between two looks at the workers (T3). Measured: half and twice the value change tasks of which some
     * sleep by no more than a control.
     */
    static final long LOOK_NANOS = 5_000_000;

    /**
     * The time between two looks if workers have waited recently. In this case, ready tasks may soon need further
     * workers. With 5, 2 and 0.5 ms, 1,230, 303 and 184 of 80,000 events were late, for 1.19, 1.29 and 1.46 s of
     * processor time (ADR 0016, measured on two processors).
     */
    static final long SOON_LOOK_NANOS = 2_000_000;

    /**
     * The time between two looks if each of the last {@link #FLOWING_LOOKS} looks has found progress, a settled limit,
     * and ready work or no recent wait of a worker. Not measured.
     */
    static final long SLOW_LOOK_NANOS = 15_000_000;

    /**
     * The time between two looks if auxiliaries have virtual threads and the last look has raised the limit. Measured
     * on two processors with 20,000 keys whose tasks block for 100 ms: with 0.5 ms and a sixteenfold rise, all tasks
     * took 989 ms in place of 755.
     */
    static final long GROWING_LOOK_NANOS = 1_000_000;

    /** The number of consecutive looks after which looks are rarer. Not measured. */
    private static final int FLOWING_LOOKS = 8;

    /**
     * The time without progress after which ready work is stuck (T3). This time is longer than most preemptions of a
     * worker. Not measured.
     */
    private static final long TICK_NANOS = 20_000_000;

    /**
     * The time with ready work and without the end of a step after which workers are added even if all workers compute
     * (T7). Each further addition is twice as large. Not measured.
     */
    private static final long FORCE_NANOS = 500_000_000;

    /** The number of consecutive looks without ready work after which the watch ends. Not measured. */
    private static final int QUIET_LOOKS = 12;

    /** The maximum number of workers that are added at once, so that the doubling does not overflow. */
    private static final int MOST_ADDED = 1 << 16;

    /** The result of {@link #look} after {@link #QUIET_LOOKS} looks without ready work. */
    static final int QUIET = -1;

    private long lastLook;
    private boolean late;
    private boolean soon;
    private boolean virtual; // whether auxiliaries have virtual threads
    private boolean growing;
    private int quiet;
    private int flowing;
    private long still;
    private int add;
    private long dead; // the time in which no step has ended while work was ready
    private int force; // the number of workers to be forced next
    private int forced;

    /** Starts the watch. */
    void begin(long now, boolean waitedLately) {
        lastLook = now;
        late = false;
        soon = waitedLately;
        growing = false;
        quiet = 0;
        flowing = 0;
        flows();
        lives();
    }

    /** Records that auxiliaries have virtual threads. */
    void auxiliariesAreVirtual() {
        virtual = true;
    }

    private void flows() {
        still = 0;
        add = 1;
    }

    private void lives() {
        dead = 0;
        force = 1;
        forced = 0;
    }

    /** Returns the time of the next {@link #look}. */
    long nextLook() {
        return lastLook + interval();
    }

    private long interval() {
        if (growing) {
            return GROWING_LOOK_NANOS;
        }
        return flowing >= FLOWING_LOOKS ? SLOW_LOOK_NANOS : soon ? SOON_LOOK_NANOS : LOOK_NANOS;
    }

    /**
     * Returns whether a look at this time is the first late look in a row. Such a look is ignored, since the process
     * may not have run.
     */
    boolean isBlind(long now) {
        return !late && isLate(now);
    }

    private boolean isLate(long now) {
        return now - lastLook > interval() + 2 * LOOK_NANOS;
    }

    /**
     * Records a look at the pool. Returns the number of workers to add, or {@link #QUIET}.
     *
     * @param ready true if work is ready
     * @param ended true if a step has ended since the last look
     * @param raised true if the sample of this look has raised the limit of awake workers
     * @param steady true if the limit is settled ({@link AwakeLimit#sample})
     * @param waitedLately true if workers have waited recently ({@link AwakeLimit#waitedLately})
     */
    int look(long now, boolean ready, boolean ended, boolean raised, boolean steady, boolean waitedLately) {
        boolean progress = ended || raised;
        long passed = !isLate(now) ? now - lastLook : late ? LOOK_NANOS : 0;
        late = isLate(now);
        soon = waitedLately;
        growing = raised && virtual;
        flowing = progress && steady && (ready || !soon) ? flowing + 1 : 0;
        lastLook = now;
        force(ready && !ended, passed);
        if (!ready) {
            flows();
            return ++quiet >= QUIET_LOOKS ? QUIET : 0;
        }
        quiet = 0;
        if (progress) {
            flows();
            return 0;
        }
        still += passed;
        if (passed == 0 || still < TICK_NANOS) {
            return 0;
        }
        int adding = add;
        add = Math.min(add * 2, MOST_ADDED); // T3
        return adding;
    }

    private void force(boolean nothingEnds, long passed) {
        if (!nothingEnds) {
            lives();
            return;
        }
        dead += passed;
        forced = 0;
        if (dead >= FORCE_NANOS) {
            dead = 0;
            forced = force;
            force = Math.min(force * 2, MOST_ADDED); // T7
        }
    }

    /** Returns the number of workers that the last look adds regardless of the states of the other workers. */
    int forced() {
        return forced;
    }
}
