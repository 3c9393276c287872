// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.Locale;
import java.util.Map;

/**
 * The result of one fork.
 *
 * @param values the values by {@link Figure#field()}; empty if the fork stalled, failed or exceeded its time limit
 * @param problem the reason for the lack of values; empty if there are values
 */
record ForkResult(Fork fork, Map<String, Double> values, String problem) {
    /** The identity of a fork. Rounds start at 1. */
    record Fork(int round, Cell cell, Contender contender) {}

    static ForkResult measured(Fork fork, Map<String, Double> values) {
        return new ForkResult(fork, values, "");
    }

    static ForkResult failed(Fork fork, String problem) {
        return new ForkResult(fork, Map.of(), problem);
    }

    boolean measured() {
        return !values.isEmpty();
    }

    /** Returns the value of a figure, or NaN if the fork has none. */
    double get(Figure figure) {
        return values.getOrDefault(figure.field(), Double.NaN);
    }

    boolean of(Cell cell) {
        return fork.cell().name().equals(cell.name());
    }

    boolean of(Cell cell, Contender contender) {
        return of(cell) && fork.contender().equals(contender);
    }

    boolean ours() {
        return fork.contender().family() == Contender.Family.OURS;
    }

    boolean clean() {
        return measured() && !violates();
    }

    boolean violates() {
        return get(Figure.VIOLATIONS) > 0;
    }

    /** Returns true if other processes used more of the machine than {@link MachineLoad#FOREIGN_LIMIT}. */
    boolean disturbed() {
        return get(Figure.FOREIGN) > MachineLoad.FOREIGN_LIMIT;
    }

    /**
     * Returns this result or {@code again}, a repetition of the same fork: the one with less foreign load. If only one
     * of the two is clean, returns the other, so that no fault is hidden.
     */
    ForkResult orCalmer(ForkResult again) {
        if (clean() != again.clean()) {
            return clean() ? again : this;
        }
        return again.get(Figure.FOREIGN) < get(Figure.FOREIGN) ? again : this;
    }

    /** Returns a progress message with the first figure of the cell, the violations and the foreign load. */
    String summary() {
        if (!measured()) {
            return problem;
        }
        Figure figure = fork.cell().figures().get(0);
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%8s ", Spread.number(get(figure))))
                .append(figure.title());
        if (!Double.isNaN(get(Figure.CPU))) {
            text.append(", CPU ").append(Spread.number(get(Figure.CPU))).append(" ns");
        }
        if (violates()) {
            text.append(", VIOLATIONS: ").append(Math.round(get(Figure.VIOLATIONS)));
        }
        if (disturbed()) {
            text.append(String.format(Locale.ROOT, ", others took %.0f %%", get(Figure.FOREIGN)));
        }
        return text.toString();
    }
}
