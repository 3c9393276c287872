// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/**
 * The limit of unblocked workers that may be awake. It is the base, plus one for each worker that waits without an
 * announcement. The base is the core if one was set, or the number of processors, whichever is less. The share of time
 * that workers wait is estimated from samples, by exponential smoothing. The limit is such that about as many workers
 * as the base compute.
 *
 * <p>By the utilisation law such a limit is {@code base / (1 - share)}. The number of computing workers varies, so with
 * exactly this limit a processor would often be idle; {@code sqrt(base * share)} further workers keep the processors
 * busy (square-root staffing, Halfin and Whitt). A single odd sample changes nothing: the limit rises only as far as
 * the lowest of the sample and the last two estimates, and at most to twice the number of workers at work. It falls
 * only as far as the greatest of them, and at most by half.
 *
 * <p>When waiting tasks continue, they need workers at once. So for a while the limit does not fall below the base plus
 * the maximum number of workers that have waited at a time while no work was ready. While work is ready, as many wait
 * as may be awake, and the share determines the limit.
 *
 * <p>Work that is stuck for a reason that samples do not show is detected by the {@link StallDetector}. Workers added
 * for stuck work stay until no work has been ready for a while, or until too many workers compute. Workers that are
 * forced because no task ends stay only until tasks end.
 *
 * <p>Tasks that wait may all continue at once, and take the ready work before the next sample. So a worker whose task
 * took long leaves, and lowers the limit by one, if more than {@link #mostComputing} workers compute.
 *
 * <p>All methods except {@link #base} and {@link #limit} are called under the worker set's lock.
 */
final class AwakeLimit {
    /** The number of spare awake workers, in standard deviations of the number that compute. */
    private static final double SPARE = 1.5;

    /** A share of waiting below this value counts as 0. */
    private static final double NOISE = 0.1;

    private static final double UNKNOWN = -1;

    private final int max;
    private final boolean coreIsDefault;
    private volatile int processors;
    private volatile int base;
    private volatile int limit;
    private int floor; // the base, and the workers added for stuck work
    private double share = UNKNOWN; // the share of the workers' time in which they wait
    private final RecentMaximum waited = new RecentMaximum();

    /** Starts at the base of a core that was set. */
    AwakeLimit(int core, int max, int processors) {
        this(core, max, processors, false);
    }

    /**
     * Starts at the base.
     *
     * @param coreIsDefault true if no core was set, so that the base is the number of processors
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

    /** Returns the limit while no worker waits. */
    int base() {
        return base;
    }

    /** Returns the maximum number of unblocked workers that may be awake now, at least the base. */
    int limit() {
        return limit;
    }

    /** Returns the number of processors. */
    int processors() {
        return processors;
    }

    /** Sets the number of processors; the limit falls to a lower base when samples allow it. */
    void processorsAre(int count, int core) {
        processors = count;
        floor -= base;
        base = baseOf(core);
        floor = Math.min(max, floor + base);
        limit = Math.max(limit, base);
    }

    /** Sets the core, which has grown. */
    void coreIs(int core) {
        base = baseOf(core);
        floor = Math.max(floor, base);
        limit = Math.max(limit, floor);
    }

    /**
     * Starts new estimates after a time without looks, and lowers the limit to the base and the workers in use now or
     * lately.
     *
     * @param waiting the number of workers that wait now
     */
    void begin(long now, int waiting) {
        share = UNKNOWN;
        waited.add(now, 0);
        rest(waiting); // WorkerSet-5
    }

    /**
     * Records a look, whether or not work is ready.
     *
     * @param waiting the number of workers that wait, or 0 if work is ready
     * @param computing the number of workers that compute, as the kernel reports
     */
    void note(long now, int waiting, int computing) {
        waited.add(now, waiting);
        floor = Math.max(base, Math.min(floor, floor + roomFor(computing)));
    }

    /** Returns true if workers were recently seen to wait. */
    boolean waitedLately() {
        return waited.get() > 0;
    }

    /** Returns the number of workers that may be added for stuck work; negative if too many workers compute. */
    private int roomFor(int computing) {
        return processors + 1 - computing; // one more, for tasks that spin until another task has run
    }

    /**
     * Adjusts the limit to a sample. Returns whether it is settled: it has not changed, and equal samples would not
     * raise it.
     *
     * @param working the number of workers at work, without those that have announced that they block
     * @param waiting the number of the workers at work that wait
     * @param ended true if a task has ended since the previous sample
     */
    boolean sample(int working, int waiting, boolean ended) {
        if (working == 0) {
            return true;
        }
        double seen = (double) waiting / working;
        double before = share == UNKNOWN ? 0 : share;
        share = share == UNKNOWN ? seen : share + (seen - share) / 2;
        if (waiting == working && !ended) {
            share = 1; // no worker makes progress
            before = 1;
        }
        int now = limit;
        int most = ideal(Math.min(seen, Math.min(before, share)));
        if (most > now && working - waiting >= mostComputing()) {
            return false; // another worker might compute as well
        }
        if (most > now) {
            limit = Math.min(most, Math.max(now, (int) Math.min(max, 2L * working)));
            return limit == now;
        }
        int least = ideal(Math.max(seen, Math.max(before, share)));
        int kept = Math.max(least, withBase(waited.get()));
        if (ended && kept < now - now / 8) { // T3
            limit = Math.max(kept, (now + 1) / 2);
        }
        return least <= now && limit == now;
    }

    private int ideal(double waiting) {
        if (waiting < Math.min(NOISE, 0.5 / base)) { // on many processors, 0.5 / base is less than half a worker
            return floor;
        }
        double all = (base + SPARE * Math.sqrt(base * waiting)) / (1 - waiting);
        return (int) Math.max(floor, Math.min(max, all)); // `all` is infinite if all workers wait
    }

    private int withBase(int workers) {
        return (int) Math.min(max, (long) workers + base);
    }

    /**
     * Raises the limit for stuck work; returns whether it was raised. Workers that the limit allows and that have no
     * work yet are assumed to compute soon.
     *
     * @param working the number of workers at work
     * @param computing the number of the workers at work that compute; also 0 if the kernel reports no states
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

    /** Raises the limit without regard to the states of the workers, since no task has ended for a long time. */
    void force(int more, int unblocked) {
        limit = (int) Math.min(max, (long) Math.max(limit, unblocked) + more);
    }

    /** Returns the maximum number of workers that may compute at a time while tasks end. */
    int mostComputing() {
        return processors + 2;
    }

    /** Lowers the limit below the number of unblocked workers, since more of them compute than is useful. */
    void leave(int unblocked) {
        limit = Math.max(base, Math.min(limit, unblocked - 1));
        floor = Math.min(floor, limit);
    }

    /** Lowers the limit by one, since a thread could not be started or had no work. */
    void lower() {
        limit = Math.max(base, limit - 1);
        floor = Math.min(floor, limit);
    }

    /** Lowers the limit, after a time without ready work, to the base and the workers in recent use. */
    void rest(int inUse) {
        floor = base;
        limit = Math.max(base, Math.min(limit, withBase(Math.max(inUse, waited.get()))));
    }
}
