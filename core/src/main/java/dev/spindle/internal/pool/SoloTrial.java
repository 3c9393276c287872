// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/**
 * Finds out by trial whether one worker gets as much done as all that the base allows. If tasks take less time than the
 * transfer of their memory between processors, two workers that hand tasks to each other are slower than one that runs
 * them all.
 *
 * <p>Time is divided into windows, and each window has one mode: all workers, or solo. At its end the rate of progress
 * in it is known. A mode stays for some windows, then the other is tried for one. If that was better it stays;
 * otherwise the mode changes back, and the next trial comes after twice as many windows. A rate that has changed much
 * starts a trial at once, since the load is another one. After a pause the mode is all workers, and the count of
 * windows continues.
 *
 * <p>Nothing is tried while fewer than two workers are awake; while many entries are ready, since then each worker has
 * some of its own, which a trial would mix; or while tasks take longer, since then more workers gain more than the
 * hand-over costs. All methods except {@link #isOver} are called under the worker set's lock.
 */
final class SoloTrial {
    /** The least length of a window. */
    static final long WINDOW_NANOS = 1_000_000;

    /** A longer window is ignored: there was a pause, or the process did not run. */
    static final long LONGEST_WINDOW_NANOS = 4 * WINDOW_NANOS;

    /** The longest mean processor time of a step for which solo is tried: several times that of a hand-over. */
    static final long LONGEST_STEP_NANOS = 5_000;

    /** The maximum number of entries in a run queue for which solo is tried. */
    static final int FEW_ENTRIES = 8;

    /** The number of windows after which a mode that was better is compared again. */
    static final int LEAST_HOLD = 16;

    static final int MOST_HOLD = 128;

    /** The factor by which all workers have to be better than one worker, since they use more processors. */
    private static final double GAIN = 1.05;

    /** The factor by which the rate differs if the load has changed. */
    private static final double CHANGE = 2;

    /** The number of windows over which the rate is averaged, approximately. */
    private static final int MEAN_OF = 4;

    private volatile long begun;
    private boolean solo; // the mode of the current window
    private boolean trial;
    private boolean settles; // the other workers are still leaving, for up to a quantum of a turn
    private boolean fresh; // `rate` was measured under the current load
    private boolean differed; // the last window had another rate
    private int windows; // the number of windows in this mode since the last trial
    private int hold = 1; // the number of windows before the other mode is tried
    private double rate;
    private long stepsBefore;

    /** Starts with all workers. */
    SoloTrial(long now) {
        begun = now;
    }

    /** Returns whether the window is over. For any thread. */
    boolean isOver(long now) {
        return now - begun >= WINDOW_NANOS;
    }

    /**
     * Ends the window and starts the next window; returns true if that is in solo mode.
     *
     * @param steps the number of steps of all workers so far
     * @param isSolo true if the pool is in solo mode now
     * @param awake the number of awake, unblocked workers, at work or searching
     * @param many true if more than {@link #FEW_ENTRIES} entries are ready
     */
    boolean next(long now, long steps, boolean isSolo, int awake, boolean many) {
        long nanos = now - begun;
        long done = steps - stepsBefore;
        begun = now;
        stepsBefore = steps;
        boolean compares = isSolo == solo
                && !many
                && nanos <= LONGEST_WINDOW_NANOS
                && (solo || awake > 1)
                && nanos * awake <= done * LONGEST_STEP_NANOS;
        if (!compares) {
            leave(nanos > LONGEST_WINDOW_NANOS, many);
        } else if (settles) {
            settles = false;
        } else if (trial) {
            judge((double) done / nanos);
        } else {
            double found = (double) done / nanos;
            boolean differs = fresh && (found * CHANGE < rate || found > rate * CHANGE);
            boolean changed = differs && differed; // a single difference may be chance
            if (!fresh || changed) {
                rate = found;
            } else if (!differs) {
                rate += (found - rate) / MEAN_OF;
            }
            fresh = true;
            differed = differs;
            windows++;
            if (changed || windows >= hold) {
                trial = true;
                solo = !solo;
                settles = solo;
            }
        }
        return solo;
    }

    private void judge(double found) {
        trial = false;
        windows = 0;
        boolean better = solo ? found * GAIN >= rate : found > rate * GAIN; // T3
        if (better) {
            hold = LEAST_HOLD;
            rate = found;
        } else {
            postpone();
            solo = !solo;
        }
    }

    private void postpone() {
        hold = Math.min(Math.max(2 * hold, LEAST_HOLD), MOST_HOLD);
    }

    /**
     * Continues with all workers after a window that cannot be compared. If solo had been better, it is tried again
     * soon; a trial of solo has failed if many entries became ready, and is repeated otherwise.
     */
    private void leave(boolean paused, boolean many) {
        if (solo && !(trial && paused)) {
            windows = 0;
            if (!trial) {
                hold = 1;
            } else if (many) {
                postpone();
            } else {
                hold = Math.max(hold, LEAST_HOLD);
            }
        }
        solo = false;
        trial = false;
        settles = false;
        fresh = false;
        differed = false;
    }
}
