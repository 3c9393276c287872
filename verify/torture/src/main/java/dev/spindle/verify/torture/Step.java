// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.util.List;

/**
 * One step of a producer, or of a task, which takes its inner steps when it runs.
 *
 * @param at the number of the lane or of the logical executor; 0 if there is none
 * @param does the action of the task before its inner steps
 * @param nanos the time of that action; the delay of a delayed task, the period of a periodic one, the time to the end
 *     of an async one, the length of a gap
 * @param then the submitter's action on the future or the submission
 * @param every the rounds of the producer in which the step is taken: 1 for all, n for each n-th
 */
record Step(Op op, int at, Does does, int nanos, Then then, int every, List<Step> inner) {
    /** The actions of a task. */
    enum Does {
        NOTHING,
        /** Computes. */
        SPIN,
        /** Blocks without a hint to the pool. */
        PARK,
        /** Blocks with a hint to the pool. */
        BLOCK,
        /** Throws an exception. */
        THROW,
        /** Throws an error. */
        FAIL;

        boolean isThrowing() {
            return this == THROW || this == FAIL;
        }
    }

    /** The actions after the submit. */
    enum Then {
        NOTHING,
        /** Waits for the future, for a short time. */
        AWAIT,
        CANCEL,
        /** Cancels with an interrupt. */
        INTERRUPT,
        /** Adds a callback that blocks and submits a delayed task. */
        CALL_BACK
    }

    Step {
        inner = List.copyOf(inner);
        if (at < 0 || nanos < 0 || every < 1) {
            throw new IllegalArgumentException("a step needs at >= 0, nanos >= 0 and every >= 1, has at=" + at
                    + ", nanos=" + nanos + ", every=" + every);
        }
        if (!fits(then, op)) {
            throw new IllegalArgumentException(op + " gives nothing for then=" + then + ": leave that out");
        }
        if (!inner.isEmpty() && (op.isPeriodic() || (!op.isTask() && op != Op.PAUSE))) {
            throw new IllegalArgumentException(op + " takes no inner steps");
        }
    }

    /** Creates a step with nothing but its operation. */
    static Step of(Op op, int at) {
        return new Step(op, at, Does.NOTHING, 0, Then.NOTHING, 1, List.of());
    }

    /**
     * Returns true if {@code then} can follow. A cancelled async task would end its turn before its end is recorded, so
     * none is cancelled.
     */
    static boolean fits(Then then, Op op) {
        return switch (then) {
            case NOTHING -> true;
            case AWAIT -> op.hasFuture() && !op.isPeriodic();
            case CALL_BACK -> op.isCoalescing() || (op.hasFuture() && !op.isDelayed());
            case CANCEL, INTERRUPT -> op.isCoalescing() || (op.hasFuture() && op != Op.LANE_ASYNC);
        };
    }

    /** Returns true if this step or one of its inner steps has the given operation. */
    boolean has(Op other) {
        return op == other || inner.stream().anyMatch(step -> step.has(other));
    }

    /** Returns the number of tasks that a round of this step submits, inner ones included. */
    int tasks() {
        int sum = op.isTask() ? 1 : 0;
        for (Step step : inner) {
            sum += step.tasks();
        }
        return sum;
    }

    Step with(Op other) {
        return new Step(other, at, does, nanos, fits(then, other) ? then : Then.NOTHING, every, inner);
    }

    Step at(int other) {
        return new Step(op, other, does, nanos, then, every, inner);
    }

    Step with(Does other) {
        return new Step(op, at, other, nanos, then, every, inner);
    }

    Step nanos(int other) {
        return new Step(op, at, does, other, then, every, inner);
    }

    Step with(Then other) {
        return new Step(op, at, does, nanos, other, every, inner);
    }

    Step every(int rounds) {
        return new Step(op, at, does, nanos, then, rounds, inner);
    }

    Step inner(List<Step> steps) {
        return new Step(op, at, does, nanos, then, every, steps);
    }
}
