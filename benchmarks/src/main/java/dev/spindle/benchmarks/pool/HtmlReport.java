// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.report.Bars;
import dev.spindle.benchmarks.report.Page;
import dev.spindle.benchmarks.report.Verdict;
import java.util.ArrayList;
import java.util.List;

/** The report for browsers: the verdicts, and the figures of each cell as pictures. */
final class HtmlReport {
    private final Results results;
    private final Machine machine;

    HtmlReport(Results results, Machine machine) {
        this.results = results;
        this.machine = machine;
    }

    /** @param verdicts none where the cells were scaled down */
    String page(List<Verdict> verdicts) {
        Page page = new Page("Small tasks, beside the peers")
                .paragraph(machine.text())
                .paragraph(Report.method())
                .legend()
                .heading("Verdict");
        if (verdicts.isEmpty()) {
            page.paragraph(Verdict.NONE);
        } else {
            page.list(Goals.summary(verdicts)).verdicts(verdicts);
        }
        for (Cell cell : results.cells()) {
            page.heading(cell.title());
            results.figures(cell).forEach(figure -> page.picture(bars(cell, figure)));
            page.picture(bars(cell, Figure.CPU_PER_TASK));
            results.failures(cell).forEach(failed -> page.paragraph("No figure: " + failed.failure()));
        }
        return page.html();
    }

    private Bars bars(Cell cell, Figure figure) {
        List<Bars.Bar> bars = new ArrayList<>();
        for (Contender contender : results.contenders(cell)) {
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
            case REFERENCE -> Bars.Kind.REFERENCE;
        };
    }
}
