// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.watch;

import dev.spindle.internal.pool.size.AwakeLimit;
import dev.spindle.internal.queue.ReadyQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The state of the watch: the reasons for which the clock thread has to look at the workers. While the watch is armed,
 * looks adjust the limit of awake workers. While an owner-affine entry (ReadyQueue-3) was left to its owner, looks
 * check that owners still take their entries. In solo mode, looks check that the one awake worker makes progress. While
 * work runs, waits or is open, rare looks search for stuck work. If there is no clock thread, workers adjust the limit,
 * no owner-affine entry is left to its owner, there is no solo mode, and no look searches for stuck work.
 */
public final class WatchdogState {
    /*
     * field        writers                              readers  mode
     * armed        the worker set, under its lock       all      volatile
     * ownerAffine  the same                             all      volatile
     * nextSoon     the setter of ownerAffine or of      clock    volatile
     *              solo mode, before; the clock thread  thread
     * looking      the thread that looks, under the     same     plain
     *              lock
     * steps        the worker set, under its lock       same     plain; and still
     * work         workers; the clock thread            all      atomic
     * nextStuck    the clock thread                     same     plain
     *
     * WatchdogState-1  While a worker works, or a lane or an executor has work that waits or is open, `work` is not
     *     OFF. A worker is counted as working and then reads `work`; the clock thread sets UNUSED, finds during a
     *     whole walk over lanes and executors that no worker works and nothing waits or is open, and then sets OFF by
     *     a CAS of UNUSED. So the CAS fails, or the worker sees OFF and wakes the clock thread.
     *
     * The fields `armed` and `ownerAffine` implement WorkerSet-5 and WorkerSet-8; AwakeLimit has solo mode
     * (WorkerSet-11).
     *
     * Tests: WorkerSetTest, WorkerSetSoloTest, StuckLookTest (WatchdogState-1); jcstress OwnerAffineAddAgainstEnd.
     */
    /** The time between two looks in solo mode, or while an owner-affine entry was left to its owner. Not measured. */
    private static final long SOON_NANOS = 250_000;

    /** The number of consecutive looks without progress after which solo mode ends. Not measured. */
    private static final int STILL_LOOKS = 2;

    /** No look searches for stuck work, since nothing runs, waits or is open. */
    private static final int OFF = -1;
    /** No worker has begun to work since the last look. */
    private static final int UNUSED = 0;
    /** A worker has begun to work since the last look. Also the only state if there are no looks for stuck work. */
    private static final int USED = 1;
    /** A worker has begun to work while the state was OFF, and the clock thread has not yet seen that. */
    private static final int BEGUN = 2;

    private final long stuckNanos;
    private final AtomicInteger work;
    private long nextStuck;
    private final AwakeLimit limit; // a look that seems due without the lock is rechecked under it
    private volatile boolean armed;
    private volatile boolean ownerAffine; // WorkerSet-8
    private volatile long nextSoon;
    private boolean looking;
    private long steps;
    private int still;

    /**
     * Creates a state in which the watch is off.
     *
     * @param stuckNanos the time between two looks for stuck work, or 0 if there are none
     */
    public WatchdogState(AwakeLimit limit, long stuckNanos) {
        this.limit = limit;
        this.stuckNanos = stuckNanos;
        work = new AtomicInteger(stuckNanos == 0 ? USED : OFF);
    }

    /** Returns whether the watch is armed (WorkerSet-5). */
    public boolean isArmed() {
        return armed;
    }

    /** Arms the watch, after {@link AwakeLimit#begin}, since the clock thread reads {@code armed} first. */
    public void arm() {
        armed = true;
    }

    /** Disarms the watch. */
    public void disarm() {
        armed = false;
    }

    /** Returns whether an owner-affine entry was left to its owner (WorkerSet-8). */
    public boolean isOwnerAffine() {
        return ownerAffine;
    }

    /** Records that an owner-affine entry was left to its owner. */
    public void leaveOwnerAffine(long now) {
        if (!ownerAffine) {
            setNextSoon(now);
            ownerAffine = true;
        }
    }

    private void setNextSoon(long now) {
        if (!ownerAffine && !limit.isSolo()) {
            nextSoon = now + SOON_NANOS;
        }
    }

    /** Starts solo mode. {@code done} is the number of steps that have ended on all workers. */
    public void beginSolo(long now, long done) {
        setNextSoon(now);
        steps = done;
        still = 0;
        limit.setSolo(true);
    }

    /**
     * Ends solo mode if the last STILL_LOOKS looks found ready entries and no new step. Returns true if solo mode ends.
     */
    public boolean endsSolo(boolean ready, long done) {
        still = ready && done == steps ? still + 1 : 0;
        steps = done;
        if (!limit.isSolo() || still < STILL_LOOKS) { // WorkerSet-11
            return false;
        }
        limit.setSolo(false);
        return true;
    }

    /** Returns whether the clock thread has to look at the workers. */
    public boolean isOn() {
        return armed || ownerAffine || limit.isSolo() || isStuckWatchOn();
    }

    private boolean isStuckWatchOn() {
        return stuckNanos != 0 && work.get() != OFF;
    }

    /**
     * Records that the calling worker has begun to work. Returns true if this begins the looks for stuck work; the
     * caller then wakes the clock thread.
     */
    public boolean beginWork() {
        int before = work.get();
        while (before < USED && !work.compareAndSet(before, before == OFF ? BEGUN : USED)) { // WatchdogState-1
            before = work.get();
        }
        return before == OFF;
    }

    /** Returns whether a look for stuck work is due. Called by the clock thread. */
    public boolean isStuckLookDue(long now) {
        if (!isStuckWatchOn()) {
            return false;
        }
        if (work.get() == BEGUN && work.compareAndSet(BEGUN, USED)) {
            nextStuck = now + stuckNanos;
        }
        return nextStuck - now <= 0;
    }

    /** Begins a look for stuck work. Returns true if a worker has begun to work since the last look. */
    public boolean beginStuckLook() {
        return work.getAndSet(UNUSED) >= USED;
    }

    /** Ends a look for stuck work; the next one is due at {@code next}. */
    public void endStuckLook(long next) {
        nextStuck = next;
    }

    /** Ends the looks for stuck work. Returns false if a worker has begun to work since the begin of this look. */
    public boolean endStuckWatch() {
        return work.compareAndSet(UNUSED, OFF); // WatchdogState-1
    }

    /** Returns the time between two looks for stuck work. */
    public long stuckNanos() {
        return stuckNanos;
    }

    /** Ends the duties that only a clock thread can do, since there is no clock thread. */
    public void endUnwatched() {
        limit.setSolo(false);
        ownerAffine = false;
        if (stuckNanos != 0) {
            work.set(OFF); // the next worker that begins to work tries again
        }
    }

    /** Returns the time until the next look of any kind, in nanoseconds. */
    public long untilLook(long now) {
        long wait = armed ? limit.nextLook() - now : Long.MAX_VALUE;
        wait = isStuckWatchOn() ? Math.min(wait, nextStuck - now) : wait;
        return ownerAffine || limit.isSolo() ? Math.min(wait, nextSoon - now) : wait;
    }

    /**
     * Returns whether the watch is armed and its look is due. {@link #beginSoon} is for the looks of the other kinds.
     */
    public boolean isLookDue(long now) {
        return armed && limit.nextLook() - now <= 0;
    }

    /**
     * Starts a look if one is due and no other thread has started one. If this returns true, the caller must call
     * {@link #endLook}.
     */
    public boolean beginLook(long now) {
        boolean begins = !looking && isLookDue(now);
        looking |= begins;
        return begins;
    }

    /** Ends a look. Returns false if the watch is no longer armed. */
    public boolean endLook() {
        looking = false;
        return armed;
    }

    /**
     * Returns whether a look at owner-affine entries and solo mode is due, and sets the time of the next one. Called by
     * the clock thread.
     */
    public boolean beginSoon(long now) {
        if (!(ownerAffine || limit.isSolo()) || nextSoon - now > 0) {
            return false;
        }
        nextSoon = now + SOON_NANOS;
        return true;
    }

    /** Clears {@code ownerAffine} if owners no longer take their entries. Returns true if this clears the flag. */
    public boolean endsOwnerAffine(ReadyQueue queue, ReadyQueue.View view) {
        if (!ownerAffine || queue.isOwnerAffine(view)) {
            return false; // without a write, since a worker may have set the flag again
        }
        ownerAffine = false;
        return true;
    }
}
