// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.report.Column;
import dev.spindle.benchmarks.report.Verdict;
import dev.spindle.benchmarks.report.Verdict.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Compares Spindle's figures in a cell with what is asked, and keeps the verdicts. */
final class Judge {
    static final Contender OURS = Contender.SPINDLE;

    private static final int MANY_PROCESSORS = 16;

    private final Results results;
    private final int processors;
    private final List<Verdict> verdicts = new ArrayList<>();

    Judge(Results results, int processors) {
        this.results = results;
        this.processors = processors;
    }

    Results results() {
        return results;
    }

    int processors() {
        return processors;
    }

    boolean manyProcessors() {
        return processors >= MANY_PROCESSORS;
    }

    List<Verdict> verdicts() {
        return List.copyOf(verdicts);
    }

    void add(Verdict verdict) {
        verdicts.add(verdict);
    }

    void againstBest(String id, Cell cell, Figure figure, double factor) {
        Optional<Contender> best = results.strongestPeer(cell, figure);
        if (best.isPresent()) {
            against(id, cell, figure, best.get(), factor);
        } else {
            add(notMeasured(cell, goal(id, cell), asked(figure, factor, "the best peer")));
        }
    }

    void against(String id, Cell cell, Figure figure, Contender reference, double factor) {
        List<Double> ratios = results.ratios(cell, OURS, reference, figure);
        String asked = asked(figure, factor, reference.title());
        add(
                ratios.isEmpty()
                        ? notMeasured(cell, goal(id, cell), asked)
                        : compared(goal(id, cell), asked, figure, factor, ratios));
    }

    void atMost(String id, Cell cell, Figure figure, double limit) {
        double foreign =
                results.spread(cell, OURS, Figure.FOREIGN).map(Spread::median).orElse(Double.NaN);
        add(Verdict.atMost(
                        goal(id, cell),
                        figure.title() + ": at most " + Column.number(limit),
                        limit,
                        results.values(cell, OURS, figure))
                .unlessDisturbed(foreign));
    }

    /** One verdict over many cells: missed if one of them is missed. */
    Verdict each(
            String goal,
            String asked,
            double factor,
            List<Cell> cells,
            Figure figure,
            Function<Cell, Optional<Contender>> reference) {
        List<Verdict> parts = new ArrayList<>();
        String worst = "";
        double worstRatio = figure.moreIsBetter() ? Double.POSITIVE_INFINITY : 0;
        for (Cell cell : cells) {
            List<Double> ratios = reference
                    .apply(cell)
                    .map(other -> results.ratios(cell, OURS, other, figure))
                    .orElse(List.of());
            parts.add(compared(goal, asked, figure, factor, ratios));
            if (!ratios.isEmpty()) {
                double median = Spread.of(ratios).median();
                if (worst.isEmpty() || (figure.moreIsBetter() ? median < worstRatio : median > worstRatio)) {
                    worstRatio = median;
                    worst = cell.name();
                }
            }
        }
        if (worst.isEmpty()) {
            return Verdict.notMeasured(goal, asked);
        }
        String got = String.format(
                Locale.ROOT,
                "%d of %d cells reached, %d not; worst median %.2f in %s",
                Goals.count(parts, Outcome.REACHED),
                parts.size(),
                Goals.count(parts, Outcome.NOT_REACHED),
                worstRatio,
                worst);
        return new Verdict(goal, asked, got, Goals.all(parts));
    }

    /** With the reason, where this machine is it. */
    static Verdict notMeasured(Cell cell, String goal, String asked) {
        return cell.confinement()
                .absence()
                .map(reason -> Verdict.notMeasured(goal, asked, reason))
                .orElse(Verdict.notMeasured(goal, asked));
    }

    static String goal(String id, Cell cell) {
        return id + ": " + cell.title();
    }

    private static Verdict compared(String goal, String asked, Figure figure, double factor, List<Double> ratios) {
        return figure.moreIsBetter()
                ? Verdict.atLeast(goal, asked, factor, ratios)
                : Verdict.atMost(goal, asked, factor, ratios);
    }

    private static String asked(Figure figure, double factor, String reference) {
        return figure.title() + ": at " + (figure.moreIsBetter() ? "least " : "most ") + factor + " x " + reference;
    }
}
