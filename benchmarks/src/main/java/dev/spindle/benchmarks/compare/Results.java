// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;

/** The results of all forks of a comparison. */
record Results(List<ForkResult> forks) {
    Results {
        forks = List.copyOf(forks);
    }

    /** Returns the values of one figure, one from each round that has the figure. */
    List<Double> values(Cell cell, Contender contender, Figure figure) {
        return List.copyOf(byRound(cell, contender, figure).values());
    }

    /** Returns the median of the rounds, or NaN if no round has the figure. */
    double median(Cell cell, Contender contender, Figure figure) {
        List<Double> values = values(cell, contender, figure);
        return values.isEmpty() ? Double.NaN : Spread.of(values).median();
    }

    /** Returns the finite results of a function of the values of both contenders, one from each round with both. */
    List<Double> compared(
            Cell cell, Contender contender, Contender reference, Figure figure, DoubleBinaryOperator function) {
        return List.copyOf(byRound(cell, contender, reference, figure, function).values());
    }

    /**
     * Applies a function to the values of both contenders in each round that has both, and omits results that are not
     * finite.
     */
    SortedMap<Integer, Double> byRound(
            Cell cell, Contender contender, Contender reference, Figure figure, DoubleBinaryOperator function) {
        SortedMap<Integer, Double> references = byRound(cell, reference, figure);
        SortedMap<Integer, Double> found = byRound(cell, contender, figure);
        found.keySet().retainAll(references.keySet());
        found.replaceAll((round, value) -> function.applyAsDouble(value, references.getOrDefault(round, Double.NaN)));
        found.values().removeIf(value -> !Double.isFinite(value));
        return found;
    }

    /**
     * Returns, for each round with both contenders, the factor by which {@code contender} is better than
     * {@code reference}.
     */
    List<Double> advantages(Cell cell, Contender contender, Contender reference, Figure figure) {
        boolean more = figure.moreIsBetter();
        return compared(cell, contender, reference, figure, (ours, other) -> more ? ours / other : other / ours);
    }

    /** Returns the contender with the best median, or empty if no contender has the figure. */
    Optional<Contender> best(Cell cell, Collection<Contender> among, Figure figure) {
        Comparator<Contender> byMedian = Comparator.comparingDouble(one -> median(cell, one, figure));
        return among.stream()
                .filter(one -> !values(cell, one, figure).isEmpty())
                .min(figure.moreIsBetter() ? byMedian.reversed() : byMedian);
    }

    Optional<Contender> bestPeer(Cell cell, Figure figure) {
        return best(cell, cell.of(Contender.Family.PEER), figure);
    }

    List<Cell> cells(Comparison comparison) {
        return comparison.cells().stream()
                .filter(cell -> forks.stream().anyMatch(result -> result.of(cell)))
                .toList();
    }

    List<ForkResult> ours() {
        return forks.stream().filter(ForkResult::ours).toList();
    }

    /** Returns true if no fork has a violation and every fork of Spindle has values. */
    boolean clean() {
        return ours().stream().allMatch(ForkResult::clean) && forks.stream().noneMatch(ForkResult::violates);
    }

    private SortedMap<Integer, Double> byRound(Cell cell, Contender contender, Figure figure) {
        SortedMap<Integer, Double> found = new TreeMap<>();
        forks.stream()
                .filter(result -> result.of(cell, contender) && !Double.isNaN(result.get(figure)))
                .forEach(result -> found.put(result.fork().round(), result.get(figure)));
        return found;
    }
}
