// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/**
 * Decides by measurement whether one awake worker (solo mode) makes as much progress as all workers that the base
 * allows. If tasks are very short, two workers that make tasks ready for each other are slower than one worker, since
 * the transfer of a task's memory between processors takes longer than the task.
 * Messages from one actor to another took 63 ns each and 83 ns of processor time, and 165 and 313 without solo mode
 * (medians of four forks on two processors).
 *
 * <p>Time is divided into windows, and each window has one mode: all workers, or solo. The rate of a window is the
 * number of steps ({@link Worker#steps}) per nanosecond. After some windows in one mode, a window in the other mode
 * follows as a trial. If the rate of the trial is better, its mode is kept. Otherwise the mode changes back, and the
 * number of windows before the next trial is doubled, up to a maximum. If the rate of two consecutive windows differs
 * much from the mean, the load has changed, and a trial starts at once. After a window that cannot be compared, such as
 * a pause, the mode is all workers.
 *
 * <p>Solo mode is not tried while fewer than two workers are awake. Solo mode is not tried while many entries are
 * ready, since each worker then has entries of its own and rarely needs those of others. Solo mode is not tried while
 * steps take long, since several workers then gain more than the transfer costs. All methods except {@link #isOver} are
 * called under the worker set's lock.
 */
final class SoloTrial {
    /**
     * The minimum length of a window. Measured: half and twice the value change a channel of 1,024 by no more than a
     * control.
     */
    static final long WINDOW_NANOS = 1_000_000;

    /** A window longer than this is not compared, since there was a pause, or the process did not run. Not measured. */
    static final long LONGEST_WINDOW_NANOS = 4 * WINDOW_NANOS;

    /**
     * The maximum mean time of a step for which solo mode is tried (T3): several times the time of a transfer between
     * processors. Not measured.
     */
    static final long LONGEST_STEP_NANOS = 5_000;

    /**
     * The maximum number of entries in a run queue for which solo mode is tried. With at most one, a value through a
     * channel from four tasks to four took 432 ns in place of 201 (ADR 0017). Other values were not measured.
     */
    static final int FEW_ENTRIES = 8;

    /** The number of windows between a trial whose mode is kept and the next trial. Not measured. */
    static final int LEAST_HOLD = 16;

    /** The maximum number of windows between two trials. Not measured. */
    static final int MOST_HOLD = 128;

    /**
     * The factor by which the rate of all workers must exceed that of one worker, since all workers use more
     * processors. Not measured.
     */
    private static final double GAIN = 1.05;

    /** The factor by which a rate differs from the mean if the load has changed. Not measured. */
    private static final double CHANGE = 2;

    /** The number of windows over which the rate is averaged, approximately. Not measured. */
    private static final int MEAN_OF = 4;

    private volatile long begun;
    private boolean solo; // the mode of the current window
    private boolean trial;
    private boolean settles; // a trial of solo mode has begun; the other workers leave service within a quantum
    private boolean fresh; // `rate` was set since the last call of leave()
    private boolean differed; // the rate of the last window differed from the mean by more than the factor CHANGE
    private int windows; // the number of windows in this mode since the last trial
    private int hold = 1; // the number of windows before the next trial
    private double rate;
    private long stepsBefore;

    /** Starts a first window, in the mode of all workers. */
    SoloTrial(long now) {
        begun = now;
    }

    /** Returns whether the window is over. Any thread may call this. */
    boolean isOver(long now) {
        return now - begun >= WINDOW_NANOS;
    }

    /**
     * Ends the window and starts the next one. Returns true if the next window is in solo mode.
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
     * Returns to the mode of all workers after a window that cannot be compared. A window in the mode of all workers
     * does not change the time of the next trial. If solo mode had been kept, or a pause has interrupted a trial of
     * solo mode, a new trial follows soon. If many entries became ready, the trial of solo mode has failed. After any
     * other trial of solo mode, the next trial follows after {@link #LEAST_HOLD} or more windows.
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
