// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Measurement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All forks of a comparison, and what can be asked of them. */
final class Results {
    private record Place(String cell, Contender contender) {}

    private final List<ForkResult> forks;
    private final Map<Place, SortedMap<Integer, Measurement>> measured = new HashMap<>();

    Results(List<ForkResult> forks) {
        this.forks = List.copyOf(forks);
        for (ForkResult fork : forks) {
            Measurement measurement = fork.measurement();
            if (measurement != null) {
                measured.computeIfAbsent(new Place(fork.cell().name(), fork.contender()), none -> new TreeMap<>())
                        .put(fork.round(), measurement);
            }
        }
    }

    List<ForkResult> forks() {
        return forks;
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

    /** The figure of {@code contender} divided by that of {@code reference}, round by round. */
    SortedMap<Integer, Double> ratiosByRound(Cell cell, Contender contender, Contender reference, Figure figure) {
        Map<Integer, Measurement> references = byRound(cell, reference);
        SortedMap<Integer, Double> ratios = new TreeMap<>();
        byRound(cell, contender).forEach((round, measurement) -> {
            Measurement other = references.get(round);
            if (other != null) {
                double ratio = measurement.get(figure) / other.get(figure);
                if (Double.isFinite(ratio)) {
                    ratios.put(round, ratio);
                }
            }
        });
        return ratios;
    }

    /** The figure of {@code contender} less that of {@code reference}, one from each round that has both. */
    List<Double> differences(Cell cell, Contender contender, Contender reference, Figure figure) {
        Map<Integer, Measurement> references = byRound(cell, reference);
        List<Double> differences = new ArrayList<>();
        byRound(cell, contender).forEach((round, measurement) -> {
            Measurement other = references.get(round);
            double difference = other == null ? Double.NaN : measurement.get(figure) - other.get(figure);
            if (!Double.isNaN(difference)) {
                differences.add(difference);
            }
        });
        return differences;
    }

    /** What a cell's tables show: its own figures, and system calls where they were counted. */
    List<Figure> figures(Cell cell) {
        List<Figure> figures = new ArrayList<>(cell.figures());
        if (Contender.all().stream()
                .anyMatch(contender -> !values(cell, contender, Figure.FUTEX).isEmpty())) {
            figures.addAll(List.of(Figure.FUTEX_WAIT, Figure.FUTEX_WAKE));
        }
        return figures;
    }

    List<Double> ratios(Cell cell, Contender contender, Contender reference, Figure figure) {
        return List.copyOf(ratiosByRound(cell, contender, reference, figure).values());
    }

    /** The peer with the best median of a figure in a cell. */
    Optional<Contender> strongestPeer(Cell cell, Figure figure) {
        Comparator<Contender> byMedian = Comparator.comparingDouble(
                peer -> spread(cell, peer, figure).map(Spread::median).orElse(Double.NaN));
        return Contender.peers().stream()
                .filter(peer -> !values(cell, peer, figure).isEmpty())
                .min(figure.moreIsBetter() ? byMedian.reversed() : byMedian);
    }

    /** Those with a measurement in a cell, in the order of the rows. */
    List<Contender> contenders(Cell cell) {
        return Contender.all().stream()
                .filter(contender -> !byRound(cell, contender).isEmpty())
                .toList();
    }

    /** Forks in a cell that gave no measurement. */
    List<ForkResult> failures(Cell cell) {
        return forks.stream()
                .filter(fork -> fork.measurement() == null && fork.cell().name().equals(cell.name()))
                .toList();
    }

    /** Cells of which there is any fork, in the order of the report. */
    List<Cell> cells() {
        List<String> names =
                forks.stream().map(fork -> fork.cell().name()).distinct().toList();
        List<Cell> cells = new ArrayList<>(Cell.ALL);
        cells.removeIf(cell -> !names.contains(cell.name()));
        return cells;
    }

    /** Whether every task of every fork ran exactly once, and every fork of ours gave a figure. */
    boolean complete() {
        return forks.stream()
                .allMatch(fork -> fork.measurement() == null ? fork.contender() != Contender.SPINDLE : fork.complete());
    }

    private SortedMap<Integer, Measurement> byRound(Cell cell, Contender contender) {
        return measured.getOrDefault(new Place(cell.name(), contender), new TreeMap<>());
    }
}
