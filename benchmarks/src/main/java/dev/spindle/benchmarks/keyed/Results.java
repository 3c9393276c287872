// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** All forks of a comparison, and what can be asked of them. */
record Results(List<ForkResult> forks) {
    /** The figures of one contender in one cell, one from each round that gave one. */
    List<Double> values(Cell cell, Contender contender, ToDoubleFunction<Measurement> figure) {
        return byRound(cell, contender).values().stream()
                .map(figure::applyAsDouble)
                .filter(value -> !Double.isNaN(value))
                .toList();
    }

    Optional<Spread> spread(Cell cell, Contender contender, ToDoubleFunction<Measurement> figure) {
        List<Double> values = values(cell, contender, figure);
        return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
    }

    /** The time of {@code contender} divided by that of {@code reference}, round by round. */
    List<Double> timeRatios(Cell cell, Contender contender, Contender reference) {
        Map<Integer, Measurement> references = byRound(cell, reference);
        List<Double> ratios = new ArrayList<>();
        byRound(cell, contender).forEach((round, measured) -> {
            Measurement other = references.get(round);
            if (other != null) {
                ratios.add(measured.millis() / other.millis());
            }
        });
        return ratios;
    }

    /** The contender of a family with the smallest median time in a cell. */
    Optional<Contender> fastest(Cell cell, Contender.Family family) {
        return Contender.of(family).stream()
                .filter(contender ->
                        !values(cell, contender, Measurement::millis).isEmpty())
                .min(Comparator.comparingDouble(contender ->
                        Spread.of(values(cell, contender, Measurement::millis)).median()));
    }

    /** Forks of a contender in a cell that gave no measurement. */
    List<ForkResult> failures(Cell cell, Contender contender) {
        return forks.stream()
                .filter(fork -> fork.cell().name().equals(cell.name()) && fork.contender() == contender)
                .filter(fork -> fork.measurement() == null)
                .toList();
    }

    /** Cells of which there is any fork, in the order of the report. */
    List<Cell> cells() {
        return Cell.ALL.stream()
                .filter(cell ->
                        forks.stream().anyMatch(fork -> fork.cell().name().equals(cell.name())))
                .toList();
    }

    private Map<Integer, Measurement> byRound(Cell cell, Contender contender) {
        Map<Integer, Measurement> found = new TreeMap<>();
        for (ForkResult fork : forks) {
            Measurement measured = fork.measurement();
            if (measured != null && fork.cell().name().equals(cell.name()) && fork.contender() == contender) {
                found.put(fork.round(), measured);
            }
        }
        return found;
    }
}
