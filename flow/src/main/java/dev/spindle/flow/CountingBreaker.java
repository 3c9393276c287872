// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.report.Figures;
import java.time.Duration;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A breaker that opens when the share of failures among the last calls reaches a threshold. */
final class CountingBreaker implements Breaker, SpindlePart {
    /*
     * The monitor guards all fields. No user code runs under the monitor.
     *
     *   CLOSED -> OPEN        `minimumCalls` calls were counted, and the share of failures reached `failureShare`
     *   OPEN -> HALF_OPEN     `openNanos` have passed and a call asks for a pass, which becomes the first trial
     *   HALF_OPEN -> CLOSED   `trials` trials have succeeded
     *   HALF_OPEN -> OPEN     a trial has failed, or all trials have ended and not all have succeeded
     *
     * CountingBreaker-1  The end of a call counts only in the period in which its pass was given out; each change of
     *                    the state begins a new period. So a call that began before the breaker opened is not a trial.
     * CountingBreaker-2  In a half-open period `passed` is the number of trials that are under way, or have ended and
     *                    were not replaced. It is at most `trials`.
     * CountingBreaker-3  `failures` is the number of bits of `failed` that are set below `counted`.
     */
    private final Spindle spindle;
    private final String name;
    private final int window;
    private final int minimumCalls;
    private final double failureShare;
    private final long openNanos;
    private final int trials;

    private State state = State.CLOSED;
    private long period;
    private long openedAt;
    private final BitSet failed;
    private int failures;
    private int counted;
    private int position;
    private int passed;
    private int succeeded;
    private int ignored;
    private int replaced;

    // counts of all periods
    private long given;
    private long ended;
    private long failedEver;
    private long refused;

    CountingBreaker(BreakerBuilder options) {
        spindle = options.spindle;
        name = options.name;
        window = options.window;
        minimumCalls = options.minimumCalls();
        failureShare = options.failureShare;
        openNanos = options.openNanos;
        trials = options.trials;
        failed = new BitSet(window);
    }

    @Override
    public synchronized @Nullable Pass tryPass() {
        if (state == State.OPEN) {
            if (Deadline.nanoTime(spindle) - openedAt < openNanos) {
                refused++;
                return null;
            }
            change(State.HALF_OPEN);
        }
        if (state == State.HALF_OPEN) {
            if (passed == trials) {
                refused++;
                return null;
            }
            passed++;
        }
        given++;
        return new OnePass(period);
    }

    @Override
    public synchronized State state() {
        return state;
    }

    @Override
    public synchronized Stats stats() {
        int running = (int) (given - ended);
        int most = switch (state) {
            case CLOSED -> Integer.MAX_VALUE;
            case HALF_OPEN -> trials;
            case OPEN -> 0;
        };
        return new Figures(name, given, ended, failedEver, refused, 0, 0, 0, 0, running, 0, most);
    }

    @Override
    public void listFigures(FigureList list) {
        list.add(Kind.BREAKER, null, stats());
    }

    private void change(State next) {
        state = next;
        period++;
        failures = 0;
        counted = 0;
        position = 0;
        passed = 0;
        succeeded = 0;
        ignored = 0;
        replaced = 0;
    }

    private void open() {
        change(State.OPEN);
        openedAt = Deadline.nanoTime(spindle);
    }

    private synchronized void ended(OnePass pass, boolean hasFailed) {
        failedEver += hasFailed && !pass.used ? 1 : 0;
        if (!isOfNow(pass)) {
            return;
        }
        if (state == State.HALF_OPEN) {
            if (hasFailed) {
                open();
            } else {
                succeeded++;
                trialEnded();
            }
            return;
        }
        count(hasFailed);
        if (counted >= minimumCalls && failures >= failureShare * counted) {
            open();
        }
    }

    private void count(boolean hasFailed) {
        boolean hadFailed = counted == window && failed.get(position); // CountingBreaker-3
        failures += (hasFailed ? 1 : 0) - (hadFailed ? 1 : 0);
        failed.set(position, hasFailed);
        position = (position + 1) % window;
        counted = Math.min(window, counted + 1);
    }

    private void trialEnded() {
        if (succeeded == trials) {
            change(State.CLOSED);
        } else if (succeeded + ignored == trials) {
            open();
        }
    }

    private synchronized void ignored(OnePass pass, boolean replaceable) {
        if (!isOfNow(pass) || state != State.HALF_OPEN) {
            return;
        }
        if (replaceable && replaced < trials) { // CountingBreaker-2
            replaced++;
            passed--;
        } else {
            ignored++;
            trialEnded();
        }
    }

    /** Returns true if the pass was given out in this period and is used for the first time. */
    private boolean isOfNow(OnePass pass) {
        boolean first = !pass.used;
        pass.used = true;
        ended += first ? 1 : 0;
        return first && pass.period == period; // CountingBreaker-1
    }

    @Override
    public synchronized String toString() {
        return "breaker " + name + ", " + state;
    }

    final class OnePass implements Pass {
        private final long period;
        private boolean used;

        OnePass(long period) {
            this.period = period;
        }

        @Override
        public void success(Duration elapsed) {
            ended(this, false);
        }

        @Override
        public void failure(Duration elapsed, Outcome<?> outcome) {
            ended(this, true);
        }

        @Override
        public void ignore() {
            ignored(this, true);
        }

        /** Does what {@link #ignore} does, for a call that was made and not cancelled: such a trial is not replaced. */
        void spend() {
            ignored(this, false);
        }
    }
}
