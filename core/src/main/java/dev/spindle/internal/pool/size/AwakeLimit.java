// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.size;

/**
 * The maximum number of unblocked workers that may be awake. The limit is at least the base. If the user has set a
 * core, the base is the number of processors, but at most the core. If not, the base is the number of processors, but
 * at most the maximum of the pool. The limit rises above the base when workers wait without having announced that they
 * block. The share of the workers that wait is estimated from samples, by exponential smoothing. The limit is chosen so
 * that the number of computing workers is about the base.
 *
 * <p>By the utilisation law, {@code base} workers compute on average if {@code base / (1 - share)} workers are awake.
 * The number of computing workers varies, so a multiple of {@code sqrt(base * share)} is added to the base to keep the
 * processors busy (square-root staffing, Halfin and Whitt). A single unusual sample does not change the limit. The
 * limit rises only to the value for the lowest share among the sample and the last two estimates. The limit rises at
 * most to twice the number of workers at work, or to four times this number if auxiliaries have virtual threads. The
 * limit falls only to the value for the highest of these shares, and at most by half.
 *
 * <p>The limit does not fall below the base plus the number of workers that waited at once in a recent sample without
 * ready work ({@link RecentMaximum}). Samples with ready work have no part in this minimum, since the number of waiting
 * workers then depends on the limit itself.
 *
 * <p>{@link StallDetector} detects ready work that makes no progress although no worker is seen to wait. An increase
 * for such work ({@link #add}) lasts until no work has been ready for a while, or until too many workers compute. An
 * increase by {@link #force} lasts only until tasks end.
 *
 * <p>All waiting tasks may continue at once; then too many workers compute. So a worker whose entry took long counts
 * the computing workers. If more than {@link #mostComputing} workers compute, the worker lowers the limit ({@link
 * #leave}) and leaves service, without waiting for the next sample.
 *
 * <p>While there are more workers than a lowered maximum ({@link #setExcess}), no worker may be awake, so each worker
 * leaves service after its entry.
 *
 * <p>Any thread may call {@link #base}, {@link #limit}, {@link #allowed}, {@link #processors}, {@link #mostComputing}
 * and {@link #nextLook}. The other methods are called by one thread at a time: under the worker set's lock.
 */
public final class AwakeLimit {
    /**
     * A sample of the workers of a pool. A worker is at work if it is awake, runs an entry, and has not announced that
     * it blocks.
     *
     * @param now the time at which the sample was begun
     * @param ready true if work was ready
     * @param awake the number of unblocked awake workers
     * @param coming the number of workers whose threads are being made or may not run yet
     * @param working the number of workers at work
     * @param waiting the number of the workers at work that wait
     * @param computing the number of the workers at work that compute, or 0 if the kernel reports no states
     * @param ended true if a step has ended since the previous sample
     */
    public record Sample(
            long now, boolean ready, int awake, int coming, int working, int waiting, int computing, boolean ended) {}

    /** The outcome of a sample. */
    public enum Outcome {
        /** Further samples are needed. */
        OPEN,
        /** As OPEN, and the limit has risen for stuck work. */
        STUCK,
        /** No work has been ready for some samples, so the series of samples ends. */
        QUIET
    }

    /**
     * The number of spare awake workers, in standard deviations of the number that compute. Without spare workers, a
     * mix of tasks of 10 µs with sleeps ran 99,000 tasks a second in place of 165,000 (ADR 0015). Other values were not
     * measured.
     */
    private static final double SPARE = 1.5;

    /** The upper bound of the shares of waiting workers that are taken as 0. Not measured. */
    private static final double NOISE = 0.1;

    private static final double UNKNOWN = -1;

    /** The value of {@link #allowed} that no number of unblocked workers reaches, not even one read with a delay. */
    private static final int NONE = Integer.MIN_VALUE / 2;

    private int max;
    private boolean coreIsDefault;
    private volatile int processors;
    private volatile int base;
    private volatile int limit;
    private volatile boolean solo;
    private volatile boolean excess;
    private volatile boolean lowered; // solo or excess; so `allowed` reads one field in the usual case
    private boolean virtual; // whether auxiliaries have virtual threads, so that one too many costs little
    private int floor; // the base plus the number of workers added for stuck work
    private double share = UNKNOWN; // the estimated share of the workers at work that wait
    private final RecentMaximum waited = new RecentMaximum();
    private final StallDetector stall = new StallDetector();

    /** Creates a limit for a core that was set. */
    AwakeLimit(int core, int max, int processors) {
        this(core, max, processors, false);
    }

    /**
     * Creates a limit that starts at its base.
     *
     * @param coreIsDefault true if no core was set, so that the base does not depend on {@code core}
     */
    public AwakeLimit(int core, int max, int processors, boolean coreIsDefault) {
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

    /** Returns the base, which is the limit while no worker waits. */
    public int base() {
        return base;
    }

    /** Returns the maximum number of unblocked workers that may be awake, outside solo mode; at least the base. */
    public int limit() {
        return limit;
    }

    /**
     * Returns the maximum number of unblocked workers that may be awake now: the limit, or a lower number in solo mode
     * or while there are too many workers.
     */
    public int allowed() {
        int now = limit;
        if (!lowered) {
            return now;
        }
        return excess ? NONE : now - base + 1; // WorkerSet-11
    }

    /** Returns whether the limit is above the base. */
    public boolean isRaised() {
        return limit > base;
    }

    /** Returns whether one worker may be awake in place of the base (WorkerSet-11). */
    public boolean isSolo() {
        return solo;
    }

    /** Starts or ends solo mode. */
    public void setSolo(boolean on) {
        solo = on;
        lowered = on || excess;
    }

    /** Returns whether there are more workers than the maximum (WorkerSet-14). */
    public boolean hasExcess() {
        return excess;
    }

    /** Sets whether there are more workers than the maximum. */
    public void setExcess(boolean on) {
        if (excess != on) {
            excess = on;
            lowered = on || solo;
        }
    }

    /** Records that auxiliaries have virtual threads. */
    public void auxiliariesAreVirtual() {
        virtual = true;
        stall.auxiliariesAreVirtual();
    }

    /** Returns the number of processors. */
    public int processors() {
        return processors;
    }

    /** Sets the number of processors. If the base falls, this method does not lower the limit. */
    public void processorsAre(int count, int core) {
        processors = count;
        floor -= base;
        base = baseOf(core);
        floor = Math.min(max, floor + base);
        limit = Math.max(limit, base);
    }

    /** Sets the core, which has grown. */
    public void coreIs(int core) {
        base = baseOf(core);
        floor = Math.max(floor, base);
        limit = Math.max(limit, floor);
    }

    /**
     * Sets the core and the maximum, which a user has changed. If the base falls, the limit falls with it.
     *
     * @param coreIsUnset true if no core was set, so that the base does not depend on {@code core}
     */
    public void threadsAre(int core, boolean coreIsUnset, int most) {
        coreIsDefault = coreIsUnset;
        max = most;
        int before = base;
        base = baseOf(core);
        int fall = Math.max(0, before - base);
        floor = Math.min(max, Math.max(base, floor - fall));
        limit = Math.min(max, Math.max(floor, limit - fall));
    }

    /**
     * Starts a series of samples: discards the estimate, and lowers the limit to the base plus the greater of
     * {@code waiting} and the number of workers that have waited recently.
     *
     * @param waiting the number of workers that wait now
     */
    public void begin(long now, int waiting) {
        share = UNKNOWN;
        waited.add(now, 0);
        rest(waiting); // WorkerSet-5
        stall.begin(now, waitedLately());
    }

    /**
     * Returns the time at which the next sample is due. Racy outside the lock.
     */
    public long nextLook() {
        return stall.nextLook();
    }

    /**
     * Sets the limit to the value for a sample and the samples before it. The numbers of workers in the first late
     * sample in a row are ignored, since the process may not have run.
     */
    public Outcome decide(Sample seen) {
        int before = limit;
        boolean settled = true;
        if (!stall.isBlind(seen.now)) {
            note(seen.now, seen.ready ? 0 : seen.waiting, seen.computing);
            settled = !seen.ready || sample(seen.working, seen.waiting, seen.ended);
        }
        int add = stall.look(seen.now, seen.ready, seen.ended, limit > before, settled, waitedLately());
        if (add == StallDetector.QUIET) {
            rest(seen.awake - seen.computing);
            return Outcome.QUIET;
        }
        int soon = seen.awake + seen.coming;
        if (stall.forced() > 0) {
            force(stall.forced(), soon); // T7
            return Outcome.STUCK;
        }
        return add > 0 && soon >= limit && add(add, seen.working, seen.computing) ? Outcome.STUCK : Outcome.OPEN;
    }

    /**
     * Records a look at the workers, and removes the room for stuck work if too many workers compute.
     *
     * @param waiting the number of workers that wait, or 0 if work is ready
     * @param computing the number of workers that compute, as the kernel reports
     */
    void note(long now, int waiting, int computing) {
        waited.add(now, waiting);
        floor = Math.max(base, Math.min(floor, floor + roomFor(computing)));
    }

    /** Returns true if workers waited in a recent look without ready work. */
    boolean waitedLately() {
        return waited.get() > 0;
    }

    /** Returns the number of workers that may be added for stuck work; negative if too many workers compute. */
    private int roomFor(int computing) {
        return processors + 1 - computing; // one more, for tasks that spin until another task has run
    }

    /**
     * Adjusts the limit to a sample. Returns true if no worker is at work, or the limit is settled: the sample did not
     * change it, and further equal samples would not raise it.
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
            return false; // enough workers compute already
        }
        if (most > now) {
            limit = Math.min(most, Math.max(now, (int) Math.min(max, (virtual ? 4L : 2L) * working)));
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
        if (waiting < Math.min(NOISE, 0.5 / base)) { // with many processors, a share of NOISE may be several workers
            return floor;
        }
        double all = (base + SPARE * Math.sqrt(base * waiting)) / (1 - waiting);
        return (int) Math.max(floor, Math.min(max, all)); // `all` is infinite if all workers wait
    }

    private int withBase(int workers) {
        return (int) Math.min(max, (long) workers + base);
    }

    /**
     * Raises the limit for stuck work by at most {@code more}. Returns false if enough workers compute. The workers
     * that the limit allows, but that are not yet at work, are expected to compute soon.
     *
     * @param working the number of workers at work
     * @param computing the number of the workers at work that compute, or 0 if the kernel reports no states
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

    /**
     * Sets the limit to {@code more} above the greater of the limit and {@code unblocked}, up to the maximum of the
     * pool. The states of the workers do not matter, since no task has ended for a long time.
     */
    void force(int more, int unblocked) {
        limit = (int) Math.min(max, (long) Math.max(limit, unblocked) + more);
    }

    /** Returns the maximum number of workers that may compute at a time while tasks end. */
    public int mostComputing() {
        return processors + 2;
    }

    /**
     * Lowers the limit below the number of unblocked workers, but not below the base, since too many workers compute.
     */
    public void leave(int unblocked) {
        limit = Math.max(base, Math.min(limit, unblocked - 1));
        floor = Math.min(floor, limit);
    }

    /**
     * Lowers the limit by one, but not below the base, since a thread could not be started, or the keep-alive of a
     * thread has passed.
     */
    public void lower() {
        limit = Math.max(base, limit - 1);
        floor = Math.min(floor, limit);
    }

    /**
     * Lowers the limit, after a time without ready work, to the base plus the greater of {@code inUse} and the number
     * of workers that have waited recently.
     */
    void rest(int inUse) {
        floor = base;
        limit = Math.max(base, Math.min(limit, withBase(Math.max(inUse, waited.get()))));
    }
}
