// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.ArrayList;
import java.util.List;

/** A table in plain text: the first column flush left, the others flush right, all as wide as they need to be. */
final class TextTable {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... header) {
        rows.add(List.of(header));
    }

    /** Adds a row, which must have as many cells as the header. */
    void row(String... cells) {
        if (cells.length != rows.get(0).size()) {
            throw new IllegalArgumentException(
                    cells.length + " cells in a table of " + rows.get(0).size() + " columns");
        }
        rows.add(List.of(cells));
    }

    @Override
    public String toString() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                String cell = row.get(i);
                String padding = " ".repeat(widths[i] - cell.length());
                text.append(i == 0 ? cell + padding : GAP + padding + cell);
            }
            text.append(System.lineSeparator());
        }
        return text.toString();
    }
}
