// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.queue.ReadyQueue;

/**
 * The duties of the clock thread besides the clock: how many workers have to be awake, whether they still take their
 * own entries, and whether the one that does all gets on. The first is that of all awake workers while there is no such
 * thread.
 */
final class WatchdogState {
    /*
     * field     writers                              readers  mode
     * armed     the worker set, under its lock       all      volatile
     * ownerAffine  the same                             all      volatile
     * solo      the same                             all      volatile
     * nextSoon  who sets ownerAffine or solo, before;   clock    volatile
     *           the clock thread                     thread
     * stuck     the worker set, under its lock       all      plain; whether a look is due is read without the lock,
     *                                                        and asked again under it
     * looking   whoever looks, under the lock        same     plain
     * steps     the worker set, under its lock       same     plain; and still
     *
     * What they are for: WorkerSet-5, WorkerSet-8 and WorkerSet-11. Tests: WorkerSetTest, WorkerSetSoloTest; jcstress
     * OwnerAffineAddAgainstEnd.
     */
    private static final long SOON_NANOS = 250_000;

    /** In how many looks in a row nothing is done before all workers are needed: one may have been blind. */
    private static final int STILL_LOOKS = 2;

    private final StallDetector stuck = new StallDetector();
    private volatile boolean armed;
    private volatile boolean ownerAffine;
    private volatile boolean solo;
    private volatile long nextSoon;
    private boolean looking;
    private long steps;
    private int still;

    /** Returns whether the workers have to be looked at. */
    boolean isArmed() {
        return armed;
    }

    /** Begins to look at the workers. */
    void arm(long now, boolean waitedLately) {
        stuck.begin(now, waitedLately);
        armed = true; // after begin(): the clock thread reads it first
    }

    /** Returns whether entries are left to the workers in whose run queues they are. */
    boolean isOwnerAffine() {
        return ownerAffine;
    }

    /** Begins to leave them there. */
    void leaveOwnerAffine(long now) {
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

    /** Returns whether one worker does all. */
    boolean isSolo() {
        return solo;
    }

    /** Begins to have one worker do all, of whom so much is done. */
    void beginSolo(long now, long done) {
        setNextSoon(now);
        steps = done;
        still = 0;
        solo = true;
    }

    /** Ends that. */
    void endSolo() {
        solo = false;
    }

    /** Ends it if nothing was done while something is ready, for a moment: true if it does. */
    boolean endsSolo(boolean ready, long done) {
        still = ready && done == steps ? still + 1 : 0;
        steps = done;
        boolean ends = solo && still >= STILL_LOOKS;
        solo &= !ends;
        return ends;
    }

    /** Returns whether there is anything to watch. */
    boolean isOn() {
        return armed || ownerAffine || solo;
    }

    /** Ends the duties that awake workers do not have, since there is no clock thread. */
    void endUnwatched() {
        solo = false;
        ownerAffine = false;
    }

    /** Returns how long there is nothing to look at, in nanoseconds. */
    long untilLook(long now) {
        long wait = armed ? stuck.nextLook() - now : Long.MAX_VALUE;
        return ownerAffine || solo ? Math.min(wait, nextSoon - now) : wait;
    }

    /** Returns whether the time has come to look at the workers. */
    boolean isLookDue(long now) {
        return armed && stuck.nextLook() - now <= 0;
    }

    /** Begins a look if it is time and nobody else looks; to be ended. */
    boolean beginLook(long now) {
        boolean begins = !looking && isLookDue(now);
        looking |= begins;
        return begins;
    }

    /** Ends a look; false if there is nothing to watch any more. */
    boolean endLook() {
        looking = false;
        return armed;
    }

    /** Returns whether what is seen now says nothing, since the process may have stood still. */
    boolean isBlind(long now) {
        return stuck.isBlind(now);
    }

    /** Looks whether work is stuck; returns how many workers to add, or {@link StallDetector#QUIET} at the end. */
    int look(long now, boolean ready, boolean ended, boolean raised, boolean steady, boolean waitedLately) {
        int add = stuck.look(now, ready, ended, raised, steady, waitedLately);
        if (add == StallDetector.QUIET) {
            armed = false;
        }
        return add;
    }

    /** Returns how many workers the last look adds whatever the others do. */
    int forced() {
        return stuck.forced();
    }

    /** Begins a look whether workers still take their entries, or one does all, if it is time. For the clock thread. */
    boolean beginSoon(long now) {
        if (!(ownerAffine || solo) || nextSoon - now > 0) {
            return false;
        }
        nextSoon = now + SOON_NANOS;
        return true;
    }

    /** Looks whether workers still take their entries; true when they were left until now, and no longer are. */
    boolean endsOwnerAffine(ReadyQueue queue, ReadyQueue.View view) {
        if (!ownerAffine || queue.isOwnerAffine(view)) {
            return false; // writes nothing: the worker set may just have ended it
        }
        ownerAffine = false;
        return true;
    }
}
