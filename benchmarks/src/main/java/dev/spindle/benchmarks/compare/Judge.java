// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.report.Column;
import dev.spindle.benchmarks.report.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** Compares figures with what is asked, ratio by ratio of each round, and keeps the verdicts. */
public final class Judge {
    private final Comparison comparison;
    private final Results results;
    private final List<Verdict> verdicts;
    private final boolean onlyCalm;

    Judge(Comparison comparison, Results results) {
        this(comparison, results, new ArrayList<>(), false);
    }

    private Judge(Comparison comparison, Results results, List<Verdict> verdicts, boolean onlyCalm) {
        this.comparison = comparison;
        this.results = results;
        this.verdicts = verdicts;
        this.onlyCalm = onlyCalm;
    }

    /**
     * A judge of the same results, for contenders of several processes: what neighbours took may be the one's or the
     * other's then, so a ratio measured beside them is inconclusive.
     */
    public Judge onlyCalm() {
        return new Judge(comparison, results, verdicts, true);
    }

    /** At least {@code factor} times as good: as fast, where the figure is a time. */
    public void atLeast(String id, String cell, Contender ours, Contender reference, Figure figure, double factor) {
        Cell place = comparison.cell(cell);
        String asked = String.format(
                Locale.ROOT, "%s: at least %s x as good as: %s", figure.title(), factor, reference.title());
        List<Double> advantages = results.advantages(place, ours, reference, figure);
        Verdict verdict = Verdict.atLeast(goal(id, place, ours), asked, factor, advantages);
        verdicts.add(checked(verdict, place, ours, reference));
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

    /** At least, or where less is better at most, {@code factor} times another's figure. */
    public void against(String id, Cell cell, Contender ours, Contender reference, Figure figure, double factor) {
        if (figure.moreIsBetter()) {
            atLeast(id, cell.name(), ours, reference, figure, factor);
        } else {
            atMostOf(id, cell.name(), ours, reference, figure, factor);
        }
    }

    /** The best of the peers in a cell, if any has a figure. */
    public Optional<Contender> best(Cell cell, Figure figure) {
        return results.bestPeer(cell, figure);
    }

    /** The same with the best of the peers. */
    public void againstBest(String id, Cell cell, Contender ours, Figure figure, double factor) {
        results.bestPeer(cell, figure).ifPresent(best -> against(id, cell, ours, best, figure, factor));
    }

    /** One verdict over many cells: missed if one of them is missed. */
    public void each(
            String goal,
            String asked,
            List<Cell> cells,
            Contender ours,
            Figure figure,
            double factor,
            Function<Cell, Optional<Contender>> reference) {
        int sign = figure.moreIsBetter() ? 1 : -1;
        List<Verdict.Outcome> outcomes = new ArrayList<>();
        String worst = "";
        double worstRatio = Double.NaN;
        for (Cell cell : cells) {
            List<Double> ratios = reference
                    .apply(cell)
                    .map(other -> results.ratios(cell, ours, other, figure))
                    .orElse(List.of());
            if (!ratios.isEmpty()) {
                Verdict part = sign > 0
                        ? Verdict.atLeast(goal, asked, factor, ratios)
                        : Verdict.atMost(goal, asked, factor, ratios);
                outcomes.add(part.outcome());
                double median = Spread.of(ratios).median();
                if (worst.isEmpty() || sign * median < sign * worstRatio) {
                    worstRatio = median;
                    worst = cell.name();
                }
            }
        }
        if (!outcomes.isEmpty()) {
            long reached = Collections.frequency(outcomes, Verdict.Outcome.REACHED);
            long missed = Collections.frequency(outcomes, Verdict.Outcome.NOT_REACHED);
            String got = String.format(
                    Locale.ROOT,
                    "%d of %d cells reached, %d not; worst median %.2f in %s",
                    reached,
                    outcomes.size(),
                    missed,
                    worstRatio,
                    worst);
            Verdict.Outcome all = missed > 0
                    ? Verdict.Outcome.NOT_REACHED
                    : reached == outcomes.size() ? Verdict.Outcome.REACHED : Verdict.Outcome.INCONCLUSIVE;
            verdicts.add(new Verdict(goal, asked, got, all));
        }
    }

    /** The geometric mean of the ratios of many cells, round by round, over the cells that have one in that round. */
    public void meanAtLeast(
            String goal,
            String asked,
            List<Cell> cells,
            Contender ours,
            Contender reference,
            Figure figure,
            double factor) {
        SortedMap<Integer, List<Double>> logarithms = new TreeMap<>();
        cells.forEach(cell -> results.byRound(cell, ours, reference, figure, (our, other) -> Math.log(our / other))
                .forEach((round, logarithm) -> logarithms
                        .computeIfAbsent(round, none -> new ArrayList<>())
                        .add(logarithm)));
        List<Double> means = logarithms.values().stream()
                .map(all -> Math.exp(
                        all.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN)))
                .toList();
        verdicts.add(Verdict.atLeast(goal, asked, factor, means));
    }

    /** At most another's figure, by difference, since that may be 0. */
    public void noMoreThan(String id, Cell cell, Contender ours, Contender reference, Figure figure) {
        String goal = goal(id, cell, ours);
        String asked = figure.title() + ": at most that of " + reference.title() + "; above it";
        List<Double> above = List.copyOf(results.byRound(cell, ours, reference, figure, (our, other) -> our - other)
                .values());
        verdicts.add(
                above.isEmpty()
                        ? Verdict.notMeasured(goal, asked, cell.absence().orElse("-"))
                        : Verdict.atMost(goal, asked, 0, above));
    }

    /** At most {@code factor} times another's figure. */
    public void atMostOf(String id, String cell, Contender ours, Contender reference, Figure figure, double factor) {
        Cell place = comparison.cell(cell);
        String asked =
                String.format(Locale.ROOT, "%s: at most %s x that of: %s", figure.title(), factor, reference.title());
        List<Double> ratios = results.ratios(place, ours, reference, figure);
        Verdict verdict = Verdict.atMost(goal(id, place, ours), asked, factor, ratios);
        verdicts.add(checked(verdict, place, ours, reference));
    }

    /** A median that is no ratio. */
    public void atMost(String id, String cell, Contender ours, Figure figure, double limit) {
        Cell place = comparison.cell(cell);
        verdicts.add(
                Verdict.atMost(goal(id, place, ours), asked(figure, limit), limit, results.values(place, ours, figure))
                        .unlessDisturbed(foreign(place, ours)));
    }

    /** A median that is no ratio, of which more is better. */
    public void atLeast(String id, String cell, Contender ours, Figure figure, double limit) {
        Cell place = comparison.cell(cell);
        String asked = figure.title() + ": at least " + Column.number(limit);
        verdicts.add(Verdict.atLeast(goal(id, place, ours), asked, limit, results.values(place, ours, figure))
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

    private Verdict checked(Verdict verdict, Cell cell, Contender ours, Contender reference) {
        double most = DoubleStream.of(foreign(cell, ours), foreign(cell, reference))
                .filter(percent -> !Double.isNaN(percent)) // not known of the one says nothing of the other
                .max()
                .orElse(Double.NaN);
        return onlyCalm ? verdict.onlyIfCalm(most) : verdict;
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
