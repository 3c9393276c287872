// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.RawFile;
import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.forks.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The tables and the verdict as Markdown, and the raw figures of each fork as CSV. */
final class Report {
    private final List<CoalesceFork.Result> results;

    Report(List<CoalesceFork.Result> results) {
        this.results = results;
    }

    String markdown(int processors, boolean fullSize) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT, """
                # Latest value per key, beside the peers

                Java %s on %d processors. Each figure is the median over the rounds [smallest to largest]; a round is a \
                forked JVM. Time from the first update until the last was shown, for each update; processor time of \
                the whole process, made updates included. Ratio: updates for each one shown. Threads: beside the \
                producers. Violations: shown twice or after a later one of the producer and key, and keys whose last \
                update was not shown. Foreign: what other processes took of the machine; rounds above %.0f %% are \
                counted behind it, and none is left out.
                """, System.getProperty("java.version"), processors, MachineLoad.FOREIGN_LIMIT));
        for (Cell cell : Cell.ALL) {
            if (results.stream().anyMatch(one -> one.cell().name().equals(cell.name()))) {
                text.append("\n## ").append(cell.title()).append("\n\n").append(table(cell));
            }
        }
        text.append("\n## Verdict\n\n");
        text.append(fullSize ? Verdict.table(verdicts()) : "None: the cells were scaled down.\n");
        return text.toString();
    }

    private String table(Cell cell) {
        StringBuilder table = new StringBuilder("| contender | ns | M updates/s | CPU ns | ratio | threads | violations"
                + " | foreign % |\n|---|---|---|---|---|---|---|---|\n");
        for (Contender contender : Contender.values()) {
            List<Double> nanos = values(cell, contender, Measurement::nanos);
            if (nanos.isEmpty()) {
                continue;
            }
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %.1f | %s | %s | %.0f | %.0f | %s |%n",
                    contender.title(),
                    range(nanos),
                    1_000 / Spread.of(nanos).median(),
                    range(values(cell, contender, Measurement::cpuNanos)),
                    number(median(cell, contender, Measurement::ratio)),
                    Spread.of(values(cell, contender, Measurement::threads)).max(),
                    values(cell, contender, Measurement::violations).stream()
                            .mapToDouble(Double::doubleValue)
                            .sum(),
                    foreign(cell, contender)));
        }
        for (CoalesceFork.Result result : results) {
            if (result.cell().name().equals(cell.name()) && result.measurement() == null) {
                table.append("\nNo figure: round ").append(result.round()).append(", ");
                table.append(result.contender().title())
                        .append(": ")
                        .append(result.problem())
                        .append('\n');
            }
        }
        return table.toString();
    }

    private List<Verdict> verdicts() {
        List<Verdict> verdicts = new ArrayList<>();
        faster(verdicts, Cell.K10_P1, 0.5);
        faster(verdicts, Cell.K10000_P1, 5);
        List<Double> violations = new ArrayList<>();
        for (CoalesceFork.Result result : results) {
            Measurement measured = result.measurement();
            if (result.contender().isOurs()) {
                violations.add(measured == null ? 1.0 : measured.violations());
            }
        }
        verdicts.add(
                Verdict.never("MSG11, every cell", "every last update shown, none after a later one", 0, violations));
        return verdicts;
    }

    private void faster(List<Verdict> to, Cell cell, double factor) {
        Map<Integer, Double> peer = byRound(cell, Contender.RING, Measurement::nanos);
        List<Double> ratios = new ArrayList<>();
        byRound(cell, Contender.SPINDLE, Measurement::nanos).forEach((round, nanos) -> {
            Double other = peer.get(round);
            if (other != null) {
                ratios.add(other / nanos);
            }
        });
        to.add(Verdict.atLeast(
                "MSG11, " + cell.title(),
                "at least " + factor + " x as fast as: " + Contender.RING.title(),
                factor,
                ratios));
    }

    /** Whether every fork of Spindle's ended, and with nothing lost and nothing out of order. */
    boolean clean() {
        return results.stream().filter(result -> result.contender().isOurs()).allMatch(result -> {
            Measurement measured = result.measurement();
            return measured != null && measured.violations() == 0;
        });
    }

    String csv() {
        return RawFile.text(results.stream()
                .map(result -> new RawFile.Row(
                        result.round(),
                        result.cell().name(),
                        result.contender().id(),
                        result.problem(),
                        fields(result)))
                .toList());
    }

    private static Map<String, String> fields(CoalesceFork.Result result) {
        Measurement measured = result.measurement();
        return measured == null ? Map.of() : measured.fields();
    }

    private Map<Integer, Double> byRound(Cell cell, Contender contender, ToDoubleFunction<Measurement> figure) {
        Map<Integer, Double> found = new TreeMap<>();
        for (CoalesceFork.Result result : results) {
            Measurement measured = result.measurement();
            if (measured != null && result.cell().name().equals(cell.name()) && result.contender() == contender) {
                found.put(result.round(), figure.applyAsDouble(measured));
            }
        }
        return found;
    }

    private List<Double> values(Cell cell, Contender contender, ToDoubleFunction<Measurement> figure) {
        return byRound(cell, contender, figure).values().stream()
                .filter(value -> !value.isNaN())
                .toList();
    }

    private double median(Cell cell, Contender contender, ToDoubleFunction<Measurement> figure) {
        return Spread.of(values(cell, contender, figure)).median();
    }

    private String foreign(Cell cell, Contender contender) {
        List<Double> values = values(cell, contender, Measurement::foreignPercent);
        long disturbed = values.stream()
                .filter(value -> value > MachineLoad.FOREIGN_LIMIT)
                .count();
        String median = values.isEmpty() ? "-" : number(Spread.of(values).median());
        return disturbed == 0 ? median : median + " (" + disturbed + " of " + values.size() + " rounds)";
    }

    private static String range(List<Double> values) {
        Spread spread = Spread.of(values);
        return number(spread.median()) + " [" + number(spread.min()) + " to " + number(spread.max()) + "]";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.1f", value);
    }

    static List<Contender> contenders() {
        return Arrays.asList(Contender.values());
    }
}
