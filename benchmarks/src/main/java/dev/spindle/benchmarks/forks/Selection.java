// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.util.List;
import picocli.CommandLine.Option;

/** The options that pick what a comparison consists of. */
public final class Selection {
    @Option(
            names = "--cells",
            paramLabel = "NAME",
            split = ",",
            description = "Only these cells, with commas between them; --list names them.")
    private List<String> cells = List.of();

    @Option(
            names = "--contenders",
            paramLabel = "NAME",
            split = ",",
            description = "Only these contenders, with commas between them; --list names them.")
    private List<String> contenders = List.of();

    @Option(names = "--list", description = "Names the cells and the contenders, and ends.")
    private boolean list;

    /** The cells asked for; none means all. */
    public List<String> cells() {
        return cells;
    }

    /** The contenders asked for; none means all. */
    public List<String> contenders() {
        return contenders;
    }

    /** Whether only the names are wanted. */
    public boolean list() {
        return list;
    }

    /** What to say when none of these contenders takes part in any of these cells. */
    public String nothingChosen() {
        return "none of the contenders " + contenders + " takes part in the cells " + cells;
    }

    /** Whether neither cells nor contenders are asked for. */
    public boolean isEmpty() {
        return cells.isEmpty() && contenders.isEmpty();
    }
}
