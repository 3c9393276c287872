// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A question that several contenders answer by their figures.
 *
 * @param name the name of the command that asks it
 * @param question the class whose {@code comparison()} a fork calls
 * @param title the head of the report
 * @param method the method of measurement, as far as it differs from that of other comparisons
 * @param jvmArguments the JVM arguments of the forks besides {@link ForkedJvm#COMPARISON}
 * @param goals the function that compares the results with the goals
 */
public record Comparison(
        String name,
        Class<?> question,
        String title,
        String method,
        Supplier<List<String>> jvmArguments,
        List<Cell> cells,
        Consumer<Judge> goals) {
    public Comparison {
        cells = List.copyOf(cells);
    }

    /** Returns all contenders that take part in any cell. */
    public List<Contender> contenders() {
        return cells.stream()
                .flatMap(cell -> cell.contenders().stream())
                .distinct()
                .toList();
    }

    /**
     * Returns the cell with the given name.
     *
     * @throws IllegalArgumentException if no cell has this name
     */
    public Cell cell(String name) {
        return cells.stream()
                .filter(cell -> cell.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no cell '" + name + "'; there are: " + cells));
    }

    /** @throws IllegalArgumentException if no contender has this name */
    Contender contender(String id) {
        return contenders().stream()
                .filter(contender -> contender.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no contender '" + id + "'"));
    }

    /** Returns all figures that any fork may measure: the columns of the raw file. */
    List<Figure> figures() {
        return Stream.concat(cells.stream().flatMap(cell -> cell.figures().stream()), Figure.COMMON.stream())
                .distinct()
                .toList();
    }
}
