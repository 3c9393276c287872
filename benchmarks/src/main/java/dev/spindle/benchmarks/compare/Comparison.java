// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A question, and the cells that measure its contenders.
 *
 * @param name the name of the command
 * @param question the class whose static method {@code comparison()} returns this comparison in a fork
 * @param title the heading of the report
 * @param method the parts of the method of measurement that are specific to this comparison
 * @param jvmArguments supplies the JVM arguments of the forks, in addition to those of all comparisons
 */
public record Comparison(
        String name,
        Class<?> question,
        String title,
        String method,
        Supplier<List<String>> jvmArguments,
        List<Cell> cells) {
    public Comparison {
        cells = List.copyOf(cells);
    }

    public List<Contender> contenders() {
        return cells.stream()
                .flatMap(cell -> cell.contenders().stream())
                .distinct()
                .toList();
    }

    private static <T> T find(String what, String name, List<T> all, Function<T, String> nameOf) {
        return all.stream()
                .filter(one -> nameOf.apply(one).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no " + what + " '" + name + "'; there are: " + all));
    }

    /**
     * Returns a cell.
     *
     * @throws IllegalArgumentException if no cell has this name
     */
    public Cell cell(String name) {
        return find("cell", name, cells, Cell::name);
    }

    /** Returns the cells whose name or group matches one of the patterns. */
    List<Cell> cells(List<String> names) {
        List<Cell> found = cells.stream()
                .filter(cell -> named(cell.name(), names) || named(cell.group(), names))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no cell of " + names + "; there are: " + cells);
        }
        return found;
    }

    /**
     * Returns true if the name matches one of the patterns, in which an asterisk matches any characters and a question
     * mark matches one.
     */
    static boolean named(String name, List<String> patterns) {
        return patterns.stream()
                .anyMatch(pattern -> name.matches(pattern.replace("*", ".*").replace("?", ".")));
    }

    /** Returns the lines of the file with the goals, or an empty list if the file does not exist. */
    List<String> goals() {
        try (InputStream file = question.getResourceAsStream("/goals/" + name + ".txt")) {
            return file == null
                    ? List.of()
                    : new String(file.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @throws IllegalArgumentException if no figure has this field */
    Figure figure(String field) {
        return find("figure", field, figures(), Figure::field);
    }

    /** @throws IllegalArgumentException if no contender has this name */
    Contender contender(String id) {
        return find("contender", id, contenders(), Contender::id);
    }

    /** Returns all figures that any fork may measure, which are the columns of {@code forks.csv}. */
    List<Figure> figures() {
        return Stream.concat(cells.stream().flatMap(cell -> cell.figures().stream()), Figure.COMMON.stream())
                .distinct()
                .toList();
    }
}
