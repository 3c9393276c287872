// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/**
 * Detects ready work that is stuck though no worker is seen to wait, from progress alone: work is ready, and for a
 * whole tick of 20 ms no worker has finished anything. A tick is made of several looks, and a look that comes late
 * stands for no more time than one in time: the process may have stood still, and that says nothing of the workers. A
 * single late look says nothing at all. But in a process that gets little of the processor each look is late, and what
 * several in a row have seen counts.
 *
 * <p>Workers that all compute are no reason to add one, unless no task ends for long: they perhaps spin for what is
 * ready. So after each 500 ms in which nothing has ended workers are {@link #forced}, up to the maximum, and the pool
 * ends whatever a fixed one of as many threads ends. Guarded by the worker set's lock.
 */
final class StallDetector {
    /** How long after a look at the workers comes the next. */
    static final long LOOK_NANOS = 5_000_000;

    /** The same while workers have waited lately: if it is more of them now, work that takes microseconds waits too. */
    static final long SOON_LOOK_NANOS = 2_000_000;

    /** The same when ready work has flowed for {@link #FLOWING_LOOKS}. */
    static final long SLOW_LOOK_NANOS = 15_000_000;

    private static final int FLOWING_LOOKS = 8;

    /** How long nothing must be finished: a thread's end of luck is not a block. */
    private static final long TICK_NANOS = 20_000_000;

    /** How long nothing must be finished until workers are added even if all compute, and then more of them. */
    private static final long FORCE_NANOS = 500_000_000;

    /** How many looks without ready work end the watch. */
    private static final int QUIET_LOOKS = 12;

    /** The answer when there has been nothing to watch for a while. */
    static final int QUIET = -1;

    private long lastLook;
    private boolean late;
    private boolean soon;
    private int quiet;
    private int flowing;
    private long still;
    private int add;
    private long dead; // how long no task has ended while work was ready
    private int force; // how many are forced next
    private int forced;

    /** Starts to watch. */
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

    /** Returns when {@link #look} wants to be called next. */
    long nextLook() {
        return lastLook + interval();
    }

    private long interval() {
        return flowing >= FLOWING_LOOKS ? SLOW_LOOK_NANOS : soon ? SOON_LOOK_NANOS : LOOK_NANOS;
    }

    /** Returns whether what is seen now says nothing, since the process may have stood still. */
    boolean isBlind(long now) {
        return !late && isLate(now);
    }

    private boolean isLate(long now) {
        return now - lastLook > interval() + 2 * LOOK_NANOS;
    }

    /**
     * Looks at the pool; returns how many workers to add, or {@link #QUIET}.
     *
     * @param ready whether work is ready
     * @param ended whether any task has ended since the last look
     * @param raised whether more workers may be awake than at the last look
     * @param steady whether the number of workers that may be awake is settled
     * @param waitedLately whether workers were seen to wait lately
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
        add = Math.min(add * 2, 1 << 16);
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
            force = Math.min(force * 2, 1 << 16);
        }
    }

    /** Returns how many workers the last look adds whatever the others do. */
    int forced() {
        return forced;
    }
}
