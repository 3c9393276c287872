// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.Verdict;
import dev.spindle.benchmarks.pool.stage.Figure;
import java.util.List;

/** The report as one page that needs nothing else: the verdicts, and the figures of each cell as pictures. */
final class HtmlReport {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>Small tasks, beside the peers</title>
            <style>
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 960px; margin: 2em auto; padding: 0 1em; color: #222; }
            figure { margin: 0.5em 0 1.5em; overflow-x: auto; }
            figcaption { color: #555; }
            svg text { font-size: 13px; fill: #222; }
            .name { text-anchor: end; }
            .ours { fill: #1769aa; } .peer { fill: #b8c4cc; } .best { fill: #7d8f99; } .limit { fill: #e3dcc8; }
            line.limit { stroke: #8a6d1b; stroke-dasharray: 5 4; }
            .range { stroke: #222; fill: none; }
            table { border-collapse: collapse; } td, th { border-bottom: 1px solid #ddd; padding: 2px 8px; text-align: left; }
            </style>
            </head>
            <body>
            <h1>Small tasks, beside the peers</h1>
            """;

    private final Results results;
    private final Machine machine;

    HtmlReport(Results results, Machine machine) {
        this.results = results;
        this.machine = machine;
    }

    /** @param verdicts none where the cells were scaled down */
    String page(List<Verdict> verdicts) {
        StringBuilder page = new StringBuilder(HEAD);
        paragraph(page, machine.text());
        paragraph(page, Report.method());
        paragraph(
                page,
                "Behind each bar: the median, and its ratio to the strongest peer, which is darker than the others."
                        + " The whisker goes from the smallest round to the largest; the dashed line is the limit.");
        page.append("<h2>Verdict</h2>\n");
        if (verdicts.isEmpty()) {
            paragraph(page, Report.NO_VERDICT);
        } else {
            verdicts(page, verdicts);
        }
        for (Cell cell : results.cells()) {
            page.append("<h2 id=\"").append(cell.name()).append("\">").append(escape(cell.title()));
            page.append("</h2>\n");
            results.figures(cell).forEach(figure -> page.append(Chart.of(results, cell, figure)));
            page.append(Chart.of(results, cell, Figure.CPU_PER_TASK));
            for (ForkResult failed : results.failures(cell)) {
                paragraph(
                        page,
                        "No figure: round " + failed.round() + ", "
                                + failed.contender().title() + ": " + failed.problem());
            }
        }
        return page.append("</body>\n</html>\n").toString();
    }

    private static void verdicts(StringBuilder page, List<Verdict> verdicts) {
        page.append("<ul>\n");
        Goals.summary(verdicts)
                .forEach(line -> page.append("<li>").append(escape(line)).append("</li>\n"));
        page.append("</ul>\n<table><tr><th>goal</th><th>asked</th><th>got</th><th></th></tr>\n");
        for (Verdict verdict : Report.measured(verdicts)) {
            page.append("<tr><td>").append(escape(verdict.goal()));
            page.append("</td><td>").append(escape(verdict.asked()));
            page.append("</td><td>").append(escape(verdict.got()));
            page.append("</td><td>")
                    .append(escape(verdict.outcome().text().replace("*", "")))
                    .append("</td></tr>\n");
        }
        page.append("</table>\n");
    }

    private static void paragraph(StringBuilder page, String text) {
        page.append("<p>").append(escape(text)).append("</p>\n");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
