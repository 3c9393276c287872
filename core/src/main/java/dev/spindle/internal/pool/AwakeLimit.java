// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/**
 * The rule for how many unblocked workers may be awake: the base, which is the core if one was set, or the processors,
 * whichever are fewer, and one more for each that waits without having said so. From samples of the workers it
 * estimates the share of time that they wait, by exponential smoothing, and has so many awake that about as many as the
 * base compute.
 *
 * <p>By the utilisation law that is {@code base / (1 - share)}. How many compute varies, so a processor would often be
 * idle with exactly those; {@code sqrt(base * share)} more keep it busy (square-root staffing, Halfin and Whitt). The
 * limit grows at most to twice the workers at work, by the least of the sample and the last two estimates, and falls at
 * most by half, by the greatest: one odd sample changes nothing, and both ways take a few samples.
 *
 * <p>Tasks that wait now and then find the workers that they need: for a moment the limit does not fall below the base
 * and the most that have waited at a time while nothing was ready. Else as many wait as may be awake, and the share
 * says how many that should be.
 *
 * <p>Work that is stuck for a reason that samples do not show is the {@link StallDetector}'s to find. What is added for
 * it stays until there is no ready work for a while, or more compute than workers would be added for. What is forced
 * since nothing ends stays only as long as that.
 *
 * <p>Tasks that wait may all come back at once, and take what is ready before the next sample. So a worker whose task
 * took long leaves if more than {@link #mostComputing} compute, and takes one off the limit.
 *
 * <p>All methods but {@link #base} and {@link #limit} are called under the worker set's lock.
 */
final class AwakeLimit {
    /** How many more than compute are awake, in standard deviations of their number. */
    private static final double SPARE = 1.5;

    /** A share of waiting that is taken for none. */
    private static final double NOISE = 0.1;

    private static final double UNKNOWN = -1;

    private final int max;
    private final boolean coreIsDefault;
    private volatile int processors;
    private volatile int base;
    private volatile int limit;
    private int floor; // the base, and what was added for stuck work
    private double share = UNKNOWN; // of the workers' time, in which they wait
    private final RecentMaximum waited = new RecentMaximum();

    /** Starts at the base of a core that was set. */
    AwakeLimit(int core, int max, int processors) {
        this(core, max, processors, false);
    }

    /**
     * Starts at the base.
     *
     * @param coreIsDefault whether no core was set, so that the base is as many as the processors
     */
    AwakeLimit(int core, int max, int processors, boolean coreIsDefault) {
        this.max = max;
        this.processors = processors;
        this.coreIsDefault = coreIsDefault;
        base = baseOf(core);
        floor = base;
        limit = base;
    }

    private int baseOf(int core) {
        return Math.min(coreIsDefault ? max : core, processors);
    }

    /** Returns how many workers may be awake while none waits. */
    int base() {
        return base;
    }

    /** Returns how many unblocked workers may be awake now, from the base to the maximum. */
    int limit() {
        return limit;
    }

    /** Returns how many processors there are. */
    int processors() {
        return processors;
    }

    /** Notes that there are more or fewer processors; the limit falls to a lower base when samples allow it. */
    void processorsAre(int count, int core) {
        processors = count;
        floor -= base;
        base = baseOf(core);
        floor = Math.min(max, floor + base);
        limit = Math.max(limit, base);
    }

    /** Notes that the core has grown. */
    void coreIs(int core) {
        base = baseOf(core);
        floor = Math.max(floor, base);
        limit = Math.max(limit, floor);
    }

    /**
     * Begins with new estimates, after a time in which nobody has looked: of the limit, what is or was lately in use
     * stays.
     *
     * @param waiting how many workers wait now
     */
    void begin(long now, int waiting) {
        share = UNKNOWN;
        waited.add(now, 0);
        rest(waiting);
    }

    /**
     * Notes what a look has seen, whether or not work is ready.
     *
     * @param waiting how many workers wait without work being ready
     * @param computing how many compute, by what the kernel says
     */
    void note(long now, int waiting, int computing) {
        waited.add(now, waiting);
        floor = Math.max(base, Math.min(floor, floor + roomFor(computing)));
    }

    /** Returns whether workers were seen to wait lately. */
    boolean waitedLately() {
        return waited.get() > 0;
    }

    /** Returns how many may be added for stuck work while so many compute, or, if negative, are too many. */
    private int roomFor(int computing) {
        return processors + 1 - computing; // one more helps tasks that spin until another has run
    }

    /**
     * Adjusts the limit to a sample. Returns whether it is settled: it has not changed, and no more of the same would
     * raise it.
     *
     * @param working how many workers have work, those not counted that have announced that they block
     * @param waiting how many of these wait
     * @param ended whether any task has ended since the sample before
     */
    boolean sample(int working, int waiting, boolean ended) {
        if (working == 0) {
            return true;
        }
        double seen = (double) waiting / working;
        double before = share == UNKNOWN ? 0 : share;
        share = share == UNKNOWN ? seen : share + (seen - share) / 2;
        if (waiting == working && !ended) {
            share = 1; // nobody is at work
            before = 1;
        }
        int now = limit;
        int most = ideal(Math.min(seen, Math.min(before, share)));
        if (most > now && working - waiting >= mostComputing()) {
            return false; // one more might compute as well
        }
        if (most > now) {
            limit = Math.min(most, Math.max(now, (int) Math.min(max, 2L * working)));
            return limit == now;
        }
        int least = ideal(Math.max(seen, Math.max(before, share)));
        int kept = Math.max(least, withBase(waited.get()));
        if (ended && kept < now - now / 8) {
            limit = Math.max(kept, (now + 1) / 2);
        }
        return least <= now && limit == now;
    }

    private int ideal(double waiting) {
        if (waiting < Math.min(NOISE, 0.5 / base)) { // on many processors, less than half a worker
            return floor;
        }
        double all = (base + SPARE * Math.sqrt(base * waiting)) / (1 - waiting);
        return (int) Math.max(floor, Math.min(max, all)); // all of them when nobody is at work
    }

    private int withBase(int workers) {
        return (int) Math.min(max, (long) workers + base);
    }

    /**
     * Raises the limit for work that is stuck; returns whether that may help. Those that may be awake and have no work
     * yet will compute as well.
     *
     * @param working how many workers have work
     * @param computing how many of these compute; 0 also where nothing tells
     */
    boolean add(int more, int working, int computing) {
        int soon = computing + Math.max(0, limit - working);
        boolean known = computing > 0 || working == 0;
        int adding = known ? Math.min(more, roomFor(soon)) : more;
        if (adding <= 0) {
            return false;
        }
        limit = (int) Math.min(max, (long) limit + adding);
        floor = (int) Math.min(limit, (long) floor + adding);
        return true;
    }

    /** Raises the limit, whatever the workers do, since no task has ended for long; until tasks end. */
    void force(int more, int unblocked) {
        limit = (int) Math.min(max, (long) Math.max(limit, unblocked) + more);
    }

    /** Returns how many may compute at a time while tasks end. */
    int mostComputing() {
        return processors + 2;
    }

    /** Lowers the limit to less than are unblocked: more of these compute than help. */
    void leave(int unblocked) {
        limit = Math.max(base, Math.min(limit, unblocked - 1));
        floor = Math.min(floor, limit);
    }

    /** Lowers the limit by one: a thread could not be had, or has had nothing to do. */
    void lower() {
        limit = Math.max(base, limit - 1);
        floor = Math.min(floor, limit);
    }

    /** Notes that there has been no ready work for a while: of what was added, what is or was lately in use stays. */
    void rest(int inUse) {
        floor = base;
        limit = Math.max(base, Math.min(limit, withBase(Math.max(inUse, waited.get()))));
    }
}
