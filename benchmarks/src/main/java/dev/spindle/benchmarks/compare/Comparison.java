// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.ForkedJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A question put to several contenders.
 *
 * @param name the command that asks it
 * @param main what a fork starts; hands its arguments to {@link CompareFork#run}
 * @param title the head of the report
 * @param method how it was measured, beside what is the same for all comparisons
 * @param jvmArguments what the forks of a run need beside {@link ForkedJvm#COMPARISON}
 * @param goals what is asked
 * @param appendix what the report says beside the tables of the cells; empty for nothing
 */
public record Comparison(
        String name,
        Class<?> main,
        String title,
        String method,
        Supplier<List<String>> jvmArguments,
        List<Cell> cells,
        Goals goals,
        Function<Medians, String> appendix) {

    /** Compares what was found with what is asked. */
    public interface Goals {
        void judge(Judge judge);
    }

    /** What an appendix is made of. */
    public interface Medians {
        /** The median of the rounds; NaN where there is none. */
        double of(Cell cell, Contender contender, Figure figure);
    }

    public Comparison {
        cells = List.copyOf(cells);
    }

    /** A comparison that the tables of its cells say all of. */
    public Comparison(
            String name,
            Class<?> main,
            String title,
            String method,
            Supplier<List<String>> jvmArguments,
            List<Cell> cells,
            Goals goals) {
        this(name, main, title, method, jvmArguments, cells, goals, none -> "");
    }

    /** All that take part in any cell. */
    public List<Contender> contenders() {
        return cells.stream()
                .flatMap(cell -> cell.contenders().stream())
                .distinct()
                .toList();
    }

    /**
     * Returns the cell of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Cell cell(String name) {
        return cells.stream()
                .filter(cell -> cell.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no cell '" + name + "'; there are: " + cells));
    }

    /** @throws IllegalArgumentException if there is none of this name */
    Contender contender(String id) {
        return contenders().stream()
                .filter(contender -> contender.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no contender '" + id + "'"));
    }

    /** All figures that any fork may find: the columns of the raw file. */
    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        cells.forEach(cell -> figures.addAll(cell.figures()));
        figures.addAll(Figure.COMMON);
        return figures.stream().distinct().toList();
    }
}
