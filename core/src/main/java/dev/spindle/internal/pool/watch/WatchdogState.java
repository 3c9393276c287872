// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.watch;

import dev.spindle.internal.pool.size.AwakeLimit;
import dev.spindle.internal.queue.ReadyQueue;

/**
 * The state of the watch: the reasons for which the clock thread has to look at the workers. While the watch is armed,
 * looks adjust the limit of awake workers. While an owner-affine entry (ReadyQueue-3) was left to its owner, looks
 * check that owners still take their entries. In solo mode, looks check that the one awake worker makes progress. If
 * there is no clock thread, workers adjust the limit, no owner-affine entry is left to its owner, and there is no solo
 * mode.
 */
public final class WatchdogState {
    /*
     * field        writers                              readers  mode
     * armed        the worker set, under its lock       all      volatile
     * ownerAffine  the same                             all      volatile
     * solo         the same                             all      volatile
     * nextSoon     the setter of ownerAffine or solo,   clock    volatile
     *              before; the clock thread             thread
     * looking      the thread that looks, under the     same     plain
     *              lock
     * steps        the worker set, under its lock       same     plain; and still
     *
     * The fields `armed`, `ownerAffine` and `solo` implement WorkerSet-5, WorkerSet-8 and WorkerSet-11.
     *
     * Tests: WorkerSetTest, WorkerSetSoloTest; jcstress OwnerAffineAddAgainstEnd.
     */
    /** The time between two looks in solo mode, or while an owner-affine entry was left to its owner. Not measured. */
    private static final long SOON_NANOS = 250_000;

    /** The number of consecutive looks without progress after which solo mode ends. Not measured. */
    private static final int STILL_LOOKS = 2;

    private final AwakeLimit limit; // a look that seems due without the lock is rechecked under it
    private volatile boolean armed;
    private volatile boolean ownerAffine; // WorkerSet-8
    private volatile boolean solo;
    private volatile long nextSoon;
    private boolean looking;
    private long steps;
    private int still;

    public WatchdogState(AwakeLimit limit) {
        this.limit = limit;
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
        if (!ownerAffine && !solo) {
            nextSoon = now + SOON_NANOS;
        }
    }

    /** Returns whether the pool is in solo mode (WorkerSet-11). */
    public boolean isSolo() {
        return solo;
    }

    /** Starts solo mode. {@code done} is the number of steps that have ended on all workers. */
    public void beginSolo(long now, long done) {
        setNextSoon(now);
        steps = done;
        still = 0;
        solo = true;
    }

    /** Ends solo mode. */
    public void endSolo() {
        solo = false;
    }

    /**
     * Ends solo mode if the last STILL_LOOKS looks found ready entries and no new step. Returns true if solo mode ends.
     */
    public boolean endsSolo(boolean ready, long done) {
        still = ready && done == steps ? still + 1 : 0;
        steps = done;
        boolean ends = solo && still >= STILL_LOOKS; // WorkerSet-11
        solo &= !ends;
        return ends;
    }

    /** Returns whether the clock thread has to look at the workers. */
    public boolean isOn() {
        return armed || ownerAffine || solo;
    }

    /** Ends the duties that only a clock thread can do, since there is no clock thread. */
    public void endUnwatched() {
        solo = false;
        ownerAffine = false;
    }

    /** Returns the time until the next look of any kind, in nanoseconds. */
    public long untilLook(long now) {
        long wait = armed ? limit.nextLook() - now : Long.MAX_VALUE;
        return ownerAffine || solo ? Math.min(wait, nextSoon - now) : wait;
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
        if (!(ownerAffine || solo) || nextSoon - now > 0) {
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
