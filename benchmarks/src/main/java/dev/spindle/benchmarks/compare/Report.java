// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.report.Column;
import dev.spindle.benchmarks.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The tables and the verdicts as Markdown. */
final class Report {
    private final Comparison comparison;
    private final Results results;
    private final List<Verdict> verdicts;

    /** @param fullSize whether the cells ran as they are; else there is no verdict */
    Report(Comparison comparison, Results results, boolean fullSize) {
        this.comparison = comparison;
        this.results = results;
        verdicts = fullSize
                ? new Judge(comparison, results)
                        .verdicts().stream().filter(Verdict::telling).toList()
                : List.of();
    }

    String markdown(Machine machine) {
        StringBuilder text = new StringBuilder();
        text.append("# ").append(comparison.title()).append("\n\n");
        text.append(machine.text()).append("\n\n");
        text.append(method()).append("\n\n## At a glance\n\n").append(overview());
        for (Cell cell : results.cells(comparison)) {
            text.append("\n## ").append(cell.title());
            text.append(" (`").append(cell.name()).append("`)\n\n");
            text.append(table(cell)).append(failures(cell));
        }
        text.append(comparison
                .appendix()
                .apply((cell, contender, figure) -> results.spread(cell, contender, figure)
                        .map(Spread::median)
                        .orElse(Double.NaN)));
        text.append("\n## Verdict\n\n");
        text.append(verdicts.isEmpty() ? Verdict.NONE + "\n" : Verdict.table(verdicts));
        return text.toString();
    }

    /** How it was measured. */
    private String method() {
        return comparison.method() + " " + String.format(Locale.ROOT, """
                Each figure is the median over the rounds [smallest to largest]; a round is a forked JVM with one \
                contender and one cell, warmed up until the JVM's compilers had little to do. CPU is that of the \
                whole process, context switches are those of the contender's threads and of those that feed it. \
                Threads: most live ones above those before the contender was made, those that feed it included. \
                Processors apart: what a cache line takes from one to the other and back, between the passes. Cold: \
                of the passes that began in the first tenth of a second of passes, before the warm-up was over. x \
                limit: how many times as good the limit is, the same work without any hand-over. Violations: what \
                was lost, doubled or out of order. Foreign: what other processes took of the machine. A round above \
                %.0f %% runs again, at most as often as `--repeats` says, and the calmest counts, whatever its \
                figure; what is still above is counted behind it.""", MachineLoad.FOREIGN_LIMIT);
    }

    /** A line for each cell and each contender of ours: who is the best peer, and how ours stands beside it. */
    private String overview() {
        StringBuilder table =
                new StringBuilder("| cell | ours | figure | got | best peer | its figure | x as good |\n");
        table.append("|---".repeat(7)).append("|\n");
        for (Cell cell : results.cells(comparison)) {
            Figure figure = cell.figures().get(0);
            Optional<Contender> best = results.bestPeer(cell, figure);
            for (Contender ours : cell.contenders()) {
                if (ours.family() == Contender.Family.OURS) {
                    table.append(Column.row(List.of(
                            "`" + cell.name() + "`",
                            "`" + ours.id() + "`",
                            figure.title(),
                            Column.median(results.values(cell, ours, figure)),
                            best.map(peer -> "`" + peer.id() + "`").orElse("-"),
                            best.map(peer -> Column.median(results.values(cell, peer, figure)))
                                    .orElse("-"),
                            best.map(peer -> Column.median(results.advantages(cell, ours, peer, figure)))
                                    .orElse("-"))));
                }
            }
        }
        return table.toString();
    }

    private String table(Cell cell) {
        List<Figure> figures = new ArrayList<>(cell.figures());
        Figure first = figures.get(0);
        Figure.COMMON.stream()
                .skip(Figure.COMMON.indexOf(Figure.COLD))
                .filter(figure -> cell.contenders().stream()
                        .anyMatch(one -> !results.values(cell, one, figure).isEmpty()))
                .forEach(figures::add);
        Optional<Contender> best = results.bestPeer(cell, first);
        Optional<Contender> limit = cell.limit();
        StringBuilder table = new StringBuilder("| contender | ");
        table.append(figures.stream().map(Figure::title).collect(Collectors.joining(" | ")));
        limit.ifPresent(none -> table.append(" | x limit"));
        table.append(" | x as good as the best peer | CPU ns/op | switches/op vol. / invol. | threads | violations");
        table.append(" | foreign % |\n");
        table.append("|---".repeat(figures.size() + (limit.isPresent() ? 8 : 7)))
                .append("|\n");
        for (Contender contender : cell.contenders()) {
            if (results.values(cell, contender, Figure.PASSES).isEmpty()) {
                continue;
            }
            List<String> columns = new ArrayList<>();
            columns.add(contender.title());
            figures.forEach(figure -> columns.add(Column.range(results.values(cell, contender, figure))));
            limit.ifPresent(one -> columns.add(Column.median(results.advantages(cell, one, contender, first))));
            columns.add(best.map(peer -> Column.median(results.advantages(cell, contender, peer, first)))
                    .orElse("-"));
            columns.add(Column.median(results.values(cell, contender, Figure.CPU)));
            columns.add(Column.median(results.values(cell, contender, Figure.VOLUNTARY)) + " / "
                    + Column.median(results.values(cell, contender, Figure.INVOLUNTARY)));
            columns.add(Column.median(results.values(cell, contender, Figure.THREADS)));
            columns.add(Column.sum(results.values(cell, contender, Figure.VIOLATIONS)));
            columns.add(Column.foreign(results.values(cell, contender, Figure.FOREIGN)));
            table.append(Column.row(columns));
        }
        return table.toString();
    }

    private String failures(Cell cell) {
        return Column.failures(
                results.failures(cell).stream().map(ForkResult::failure).toList());
    }
}
