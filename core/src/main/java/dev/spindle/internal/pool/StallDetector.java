// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/**
 * Detects ready work that is stuck although no worker is seen to wait, from progress alone: work is ready, and for a
 * whole tick of 20 ms no worker has ended a step. A tick consists of several looks. A single late look is ignored,
 * since perhaps the process only did not run. If the process gets little processor time, each look is late; so several
 * late looks in a row count, each with the time of a punctual look.
 *
 * <p>If all workers compute, no worker is added unless no task ends for a long time: the tasks may spin until a ready
 * task has run. So after each 500 ms in which no task has ended, workers are {@link #forced}, up to the maximum. So the
 * pool completes all tasks that a fixed pool with the maximum number of threads completes. Guarded by the worker set's
 * lock.
 */
final class StallDetector {
    /** The time between two looks at the workers. */
    static final long LOOK_NANOS = 5_000_000;

    /** The time between two looks if workers have waited lately: if more of them wait now, short tasks wait, too. */
    static final long SOON_LOOK_NANOS = 2_000_000;

    /** The time between two looks if ready work has made progress for {@link #FLOWING_LOOKS}. */
    static final long SLOW_LOOK_NANOS = 15_000_000;

    private static final int FLOWING_LOOKS = 8;

    /** The time without progress after which work counts as stuck; a preempted worker is not blocked. */
    private static final long TICK_NANOS = 20_000_000;

    /**
     * The time without progress after which workers are added even if all workers compute; each later addition is
     * larger.
     */
    private static final long FORCE_NANOS = 500_000_000;

    /** The number of looks without ready work that end the watch. */
    private static final int QUIET_LOOKS = 12;

    /** The result of a look after a while without ready work. */
    static final int QUIET = -1;

    private long lastLook;
    private boolean late;
    private boolean soon;
    private int quiet;
    private int flowing;
    private long still;
    private int add;
    private long dead; // the time in which no task has ended while work was ready
    private int force; // the number of workers forced next
    private int forced;

    /** Starts the watch. */
    void begin(long now, boolean waitedLately) {
        lastLook = now;
        late = false;
        soon = waitedLately;
        quiet = 0;
        flowing = 0;
        flows();
        lives();
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
        return flowing >= FLOWING_LOOKS ? SLOW_LOOK_NANOS : soon ? SOON_LOOK_NANOS : LOOK_NANOS;
    }

    /** Returns whether a look now is to be ignored, since the process may not have run. */
    boolean isBlind(long now) {
        return !late && isLate(now);
    }

    private boolean isLate(long now) {
        return now - lastLook > interval() + 2 * LOOK_NANOS;
    }

    /**
     * Records a look at the pool; returns the number of workers to add, or {@link #QUIET}.
     *
     * @param ready true if work is ready
     * @param ended true if a task has ended since the last look
     * @param raised true if the limit of awake workers has risen since the last look
     * @param steady true if the limit is settled
     * @param waitedLately true if workers were recently seen to wait
     */
    int look(long now, boolean ready, boolean ended, boolean raised, boolean steady, boolean waitedLately) {
        boolean progress = ended || raised;
        long passed = !isLate(now) ? now - lastLook : late ? LOOK_NANOS : 0;
        late = isLate(now);
        soon = waitedLately;
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
        add = Math.min(add * 2, 1 << 16); // T3
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
            force = Math.min(force * 2, 1 << 16); // T7
        }
    }

    /** Returns the number of workers that the last look adds without regard to the states of the other workers. */
    int forced() {
        return forced;
    }
}
