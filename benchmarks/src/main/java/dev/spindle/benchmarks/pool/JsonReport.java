// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Measurement;
import dev.spindle.benchmarks.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Everything that was found, for programs: the machine, each fork, the spread of each figure, and the verdicts. */
final class JsonReport {
    private JsonReport() {}

    static String text(Results results, Machine machine, Plan.Terms terms, List<Verdict> verdicts) {
        List<String> parts = new ArrayList<>();
        parts.add("\"machine\": " + machine(machine));
        parts.add("\"quick\": " + terms.quick());
        parts.add("\"steps_per_us\": " + number(terms.stepsPerMicro()));
        parts.add("\"forks\": "
                + list(results.forks().stream().map(JsonReport::fork).toList()));
        parts.add("\"spreads\": " + list(spreads(results)));
        parts.add("\"verdicts\": "
                + list(verdicts.stream().map(JsonReport::verdict).toList()));
        return parts.stream().collect(Collectors.joining(",\n", "{\n", "\n}\n"));
    }

    private static String machine(Machine machine) {
        return "{\"java\": " + string(machine.java()) + ", \"vm\": " + string(machine.vm()) + ", \"system\": "
                + string(machine.system()) + ", \"processor\": " + string(machine.processor()) + ", \"processors\": "
                + machine.processors() + "}";
    }

    private static String fork(ForkResult fork) {
        Measurement measurement = fork.measurement();
        Map<Figure, Double> figures = measurement == null ? Map.of() : measurement.figures();
        String values = figures.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> string(entry.getKey().field()) + ": " + number(entry.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
        return "{\"round\": " + fork.round() + ", \"cell\": "
                + string(fork.cell().name()) + ", \"contender\": "
                + string(fork.contender().id()) + ", \"problem\": " + string(fork.problem()) + ", \"figures\": "
                + values + "}";
    }

    private static List<String> spreads(Results results) {
        List<String> lines = new ArrayList<>();
        for (Cell cell : results.cells()) {
            for (Contender contender : results.contenders(cell)) {
                for (Figure figure : Figure.values()) {
                    results.spread(cell, contender, figure)
                            .ifPresent(spread -> lines.add(spread(cell, contender, figure, spread)));
                }
            }
        }
        return lines;
    }

    private static String spread(Cell cell, Contender contender, Figure figure, Spread spread) {
        return "{\"cell\": " + string(cell.name()) + ", \"contender\": " + string(contender.id()) + ", \"figure\": "
                + string(figure.field()) + ", \"median\": " + number(spread.median()) + ", \"min\": "
                + number(spread.min()) + ", \"max\": " + number(spread.max()) + ", \"rounds\": " + spread.count() + "}";
    }

    private static String verdict(Verdict verdict) {
        return "{\"goal\": " + string(verdict.goal()) + ", \"asked\": " + string(verdict.asked()) + ", \"got\": "
                + string(verdict.got()) + ", \"outcome\": "
                + string(verdict.outcome().name().toLowerCase(Locale.ROOT)) + "}";
    }

    private static String list(List<String> values) {
        return values.isEmpty() ? "[]" : values.stream().collect(Collectors.joining(",\n  ", "[\n  ", "\n]"));
    }

    private static String number(double value) {
        return Double.isFinite(value) ? Double.toString(value) : "null";
    }

    private static String string(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == '"' || letter == '\\') {
                json.append('\\').append(letter);
            } else if (letter < ' ') {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) letter));
            } else {
                json.append(letter);
            }
        }
        return json.append('"').toString();
    }
}
