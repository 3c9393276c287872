// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.report.Column;
import dev.spindle.benchmarks.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Compares figures with what is asked, ratio by ratio of each round, and keeps the verdicts. */
public final class Judge {
    private final Comparison comparison;
    private final Results results;
    private final List<Verdict> verdicts = new ArrayList<>();

    Judge(Comparison comparison, Results results) {
        this.comparison = comparison;
        this.results = results;
    }

    /** At least {@code factor} times as good: as fast, where the figure is a time. */
    public void atLeast(String id, String cell, Contender ours, Contender reference, Figure figure, double factor) {
        Cell place = comparison.cell(cell);
        String asked = String.format(
                Locale.ROOT, "%s: at least %s x as good as: %s", figure.title(), factor, reference.title());
        List<Double> advantages = results.advantages(place, ours, reference, figure);
        verdicts.add(Verdict.atLeast(goal(id, place, ours), asked, factor, advantages));
    }

    /**
     * At least {@code factor} times as good as the best of several.
     *
     * @param who what they have in common, for the case that none of them has a figure
     */
    public void atLeastBest(
            String id, String cell, Contender ours, List<Contender> among, String who, Figure figure, double factor) {
        Cell place = comparison.cell(cell);
        Optional<Contender> best = results.best(place, among, figure);
        if (best.isPresent()) {
            atLeast(id + ", " + who, cell, ours, best.get(), figure, factor);
        } else {
            String asked = String.format(Locale.ROOT, "%s: at least %s x as good as %s", figure.title(), factor, who);
            verdicts.add(Verdict.notMeasured(goal(id, place, ours), asked));
        }
    }

    /** At most {@code factor} times another's figure. */
    public void atMostOf(String id, String cell, Contender ours, Contender reference, Figure figure, double factor) {
        Cell place = comparison.cell(cell);
        String asked =
                String.format(Locale.ROOT, "%s: at most %s x that of: %s", figure.title(), factor, reference.title());
        List<Double> ratios = results.ratios(place, ours, reference, figure);
        verdicts.add(Verdict.atMost(goal(id, place, ours), asked, factor, ratios));
    }

    /** A median that is no ratio. */
    public void atMost(String id, String cell, Contender ours, Figure figure, double limit) {
        Cell place = comparison.cell(cell);
        verdicts.add(
                Verdict.atMost(goal(id, place, ours), asked(figure, limit), limit, results.values(place, ours, figure))
                        .unlessDisturbed(foreign(place, ours)));
    }

    /** A figure that no round may exceed. */
    public void never(String id, String cell, Contender ours, Figure figure, double limit) {
        Cell place = comparison.cell(cell);
        verdicts.add(
                Verdict.never(goal(id, place, ours), asked(figure, limit), limit, results.values(place, ours, figure))
                        .unlessDisturbed(foreign(place, ours)));
    }

    /** A figure that nothing of ours may exceed in any round of any cell, but for some cells. */
    public void neverOfOurs(String goal, List<String> exceptions, Figure figure, double limit) {
        List<Double> values = new ArrayList<>();
        for (Cell cell : comparison.cells()) {
            if (!exceptions.contains(cell.name())) {
                cell.contenders().stream()
                        .filter(one -> one.family() == Contender.Family.OURS)
                        .forEach(one -> values.addAll(results.values(cell, one, figure)));
            }
        }
        verdicts.add(Verdict.never(goal, asked(figure, limit), limit, values));
    }

    /** What every comparison asks: nothing of ours lost, doubled or out of order, and every fork ends. */
    List<Verdict> verdicts() {
        comparison.goals().judge(this);
        List<ForkResult> ours = results.ours();
        List<Double> violations = new ArrayList<>();
        for (ForkResult result : ours) {
            Measurement measured = result.measurement();
            if (measured != null) {
                violations.add((double) measured.violations());
            }
        }
        verdicts.add(Verdict.never("every cell", "nothing of Spindle's lost, doubled or out of order", 0, violations));
        long failed =
                ours.stream().filter(result -> result.measurement() == null).count();
        if (failed > 0) {
            verdicts.add(new Verdict(
                    "every cell", "every fork of Spindle's ends", failed + " did not", Verdict.Outcome.NOT_REACHED));
        }
        return List.copyOf(verdicts);
    }

    private double foreign(Cell cell, Contender contender) {
        return results.spread(cell, contender, Figure.FOREIGN)
                .map(Spread::median)
                .orElse(Double.NaN);
    }

    private static String asked(Figure figure, double limit) {
        return figure.title() + ": at most " + Column.number(limit);
    }

    private static String goal(String id, Cell cell, Contender ours) {
        return id + ": " + cell.title() + "; " + ours.title();
    }
}
