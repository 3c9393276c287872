// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Measurement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;

/** Made-up figures. */
final class Samples {
    static final int ROUNDS = 5;
    static final Machine MACHINE = new Machine("17.0.15", "VM \"x\" 1", "Linux 6", "Processor <R>", 2);

    private Samples() {}

    static Cell cell(String name) {
        return Cell.named(name).orElseThrow();
    }

    static Plan.Terms terms(boolean quick) {
        return new Plan.Terms(quick, 500, Optional.empty());
    }

    /** Every figure of the cell is this value, and so is the processor time. */
    static Measurement measurement(Cell cell, double value) {
        return measurement(cell, figure -> value);
    }

    static Measurement measurement(Cell cell, ToDoubleFunction<Figure> values) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        cell.figures().forEach(figure -> figures.put(figure, values.applyAsDouble(figure)));
        figures.put(Figure.CPU_PER_TASK, values.applyAsDouble(Figure.CPU_PER_TASK));
        figures.put(Figure.FOREIGN, 1.0);
        figures.put(Figure.THREADS, 8.0);
        figures.put(Figure.MISCOUNTED, 0.0);
        return new Measurement(figures);
    }

    static Measurement with(Measurement measurement, Figure figure, double value) {
        Map<Figure, Double> figures = new EnumMap<>(measurement.figures());
        figures.put(figure, value);
        return new Measurement(figures);
    }

    static ForkResult result(int round, Cell cell, Contender contender, Measurement measurement) {
        return ForkResult.measured(new Plan.Fork(round, cell, contender), measurement);
    }

    /** Enough rounds of all cells and contenders. */
    static Results results(BiFunction<Cell, Contender, Measurement> figures) {
        List<ForkResult> forks = new ArrayList<>();
        for (int round = 1; round <= ROUNDS; round++) {
            for (Cell cell : Cell.ALL) {
                for (Contender contender : Contender.values()) {
                    if (contender.takesPart(cell.workload())) {
                        forks.add(result(round, cell, contender, figures.apply(cell, contender)));
                    }
                }
            }
        }
        return new Results(forks);
    }
}
