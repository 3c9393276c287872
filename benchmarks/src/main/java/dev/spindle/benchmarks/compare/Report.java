// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the tables and the verdicts as Markdown. */
final class Report {
    private static final String NO_VERDICT =
            "None: the cells were scaled down and ran once. This says nothing about speed.\n";

    private final Comparison comparison;
    private final Results results;
    private final boolean fullSize;

    /** @param fullSize false if the cells were scaled down; the report then has no verdict */
    Report(Comparison comparison, Results results, boolean fullSize) {
        this.comparison = comparison;
        this.results = results;
        this.fullSize = fullSize;
    }

    String markdown() {
        StringBuilder text = new StringBuilder();
        text.append("# ").append(comparison.title()).append("\n\n");
        text.append(machine()).append("\n\n").append(method());
        text.append("\n\n");
        for (Cell cell : results.cells(comparison)) {
            text.append("## ").append(cell.title()).append(" (`").append(cell.name());
            text.append("`)\n\n").append(table(cell)).append(failures(cell)).append("\n");
        }
        text.append("## Verdict\n\n");
        if (!fullSize) {
            return text.append(NO_VERDICT).toString();
        }
        List<Verdict> verdicts = new ArrayList<>(new Judge(comparison, results).verdicts());
        verdicts.removeIf(verdict -> verdict.outcome() == Verdict.Outcome.NOT_MEASURED);
        return text.append(Verdict.table(verdicts)).toString();
    }

    private String method() {
        return comparison.method() + String.format(Locale.ROOT, """
             Each figure is the median over the rounds [smallest to largest]; a round is a forked JVM with one \
            contender and one cell, warmed up until the JVM's compilers had little to do. CPU is that of the whole \
            process, context switches are those of the contender's threads and of those that feed it. Threads: most \
            live ones above those before the contender was made. Cold: the passes that began in the first tenth of a \
            second of passes. x limit: how many times as good the limit is, the same work without any \
            hand-over. Violations: operations lost, doubled or out of order. Foreign: what other processes took of \
            the machine; a round above %.0f %% ran again, at most twice, and the calmest counts.\
            """, MachineLoad.FOREIGN_LIMIT);
    }

    private String table(Cell cell) {
        List<Figure> figures = new ArrayList<>(cell.figures());
        Figure.OPTIONAL.stream()
                .filter(figure -> cell.contenders().stream()
                        .anyMatch(one -> !results.values(cell, one, figure).isEmpty()))
                .forEach(figures::add);
        Optional<Contender> best = results.bestPeer(cell, figures.get(0));
        List<Contender> limit = cell.of(Contender.Family.LIMIT);
        StringBuilder table = new StringBuilder("| contender | ");
        table.append(figures.stream().map(Figure::title).collect(Collectors.joining(" | ")));
        table.append(limit.isEmpty() ? "" : " | x limit");
        table.append(" | x as good as the best peer | CPU ns/op | switches/op vol. / invol. | threads | violations");
        table.append(" | foreign % |\n");
        table.append("|---".repeat(figures.size() + (limit.isEmpty() ? 7 : 8))).append("|\n");
        for (Contender contender : cell.contenders()) {
            if (results.values(cell, contender, Figure.PASSES).isEmpty()) {
                continue;
            }
            List<String> columns = new ArrayList<>();
            columns.add(contender.title());
            figures.forEach(figure -> columns.add(Spread.range(results.values(cell, contender, figure))));
            if (!limit.isEmpty()) {
                columns.add(Spread.median(results.advantages(cell, limit.get(0), contender, figures.get(0))));
            }
            columns.add(advantage(cell, contender, best));
            columns.add(Spread.median(results.values(cell, contender, Figure.CPU)));
            columns.add(Spread.median(results.values(cell, contender, Figure.VOLUNTARY)) + " / "
                    + Spread.median(results.values(cell, contender, Figure.INVOLUNTARY)));
            columns.add(Spread.median(results.values(cell, contender, Figure.THREADS)));
            columns.add(Spread.sum(results.values(cell, contender, Figure.VIOLATIONS)));
            columns.add(Spread.foreign(results.values(cell, contender, Figure.FOREIGN)));
            table.append(Spread.row(columns));
        }
        return table.toString();
    }

    private String advantage(Cell cell, Contender contender, Optional<Contender> best) {
        Figure figure = cell.figures().get(0);
        return best.map(peer -> Spread.median(results.advantages(cell, contender, peer, figure)))
                .orElse("-");
    }

    private String failures(Cell cell) {
        String reasons = results.forks().stream()
                .filter(result -> result.of(cell) && !result.measured())
                .map(result -> "- round " + result.fork().round() + ", "
                        + result.fork().contender().title() + ": " + result.problem() + "\n")
                .collect(Collectors.joining());
        return reasons.isEmpty() ? "" : "\nForks without a figure:\n\n" + reasons;
    }

    static String machine() {
        return "Java " + property("java.version") + " (" + property("java.vm.name") + " " + property("java.vm.version")
                + ") on " + Runtime.getRuntime().availableProcessors() + " processors: " + processor() + ", "
                + property("os.name") + " " + property("os.version") + ".";
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(property("os.arch"));
        } catch (IOException e) {
            return property("os.arch");
        }
    }

    private static String property(String name) {
        return Objects.requireNonNullElse(System.getProperty(name), "unknown");
    }
}
