// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came back from one fork.
 *
 * @param measurement null when the fork stalled, failed or was ended for its time limit
 * @param problem why there is no measurement; empty when there is one
 */
record ForkResult(Fork fork, @Nullable Measurement measurement, String problem) {
    /** Which one to start. Rounds count from 1. */
    record Fork(int round, Cell cell, Contender contender) {}

    static ForkResult measured(Fork fork, Measurement measurement) {
        return new ForkResult(fork, measurement, "");
    }

    static ForkResult failed(Fork fork, String problem) {
        return new ForkResult(fork, null, problem);
    }

    boolean of(Cell cell, Contender contender) {
        return fork.cell().name().equals(cell.name()) && fork.contender().equals(contender);
    }

    /** Whether it ended and nothing was lost, doubled or out of order. */
    boolean clean() {
        return measurement != null && measurement.violations() == 0;
    }

    /** Whether anything was lost, doubled or out of order, as far as it came. */
    boolean violates() {
        return measurement != null && measurement.violations() > 0;
    }

    Map<String, String> fields() {
        return measurement == null ? Map.of() : measurement.fields();
    }
}
