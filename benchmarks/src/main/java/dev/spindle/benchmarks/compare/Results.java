// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.Spread;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;

/** All forks of a comparison, and what can be asked of them. */
record Results(List<ForkResult> forks) {
    Results {
        forks = List.copyOf(forks);
    }

    /** The figures of one contender in one cell, one from each round that gave one. */
    List<Double> values(Cell cell, Contender contender, Figure figure) {
        return byRound(cell, contender).values().stream()
                .map(measurement -> measurement.get(figure))
                .filter(value -> !value.isNaN())
                .toList();
    }

    Optional<Spread> spread(Cell cell, Contender contender, Figure figure) {
        List<Double> values = values(cell, contender, figure);
        return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
    }

    /** The figure of {@code contender} divided by that of {@code reference}, one from each round that has both. */
    List<Double> ratios(Cell cell, Contender contender, Contender reference, Figure figure) {
        return List.copyOf(byRound(cell, contender, reference, figure, (ours, other) -> ours / other)
                .values());
    }

    /** The figure of {@code contender} with that of {@code reference}, by round, where both are there. */
    SortedMap<Integer, Double> byRound(
            Cell cell, Contender contender, Contender reference, Figure figure, DoubleBinaryOperator together) {
        Map<Integer, Measurement> references = byRound(cell, reference);
        SortedMap<Integer, Double> found = new TreeMap<>();
        byRound(cell, contender).forEach((round, measurement) -> {
            Measurement other = references.get(round);
            double value =
                    other == null ? Double.NaN : together.applyAsDouble(measurement.get(figure), other.get(figure));
            if (Double.isFinite(value)) {
                found.put(round, value);
            }
        });
        return found;
    }

    /** How many times as good {@code contender} is as {@code reference}, round by round: more than 1 is better. */
    List<Double> advantages(Cell cell, Contender contender, Contender reference, Figure figure) {
        return figure.moreIsBetter()
                ? ratios(cell, contender, reference, figure)
                : ratios(cell, reference, contender, figure);
    }

    /** The one with the best median. */
    Optional<Contender> best(Cell cell, Collection<Contender> among, Figure figure) {
        Comparator<Contender> byMedian = Comparator.comparingDouble(
                one -> spread(cell, one, figure).map(Spread::median).orElse(Double.NaN));
        return among.stream()
                .filter(one -> !values(cell, one, figure).isEmpty())
                .min(figure.moreIsBetter() ? byMedian.reversed() : byMedian);
    }

    Optional<Contender> bestPeer(Cell cell, Figure figure) {
        return best(cell, cell.peers(), figure);
    }

    /** Cells of which there is any fork, in the order of the report. */
    List<Cell> cells(Comparison comparison) {
        return comparison.cells().stream()
                .filter(cell ->
                        forks.stream().anyMatch(one -> one.fork().cell().name().equals(cell.name())))
                .toList();
    }

    /** Forks in a cell that gave no measurement. */
    List<ForkResult> failures(Cell cell) {
        return forks.stream()
                .filter(result -> result.measurement() == null)
                .filter(result -> result.fork().cell().name().equals(cell.name()))
                .toList();
    }

    /** Forks of Spindle's. */
    List<ForkResult> ours() {
        return forks.stream()
                .filter(result -> result.fork().contender().family() == Contender.Family.OURS)
                .toList();
    }

    /** Whether no fork had a violation, and every fork of ours gave figures. */
    boolean clean() {
        return ours().stream().allMatch(ForkResult::clean) && forks.stream().noneMatch(ForkResult::violates);
    }

    private SortedMap<Integer, Measurement> byRound(Cell cell, Contender contender) {
        SortedMap<Integer, Measurement> found = new TreeMap<>();
        for (ForkResult result : forks) {
            Measurement measured = result.measurement();
            if (measured != null && result.of(cell, contender)) {
                found.put(result.fork().round(), measured);
            }
        }
        return found;
    }
}
