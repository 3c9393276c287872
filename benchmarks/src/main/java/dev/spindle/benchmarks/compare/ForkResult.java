// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.MachineLoad;
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

    /** Which fork gave no measurement, and why. */
    String failure() {
        return "round " + fork.round() + ", " + fork.contender().title() + ": " + problem;
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

    /** Whether others took so much of the machine meanwhile that it is marked. */
    boolean disturbed() {
        return foreign() > MachineLoad.FOREIGN_LIMIT;
    }

    /**
     * Which of two results of one fork counts: the one beside which others took less of the machine, whatever it says,
     * except that a fault that either shows is kept.
     */
    ForkResult orCalmer(ForkResult again) {
        if (clean() != again.clean()) {
            return clean() ? again : this;
        }
        return again.foreign() < foreign() ? again : this;
    }

    /** What others took of the machine, in percent; NaN when not known. */
    private double foreign() {
        return measurement == null ? Double.NaN : measurement.get(Figure.FOREIGN);
    }

    Map<String, String> fields() {
        return measurement == null ? Map.of() : measurement.fields();
    }
}
