// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.RunFolder;
import dev.spindle.benchmarks.report.Bars;
import dev.spindle.benchmarks.report.Page;
import dev.spindle.benchmarks.report.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The report for browsers, with the figures of each cell as pictures, and the first picture of each cell by itself. */
final class Pictures {
    private final Comparison comparison;
    private final Results results;

    Pictures(Comparison comparison, Results results) {
        this.comparison = comparison;
        this.results = results;
    }

    /** @param report what is said beside the pictures */
    String page(Machine machine, Report report) {
        Page page = new Page(comparison.title())
                .paragraph(machine.text())
                .paragraph(report.method())
                .legend()
                .heading("Verdict");
        if (report.verdicts().isEmpty()) {
            page.paragraph(Verdict.NONE);
        } else {
            page.verdicts(report.verdicts());
        }
        for (Cell cell : results.cells(comparison)) {
            page.heading(cell.title());
            cell.figures().forEach(figure -> page.picture(bars(cell, figure)));
            page.picture(bars(cell, Figure.CPU));
            results.failures(cell).forEach(failed -> page.paragraph("No figure: " + failed.failure()));
        }
        return page.html();
    }

    /** Writes a file for each cell, named after it. */
    void write(RunFolder folder) throws IOException {
        for (Cell cell : results.cells(comparison)) {
            String svg = bars(cell, cell.figures().get(0)).svg();
            if (!svg.isEmpty()) {
                folder.write("pictures/" + cell.name() + ".svg", svg);
            }
        }
    }

    private Bars bars(Cell cell, Figure figure) {
        List<Bars.Bar> bars = new ArrayList<>();
        for (Contender contender : cell.contenders()) {
            results.spread(cell, contender, figure)
                    .ifPresent(spread -> bars.add(new Bars.Bar(contender.title(), kind(contender), spread)));
        }
        return new Bars(figure.title(), figure.moreIsBetter(), bars);
    }

    private static Bars.Kind kind(Contender contender) {
        return switch (contender.family()) {
            case LIMIT -> Bars.Kind.LIMIT;
            case OURS -> Bars.Kind.OURS;
            case PEER -> Bars.Kind.PEER;
        };
    }
}
