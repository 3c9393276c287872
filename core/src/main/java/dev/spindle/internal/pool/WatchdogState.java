// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.queue.ReadyQueue;
import org.jspecify.annotations.Nullable;

/**
 * The duties of the watcher besides the clock: whether work is stuck, and whether workers still take their own entries.
 */
final class WatchdogState {
    /*
     * field     writers                              readers  mode
     * armed     the worker set under its lock; the watcher all      volatile
     *           (to false)
     * attended  the same                             all      volatile
     * nextSoon  who sets attended, before; watcher   watcher  volatile
     * stuck     who arms; the watcher while armed    same     plain, handed over by `armed`
     *
     * What the two are for: WorkerSet-5 and WorkerSet-8. Tests: WorkerSetTest; jcstress OwnEntryAgainstUnattended.
     */
    private static final long ATTENDED_NANOS = 250_000;

    private final StallDetector stuck = new StallDetector();
    private volatile boolean armed;
    private volatile boolean attended;
    private volatile long nextSoon;

    /** Returns whether the watcher has to look whether work is stuck. */
    boolean isArmed() {
        return armed;
    }

    /**
     * Begins to look whether work is stuck, when so many tasks are done and the next entry from outside has that place.
     */
    void arm(long now, long done, long end) {
        stuck.begin(now, done, end);
        armed = true; // after begin(): the watcher reads it first
    }

    /** Sets whether the watcher has to look for stuck work. */
    void setArmed(boolean value) {
        armed = value;
    }

    /** Returns whether entries are left to the workers in whose run queues they are. */
    boolean isAttended() {
        return attended;
    }

    /** Begins to leave them there. */
    void leaveAttended(long now) {
        if (!attended) {
            nextSoon = now + ATTENDED_NANOS;
            attended = true;
        }
    }

    /** Returns whether there is anything to watch. */
    boolean isOn() {
        return armed || attended;
    }

    /** Ends both if there is no watcher. */
    void endWithout(@Nullable Worker watcher) {
        if (watcher == null) {
            armed = false;
            attended = false;
        }
    }

    /** Returns when to look next, or null while there is nothing to watch. */
    @Nullable
    Long nextLook() {
        Long next = armed ? stuck.nextLook() : null;
        boolean sooner = attended && (next == null || nextSoon - next < 0);
        return sooner ? (Long) nextSoon : next;
    }

    /** Returns whether the time has come to look whether work is stuck. */
    boolean isLookDue(long now) {
        return armed && stuck.nextLook() - now <= 0;
    }

    /** Looks whether work is stuck; returns how many workers to add. */
    int look(long now, StallDetector.Sample sight) {
        int add = stuck.look(now, sight);
        if (add == StallDetector.QUIET) {
            armed = false;
        }
        return add;
    }

    /**
     * Looks, if it is time, whether workers still take their entries; true when they were left until now, and no longer
     * are.
     */
    boolean endsAttended(long now, ReadyQueue queue, ReadyQueue.View view) {
        if (!attended || nextSoon - now > 0) {
            return false;
        }
        nextSoon = now + ATTENDED_NANOS;
        if (queue.isAttended(view)) {
            return false; // writes nothing: the worker set may just have ended it
        }
        attended = false;
        return true;
    }

    /** Returns whether the workers added now begin a new episode of growth. */
    boolean beginsEpisode() {
        return stuck.beginsEpisode();
    }
}
