// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.util.List;

/**
 * A step of a producer or of a task, which takes its inner steps during its run.
 *
 * @param at the index of the lane or of the logical executor; 0 for the pool
 * @param does the action of the task before its inner steps
 * @param nanos the time of the action, the delay or period of a scheduled task, the time until an async task completes,
 *     or the length of a gap
 * @param then the submitter's action on the future or the submission
 * @param every the n such that the step is taken in each n-th round
 */
record Step(Op op, int at, Does does, int nanos, Then then, int every, List<Step> inner) {
    /** The actions of a task. */
    enum Does {
        NOTHING,
        /** Computes. */
        SPIN,
        /** Blocks without {@code callBlocking}. */
        PARK,
        /** Blocks in {@code callBlocking}. */
        BLOCK,
        THROW,
        FAIL;

        boolean isThrowing() {
            return this == THROW || this == FAIL;
        }
    }

    /** The actions of a submitter on the future or the submission. */
    enum Then {
        NOTHING,
        /** Waits a short time for the future. */
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

    /** Creates a step with default options. */
    static Step of(Op op, int at) {
        return new Step(op, at, Does.NOTHING, 0, Then.NOTHING, 1, List.of());
    }

    /**
     * Returns true if {@code then} can be combined with {@code op}. Async tasks are not cancelled, because a
     * cancellation may end the turn before the task has recorded its end.
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

    /** Returns the number of tasks that this step and its inner steps submit in a round. */
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
