// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A question put to several contenders.
 *
 * @param name the command that asks it
 * @param question the class whose {@code comparison()} a fork calls
 * @param title the head of the report
 * @param method how it was measured, besides what is the same for all comparisons
 * @param jvmArguments what the forks of a run need besides {@link ForkedJvm#COMPARISON}
 * @param goals compares what was found with what is asked
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

    /** Returns all that take part in any cell. */
    public List<Contender> contenders() {
        return cells.stream()
                .flatMap(cell -> cell.contenders().stream())
                .distinct()
                .toList();
    }

    /**
     * Returns the cell of a name.
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

    /** Returns all figures that any fork may find: the columns of the raw file. */
    List<Figure> figures() {
        return Stream.concat(cells.stream().flatMap(cell -> cell.figures().stream()), Figure.COMMON.stream())
                .distinct()
                .toList();
    }
}
