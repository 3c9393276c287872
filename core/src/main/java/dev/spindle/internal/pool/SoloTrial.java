// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/**
 * Finds out by trial whether one worker gets as much done as all that the base allows. Where tasks take less time than
 * it takes to pass their memory from processor to processor, two workers that hand them to each other are slower than
 * one that runs them all.
 *
 * <p>Time is divided into windows, and each has one mode: all workers, or solo. At the end of a window the rate of
 * progress in it is known. A mode stays for some windows, then the other is tried for one. If that was better it stays;
 * else the mode changes back, and the next trial comes after twice as many windows. A rate that has changed much calls
 * for a trial at once, since the load is another. After a pause all workers go on, and the windows count on.
 *
 * <p>Nothing is tried while less than two workers are awake; while many entries are ready, since then each worker
 * has some of its own, which a trial would mix; or while tasks take longer, since then others gain more than the
 * hand-over costs. All methods but {@link #isOver} are called under the worker set's lock.
 */
final class SoloTrial {
    /** How long a window lasts, at least. */
    static final long WINDOW_NANOS = 1_000_000;

    /** A window that lasted longer says nothing: there was a pause, or the process stood still. */
    static final long LONGEST_WINDOW_NANOS = 4 * WINDOW_NANOS;

    /** The longest mean processor time of a step for which solo is tried: several times that of a hand-over. */
    static final long LONGEST_STEP_NANOS = 5_000;

    /** How many entries may be ready in a run queue for which solo is tried. */
    static final int FEW_ENTRIES = 8;

    /** After how many windows a mode that has proved better is doubted. */
    static final int LEAST_HOLD = 16;

    static final int MOST_HOLD = 128;

    /** How much better all workers have to be: they take more processors. */
    private static final double GAIN = 1.05;

    /** By which factor a rate differs if the load has changed. */
    private static final double CHANGE = 2;

    /** Over about how many windows the rate is a mean. */
    private static final int MEAN_OF = 4;

    private volatile long begun;
    private boolean solo; // the mode of this window
    private boolean trial;
    private boolean settles; // the others are still on the way out, at most for a quantum of a turn
    private boolean fresh; // the rate is that of this load
    private boolean differed; // the last window had another rate
    private int windows; // in this mode, since the last trial
    private int hold = 1; // after how many the other is tried
    private double rate;
    private long stepsBefore;

    /** Begins with all workers. */
    SoloTrial(long now) {
        begun = now;
    }

    /** Returns whether a window is over. By anybody. */
    boolean isOver(long now) {
        return now - begun >= WINDOW_NANOS;
    }

    /**
     * Ends the window and begins the next one; returns whether that is to be solo.
     *
     * @param steps of all tasks so far
     * @param isSolo whether the mode is still that of the window
     * @param awake how many workers are awake and unblocked, at work or looking for it
     * @param many whether more than {@link #FEW_ENTRIES} are ready
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
            boolean changed = differs && differed; // once may be an accident
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
        boolean better = solo ? found * GAIN >= rate : found > rate * GAIN;
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
     * Goes on with all workers after a window that says nothing. Solo that had proved better is tried soon again; a
     * trial of it has failed if many entries became ready, and else comes again.
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
