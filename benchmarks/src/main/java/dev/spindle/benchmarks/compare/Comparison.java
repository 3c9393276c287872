// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.ForkedJvm;
import java.util.ArrayList;
import java.util.List;

/**
 * A question put to several contenders.
 *
 * @param main what a fork starts; hands its arguments to {@link CompareFork#run}
 * @param title the head of the report
 * @param method what the report says about how it was measured, beside what is the same for all comparisons
 * @param jvmArguments what the forks need beside {@link ForkedJvm#COMPARISON}
 * @param goals what is asked
 */
public record Comparison(
        Class<?> main, String title, String method, List<String> jvmArguments, List<Cell> cells, Goals goals) {

    /** Compares what was found with what is asked. */
    public interface Goals {
        void judge(Judge judge);
    }

    public Comparison {
        jvmArguments = List.copyOf(jvmArguments);
        cells = List.copyOf(cells);
    }

    /** All that take part in any cell. */
    List<Contender> contenders() {
        return cells.stream()
                .flatMap(cell -> cell.contenders().stream())
                .distinct()
                .toList();
    }

    /** @throws IllegalArgumentException if there is none of this name */
    Cell cell(String name) {
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

    List<String> jvm() {
        List<String> arguments = new ArrayList<>(ForkedJvm.COMPARISON);
        arguments.addAll(jvmArguments);
        return arguments;
    }

    /** All figures that any fork may find: the columns of the raw file. */
    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        cells.forEach(cell -> figures.addAll(cell.figures()));
        figures.addAll(Figure.COMMON);
        return figures.stream().distinct().toList();
    }
}
