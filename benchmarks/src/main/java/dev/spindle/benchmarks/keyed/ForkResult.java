// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import org.jspecify.annotations.Nullable;

/**
 * What came back from one fork.
 *
 * @param measurement null when the fork stalled, failed or was ended for its time limit
 * @param problem why there is no measurement; empty when there is one
 */
record ForkResult(
        int round, Cell cell, Contender contender, @Nullable Measurement measurement, String problem) {
    static ForkResult measured(Plan.Fork fork, Measurement measurement) {
        return new ForkResult(fork.round(), fork.cell(), fork.contender(), measurement, "");
    }

    static ForkResult failed(Plan.Fork fork, String problem) {
        return new ForkResult(fork.round(), fork.cell(), fork.contender(), null, problem);
    }
}
