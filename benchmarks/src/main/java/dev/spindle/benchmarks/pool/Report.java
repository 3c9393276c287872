// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.report.Column;
import dev.spindle.benchmarks.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The tables and the verdicts as Markdown. */
final class Report {
    private final Results results;
    private final Machine machine;
    private final boolean fullSize;

    /** @param fullSize whether the cells ran as they are; else there is no verdict */
    Report(Results results, Machine machine, boolean fullSize) {
        this.results = results;
        this.machine = machine;
        this.fullSize = fullSize;
    }

    String markdown() {
        StringBuilder text = new StringBuilder("# Small tasks, beside the peers\n\n");
        text.append(machine.text()).append("\n\n").append(method()).append("\n\n");
        text.append("## At a glance\n\n").append(overview());
        for (Cell cell : results.cells()) {
            text.append("\n## ")
                    .append(cell.title())
                    .append(" (`")
                    .append(cell.name())
                    .append("`)\n\n");
            text.append(table(cell)).append(failures(cell));
        }
        text.append("\n## Verdict\n\n");
        if (fullSize) {
            List<Verdict> verdicts = verdicts();
            Goals.summary(verdicts)
                    .forEach(line -> text.append("- ").append(line).append('\n'));
            text.append('\n').append(Verdict.table(measured(verdicts)));
        } else {
            text.append(Verdict.NONE).append('\n');
        }
        return text.toString();
    }

    /** Without the parts of which there is nothing to say. */
    static List<Verdict> measured(List<Verdict> verdicts) {
        return verdicts.stream().filter(Verdict::telling).toList();
    }

    List<Verdict> verdicts() {
        return Goals.judge(results, machine.processors());
    }

    static String method() {
        return String.format(Locale.ROOT, """
                Each figure is the median over the rounds [smallest to largest]; a round is a forked JVM with one contender \
                and one cell. A task is a loop of so many steps, the same for all forks of this run. CPU is that of the \
                whole process. Context switches: of the contender's threads and the producer. Threads: most live ones above \
                those before the contender was made; virtual threads do not count. Foreign: what other processes took of the \
                machine; rounds above %.0f %% are counted behind it, and none is left out.""", MachineLoad.FOREIGN_LIMIT);
    }

    /** A line for each cell: who is strongest, and how Spindle stands beside it. */
    private String overview() {
        StringBuilder table = new StringBuilder();
        table.append("| cell | figure | Spindle | strongest peer | its figure | Spindle / peer | Spindle / limit |\n");
        table.append("|---|---|---|---|---|---|---|\n");
        for (Cell cell : results.cells()) {
            Figure figure = cell.figures().get(0);
            Optional<Contender> best = results.strongestPeer(cell, figure);
            table.append(Column.row(List.of(
                    "`" + cell.name() + "`",
                    figure.title(),
                    median(cell, Contender.SPINDLE, figure),
                    best.map(Contender::title).orElse("-"),
                    best.map(peer -> median(cell, peer, figure)).orElse("-"),
                    best.map(peer -> ratio(cell, Contender.SPINDLE, peer, figure))
                            .orElse("-"),
                    ratio(cell, Contender.SPINDLE, Contender.LIMIT, figure))));
        }
        return table.toString();
    }

    private String table(Cell cell) {
        List<Figure> figures = results.figures(cell);
        Figure first = figures.get(0);
        Optional<Contender> best = results.strongestPeer(cell, first);
        StringBuilder table = new StringBuilder("| contender | ");
        table.append(figures.stream().map(Figure::title).collect(Collectors.joining(" | ")));
        table.append(
                " | x strongest peer | CPU us/task | switches/task vol. / invol. | threads | miscounted | foreign % |\n");
        table.append("|---".repeat(figures.size() + 7)).append("|\n");
        for (Contender contender : results.contenders(cell)) {
            List<String> columns = new ArrayList<>();
            columns.add(contender.title());
            figures.forEach(figure -> columns.add(Column.range(results.values(cell, contender, figure))));
            columns.add(best.map(peer -> ratio(cell, contender, peer, first)).orElse("-"));
            columns.add(median(cell, contender, Figure.CPU_PER_TASK));
            columns.add(
                    median(cell, contender, Figure.VOLUNTARY) + " / " + median(cell, contender, Figure.INVOLUNTARY));
            columns.add(median(cell, contender, Figure.THREADS));
            columns.add(Column.sum(results.values(cell, contender, Figure.MISCOUNTED)));
            columns.add(Column.foreign(results.values(cell, contender, Figure.FOREIGN)));
            table.append(Column.row(columns));
        }
        return table.toString();
    }

    private String failures(Cell cell) {
        return Column.failures(
                results.failures(cell).stream().map(ForkResult::failure).toList());
    }

    private String median(Cell cell, Contender contender, Figure figure) {
        return Column.median(results.values(cell, contender, figure));
    }

    private String ratio(Cell cell, Contender contender, Contender reference, Figure figure) {
        return Column.median(results.ratios(cell, contender, reference, figure));
    }
}
