// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.pool.stage.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The names that the options take. */
final class Listing {
    private Listing() {}

    /**
     * The cells that are asked for by their own name or that of their group; without a name all, or in a short run one of
     * each kind.
     *
     * @throws IllegalArgumentException if there is no such cell and no such group
     */
    static List<Cell> cells(List<String> names, boolean quick) {
        if (names.isEmpty()) {
            return quick ? Cell.quick() : Cell.ALL;
        }
        for (String name : names) {
            if (Cell.ALL.stream().noneMatch(cell -> named(cell, name))) {
                throw new IllegalArgumentException("unknown cell '" + name + "'; there are the groups "
                        + String.join(", ", groups()) + ", and --list names the cells");
            }
        }
        return Cell.ALL.stream()
                .filter(cell -> names.stream().anyMatch(name -> named(cell, name)))
                .toList();
    }

    static String text() {
        List<String> lines = new ArrayList<>();
        lines.add("Groups of cells: " + String.join(", ", groups()));
        lines.add("Cells:");
        Cell.ALL.forEach(cell -> lines.add(entry(cell.name(), cell.title())));
        lines.add("Contenders:");
        for (Contender contender : Contender.all()) {
            String absence = contender
                    .absence()
                    .map(reason -> " (left out: " + reason + ")")
                    .orElse("");
            lines.add(entry(contender.id(), contender.title() + absence));
        }
        return lines.stream().collect(Collectors.joining(System.lineSeparator(), "", System.lineSeparator()));
    }

    private static boolean named(Cell cell, String name) {
        return cell.name().equals(name) || cell.group().equals(name);
    }

    private static List<String> groups() {
        return Cell.ALL.stream().map(Cell::group).distinct().toList();
    }

    private static String entry(String name, String title) {
        return String.format(Locale.ROOT, "  %-26s %s", name, title);
    }
}
