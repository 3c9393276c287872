// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.gateway.drive.Figures;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.report.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The table of the study "Async vs Synchronous programming", row by row and with its columns. */
final class StudyTable {
    /** @param was what the study says of the same row */
    private record Row(String title, String cell, boolean guarded, String was) {}

    private static final List<Row> ROWS = List.of(
            new Row("1) rest only, 1,800", "one-1800", false, "1.75"),
            new Row("2) large multicast, 300", "large-300", false, "3.8"),
            new Row("3) large multicast, 800", "large-800", false, "5.4"),
            new Row("4) large multicast, 1,200", "large-1200", false, "> 5.4; breakdown"),
            new Row("5) small multicast, 300", "small-300", false, "2.4"),
            new Row("6) small multicast, 800", "small-800", false, "3.1"),
            new Row("7) large multicast, resilience, 100", "large-100", true, "> 5.4"),
            new Row("8) large multicast, resilience, 300", "large-300", true, "> 6.0; breakdown"),
            new Row("9) large multicast, resilience, 800", "large-800", true, "> 6.0; breakdown"),
            new Row("10) pipeline, resilience, 800", "steps-800", true, "not measured"),
            new Row("rest only, resilience, 1,800", "one-1800", true, ""),
            new Row("small multicast, resilience, 300", "small-300", true, ""),
            new Row("small multicast, resilience, 800", "small-800", true, ""),
            new Row("pipeline, 800", "steps-800", false, ""));

    private StudyTable() {}

    /** Empty where none of its rows was measured. */
    static String markdown(List<Cell> cells, Comparison.Medians medians) {
        List<String> rows = new ArrayList<>();
        for (Row row : ROWS) {
            Cell cell = cells.stream()
                    .filter(one -> one.name().equals(row.cell))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no cell " + row.cell));
            Contender platform = row.guarded ? Contenders.TOMCAT_GUARDED : Contenders.TOMCAT;
            Contender virtual = row.guarded ? Contenders.TOMCAT_VIRTUAL_GUARDED : Contenders.TOMCAT_VIRTUAL;
            Contender async = row.guarded ? Contenders.GATEWAY_GUARDED : Contenders.GATEWAY;
            if (!Double.isNaN(medians.of(cell, async, Figures.CPU))) {
                rows.add(Column.row(List.of(
                        row.title,
                        shown(cell, platform, medians),
                        shown(cell, virtual, medians),
                        shown(cell, async, medians),
                        gain(cell, platform, async, medians),
                        gain(cell, virtual, async, medians),
                        row.was)));
            }
        }
        if (rows.isEmpty()) {
            return "";
        }
        return "\n## The study's table\n\ncpu, user and sys in % of a processor; CPU gains are ratios of processor time"
                + " per request.\n\n"
                + Column.row(List.of(
                        "test, concurrency",
                        "sync: Tomcat, platform threads",
                        "sync: Tomcat, virtual threads",
                        "async: Spindle",
                        "CPU gain over platform threads",
                        "over virtual threads",
                        "gain in the study"))
                + "|---".repeat(7) + "|\n" + String.join("", rows);
    }

    private static String shown(Cell cell, Contender contender, Comparison.Medians medians) {
        if (Double.isNaN(medians.of(cell, contender, Figures.CPU))) {
            return "-";
        }
        return String.format(
                Locale.ROOT,
                "latency %s ms, cpu %s (user %s, sys %s), %s threads",
                Column.number(medians.of(cell, contender, Figures.MEAN)),
                Column.number(medians.of(cell, contender, Figures.CPU_PERCENT)),
                Column.number(medians.of(cell, contender, Figures.USER_PERCENT)),
                Column.number(medians.of(cell, contender, Figures.SYSTEM_PERCENT)),
                Column.number(medians.of(cell, contender, Figures.ALL_THREADS)));
    }

    private static String gain(Cell cell, Contender sync, Contender async, Comparison.Medians medians) {
        double gain = medians.of(cell, sync, Figures.CPU) / medians.of(cell, async, Figures.CPU);
        return Double.isNaN(gain) ? "-" : Column.number(gain) + " x";
    }
}
