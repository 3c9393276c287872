// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.NanoClock;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A breaker that opens when the share of failures among the last calls reaches a threshold. */
final class CountingBreaker implements Breaker {
    /*
     * All fields are guarded by the monitor, under which no user code runs.
     *
     *   CLOSED -> OPEN        at least `minimum` calls were counted, and the share of failures reached `threshold`
     *   OPEN -> HALF_OPEN     `openNanos` have passed and a call asks for a pass, which becomes the first trial
     *   HALF_OPEN -> CLOSED   `trials` trials have ended well
     *   HALF_OPEN -> OPEN     a trial has failed, or all trials have ended, not all of them well
     *
     * CountingBreaker-1  A pass counts only in the period in which it was given out; each change of the state begins a
     *                    new period. So a call that began before the breaker opened is not a trial.
     * CountingBreaker-2  In a half-open period `passed` is the number of trials that are under way, or were made and
     *                    not replaced; it is at most `trials`. A trial whose call was not made is replaced. A trial
     *                    whose call was made and then cancelled is replaced as well, at most `trials` times.
     * CountingBreaker-3  `failures` is the number of bits of `failed` that are set below `counted`.
     */
    private final NanoClock clock;
    private final int window;
    private final int minimum;
    private final double threshold;
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
    private int undecided;
    private int replaced;

    CountingBreaker(BreakerBuilder options) {
        clock = options.clock;
        window = options.window;
        minimum = options.minimum;
        threshold = options.threshold;
        openNanos = options.openNanos;
        trials = options.trials;
        failed = new BitSet(window);
    }

    @Override
    public synchronized @Nullable Pass tryPass() {
        if (state == State.OPEN) {
            if (clock.nanoTime() - openedAt < openNanos) {
                return null;
            }
            change(State.HALF_OPEN);
        }
        if (state == State.HALF_OPEN) {
            if (passed == trials) {
                return null;
            }
            passed++;
        }
        return new OnePass(period);
    }

    @Override
    public synchronized State state() {
        return state;
    }

    private void change(State next) {
        state = next;
        period++;
        failures = 0;
        counted = 0;
        position = 0;
        passed = 0;
        succeeded = 0;
        undecided = 0;
        replaced = 0;
    }

    private void open() {
        change(State.OPEN);
        openedAt = clock.nanoTime();
    }

    private synchronized void ended(OnePass pass, boolean hasFailed) {
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
        if (counted >= minimum && failures >= threshold * counted) {
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
        } else if (succeeded + undecided == trials) {
            open();
        }
    }

    private synchronized void undecided(OnePass pass, boolean cancelled) {
        if (!isOfNow(pass) || state != State.HALF_OPEN) {
            return;
        }
        if (cancelled && replaced < trials) { // CountingBreaker-2
            replaced++;
            passed--;
        } else {
            undecided++;
            trialEnded();
        }
    }

    private synchronized void released(OnePass pass) {
        if (isOfNow(pass) && state == State.HALF_OPEN) {
            passed--;
        }
    }

    /** Returns true if the pass was given out in the current period and is used for the first time. */
    private boolean isOfNow(OnePass pass) {
        boolean first = !pass.used;
        pass.used = true;
        return first && pass.period == period; // CountingBreaker-1
    }

    @Override
    public synchronized String toString() {
        return "breaker, " + state;
    }

    private final class OnePass implements Pass {
        private final long period;
        private boolean used;

        OnePass(long period) {
            this.period = period;
        }

        @Override
        public void success(long elapsedNanos) {
            ended(this, false);
        }

        @Override
        public void failure(long elapsedNanos, Outcome<?> outcome) {
            ended(this, true);
        }

        @Override
        public void undecided(long elapsedNanos, Outcome<?> outcome) {
            CountingBreaker.this.undecided(this, outcome instanceof Outcome.Cancelled<?>);
        }

        @Override
        public void release() {
            released(this);
        }
    }
}
