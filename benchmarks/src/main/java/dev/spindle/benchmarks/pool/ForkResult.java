// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Measurement;
import org.jspecify.annotations.Nullable;

/**
 * What came back from one fork.
 *
 * @param measurement null when the fork stalled, failed or was ended for its time limit
 * @param problem why there is no measurement; empty when there is one
 */
record ForkResult(Plan.Fork fork, @Nullable Measurement measurement, String problem) {
    static ForkResult measured(Plan.Fork fork, Measurement measurement) {
        return new ForkResult(fork, measurement, "");
    }

    static ForkResult failed(Plan.Fork fork, String problem) {
        return new ForkResult(fork, null, problem);
    }

    int round() {
        return fork.round();
    }

    Cell cell() {
        return fork.cell();
    }

    Contender contender() {
        return fork.contender();
    }

    /** Which fork gave no measurement, and why. */
    String failure() {
        return "round " + round() + ", " + contender().title() + ": " + problem;
    }

    /** Whether each task ran exactly once. */
    boolean complete() {
        return measurement != null && measurement.miscounted() == 0;
    }
}
