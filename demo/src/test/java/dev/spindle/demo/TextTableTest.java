// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void toString_cellsOfAnyWidth_areAligned() {
        TextTable table = new TextTable("", "wall", "n");
        table.row("spindle", "1", "1,000");

        assertThat(table.toString().lines()).containsExactly("         wall      n", "spindle     1  1,000");
    }

    @Test
    void row_wrongNumberOfCells_isRefused() {
        TextTable table = new TextTable("a", "b");

        assertThatThrownBy(() -> table.row("1")).hasMessage("1 cells in a table of 2 columns");
    }
}
