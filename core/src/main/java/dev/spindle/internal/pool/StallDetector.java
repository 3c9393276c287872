// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/**
 * Detects ready work that is stuck behind blocked workers. First, from their progress alone: work is ready, and
 * for a whole tick no worker has finished anything. Second, from the age of the work: some entries have been ready for
 * 20 ms, and some workers wait and finish nothing, though others do; then those are replaced. A tick is 10 ms while all
 * workers are seen to wait, else 20 ms. It is made of several looks, and a look that comes late stands for no more time
 * than one in time: the process may have stood still, and that says nothing of the workers. A single late look says
 * nothing at all. But in a process that gets little of the processor each look is late, and what several in a row have
 * seen counts. For the thread that watches the clock; not thread-safe.
 */
final class StallDetector {
    /** How long after a look at the workers comes the next. */
    static final long LOOK_NANOS = 5_000_000;

    /** The same when work has flowed for {@link #FLOWING_LOOKS}. */
    static final long SLOW_LOOK_NANOS = 15_000_000;

    private static final int FLOWING_LOOKS = 8;

    /** How long nothing must be finished while every worker waits for something. */
    private static final long TICK_WAITING = 10_000_000;

    /**
     * The same while some run, or block in native code, which looks the same: a thread's end of luck is not a block.
     */
    private static final long TICK_RUNNING = 20_000_000;

    /** How many looks without ready work end the watch. */
    private static final int QUIET_LOOKS = 12;

    /** The answer when there has been nothing to watch for a while. */
    static final int QUIET = -1;

    /** How long entries must have been ready, while tasks end, before workers that wait are replaced. */
    private static final long MOST_AGE = 20_000_000;

    /**
     * A sample of the pool's progress.
     *
     * @param done how many tasks have ended so far
     * @param ready whether work is ready
     * @param waiting whether all awake workers are seen to wait
     * @param begin where the oldest entry of the injection queue is, counted from the first there ever was
     * @param end where the next one will be
     * @param missing by how many workers that wait, and have ended no task since the last look, the limit is too low
     */
    record Sample(long done, boolean ready, boolean waiting, long begin, long end, int missing) {}

    private long lastLook;
    private long lastDone;
    private long mark; // the entries before it are watched: they have been ready for `age`
    private long age;
    private boolean late;
    private int quiet;
    private int flowing;
    private long still;
    private int add;
    private boolean episode;

    /** Starts to watch. */
    void begin(long now, long done, long end) {
        lastLook = now;
        lastDone = done;
        mark = end;
        age = 0;
        late = false;
        quiet = 0;
        flowing = 0;
        flows();
    }

    private void flows() {
        still = 0;
        add = 1;
        episode = false;
    }

    /** Returns when {@link #look} wants to be called next. */
    long nextLook() {
        return lastLook + interval();
    }

    private long interval() {
        return flowing >= FLOWING_LOOKS ? SLOW_LOOK_NANOS : LOOK_NANOS;
    }

    /** Looks at the workers; returns how many to add, or {@link #QUIET}. */
    int look(long now, Sample sight) {
        long passed = counted(now - lastLook);
        boolean progress = sight.done() != lastDone;
        flowing = progress ? flowing + 1 : 0;
        lastLook = now;
        lastDone = sight.done();
        age += passed;
        if (!sight.ready() || sight.begin() - mark >= 0) {
            mark = sight.end();
            age = 0;
        }
        if (!sight.ready()) {
            flows();
            return ++quiet >= QUIET_LOOKS ? QUIET : 0;
        }
        quiet = 0;
        if (progress) {
            flows();
            return age >= MOST_AGE ? Math.max(0, sight.missing()) : 0;
        }
        still += passed;
        if (passed == 0 || still < (sight.waiting() ? TICK_WAITING : TICK_RUNNING)) {
            return 0;
        }
        int adding = add;
        add = Math.min(add * 2, 1 << 16);
        return adding;
    }

    /** Returns for how much of the time since the last look this one stands. */
    private long counted(long passed) {
        boolean before = late;
        late = passed > interval() + 2 * LOOK_NANOS;
        return !late ? passed : before ? LOOK_NANOS : 0;
    }

    /** Returns whether the workers added now begin a new episode of growth. */
    boolean beginsEpisode() {
        boolean begins = !episode;
        episode = true;
        return begins;
    }
}
