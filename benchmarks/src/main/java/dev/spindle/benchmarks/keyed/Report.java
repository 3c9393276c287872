// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.Column;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.RawFile;
import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.forks.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The tables and the verdict as Markdown, and the raw figures of each fork as CSV. */
final class Report {
    private final Results results;

    Report(Results results) {
        this.results = results;
    }

    String markdown(int processors, boolean fullSize) {
        StringBuilder text = new StringBuilder();
        text.append("# Order per key, beside the peers\n\n").append(method(processors));
        for (Cell cell : results.cells()) {
            text.append("\n## ").append(cell.title()).append("\n\n");
            text.append(cell.blocks() ? blockedTable(cell) : timeTable(cell));
            text.append(failures(cell));
        }
        text.append("\n## Verdict\n\n");
        if (fullSize) {
            text.append(Verdict.table(Goals.judge(results, processors)));
        } else {
            text.append("None: the cells were scaled down, and the goals speak of their full size.\n");
        }
        return text.toString();
    }

    String csv() {
        return RawFile.text(results.forks().stream()
                .map(fork -> new RawFile.Row(
                        fork.round(),
                        fork.cell().name(),
                        fork.contender().id(),
                        fork.problem(),
                        fields(fork.measurement())))
                .toList());
    }

    private static Map<String, String> fields(@Nullable Measurement measurement) {
        return measurement == null ? Map.of() : measurement.fields();
    }

    private static String method(int processors) {
        return String.format(
                Locale.ROOT, """
                Java %s on %d processors. Each figure is the median over the rounds [smallest to largest]; a round is a \
                forked JVM, whose own figure is the median of its passes. One thread submits. Threads: most live ones \
                above those before the contender was made, the producer not counted. Context switches: of those \
                threads and the producer, per pass. Violations: events out of order, overlapping, lost or doubled, in \
                the checked pass of each fork. Foreign: what other processes took of the machine; rounds above %.0f %% \
                are counted behind it, and none is left out.
                """, System.getProperty("java.version"), processors, MachineLoad.FOREIGN_LIMIT);
    }

    private String timeTable(Cell cell) {
        StringBuilder table = new StringBuilder();
        table.append(
                "| contender | ms | x limit | threads | CPU ms | switches vol. / invol. | violations | foreign % |\n");
        table.append("|---|---|---|---|---|---|---|---|\n");
        for (Contender contender : measured(cell)) {
            List<Double> ratios = results.timeRatios(cell, contender, Contender.LIMIT);
            table.append(Column.row(List.of(
                    contender.title(),
                    range(cell, contender, Measurement::millis),
                    Column.median(ratios),
                    threads(cell, contender),
                    median(cell, contender, Measurement::cpuMillis),
                    median(cell, contender, Measurement::voluntary) + " / "
                            + median(cell, contender, Measurement::involuntary),
                    violations(cell, contender),
                    foreign(cell, contender))));
        }
        return table.toString();
    }

    private String blockedTable(Cell cell) {
        StringBuilder table = new StringBuilder();
        table.append(
                "| contender | longest wait of the other keys, ms | with none blocked, ms | threads | foreign % |\n");
        table.append("|---|---|---|---|---|\n");
        for (Contender contender : measured(cell)) {
            table.append(Column.row(List.of(
                    contender.title(),
                    range(cell, contender, Measurement::delayMillis),
                    range(cell, contender, Measurement::quietDelayMillis),
                    threads(cell, contender),
                    foreign(cell, contender))));
        }
        return table.toString();
    }

    private String failures(Cell cell) {
        List<String> lines = new ArrayList<>();
        for (Contender contender : Contender.values()) {
            for (ForkResult failed : results.failures(cell, contender)) {
                lines.add("round " + failed.round() + ", " + contender.title() + ": " + failed.problem());
            }
        }
        return Column.failures(lines);
    }

    private List<Contender> measured(Cell cell) {
        return Arrays.stream(Contender.values())
                .filter(contender ->
                        !results.values(cell, contender, Measurement::threads).isEmpty())
                .toList();
    }

    private String range(Cell cell, Contender contender, ToDoubleFunction<Measurement> figure) {
        return Column.range(results.values(cell, contender, figure));
    }

    private String median(Cell cell, Contender contender, ToDoubleFunction<Measurement> figure) {
        return Column.median(results.values(cell, contender, figure));
    }

    private String threads(Cell cell, Contender contender) {
        Optional<Spread> spread = results.spread(cell, contender, Measurement::threads);
        return spread.map(found -> String.format(Locale.ROOT, "%.0f", found.max()))
                .orElse("-");
    }

    private String violations(Cell cell, Contender contender) {
        return Column.sum(results.values(cell, contender, Measurement::violations));
    }

    private String foreign(Cell cell, Contender contender) {
        return Column.foreign(results.values(cell, contender, Measurement::foreignPercent));
    }
}
