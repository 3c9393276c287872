// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Compares figures with goals, by the ratios of each round, and keeps the verdicts. */
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
     * Returns a judge of the same results for contenders of several processes. Other processes may take processors from
     * any of them, so a ratio measured with foreign load is inconclusive.
     */
    public Judge onlyCalm() {
        return new Judge(comparison, results, verdicts, true);
    }

    /** Requires a figure at least {@code factor} times as good; for a time, {@code factor} times as fast. */
    public void atLeast(String id, String cell, Contender ours, Contender reference, Figure figure, double factor) {
        Cell place = comparison.cell(cell);
        String asked = asked(figure, "at least", factor, "as good as: " + reference.title());
        List<Double> advantages = results.advantages(place, ours, reference, figure);
        add(Verdict.atLeast(goal(id, place, ours), asked, factor, advantages), place, ours, reference);
    }

    /**
     * Requires a figure at least {@code factor} times as good as the best of several contenders.
     *
     * @param common the name of what the contenders have in common
     */
    public void atLeastBest(
            String id,
            String cell,
            Contender ours,
            List<Contender> among,
            String common,
            Figure figure,
            double factor) {
        Cell place = comparison.cell(cell);
        Optional<Contender> best = results.best(place, among, figure);
        if (best.isPresent()) {
            atLeast(id + ", " + common, cell, ours, best.get(), figure, factor);
        } else {
            verdicts.add(Verdict.notMeasured(
                    goal(id, place, ours), asked(figure, "at least", factor, "as good as " + common)));
        }
    }

    /** Requires at least, or at most if less is better, {@code factor} times the other's figure. */
    public void against(String id, Cell cell, Contender ours, Contender reference, Figure figure, double factor) {
        if (figure.moreIsBetter()) {
            atLeast(id, cell.name(), ours, reference, figure, factor);
        } else {
            atMostOf(id, cell.name(), ours, reference, figure, factor);
        }
    }

    /** Returns the best of the peers in a cell, if any has a figure. */
    public Optional<Contender> best(Cell cell, Figure figure) {
        return results.bestPeer(cell, figure);
    }

    /** Requires at least, or at most if less is better, {@code factor} times the figure of the best peer. */
    public void againstBest(String id, Cell cell, Contender ours, Figure figure, double factor) {
        best(cell, figure).ifPresent(peer -> against(id, cell, ours, peer, figure, factor));
    }

    /**
     * Requires at least, or at most if less is better, {@code factor} times the other's figure in each of many cells.
     */
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
        SortedMap<Double, String> medians = new TreeMap<>();
        for (Cell cell : cells) {
            List<Double> ratios = reference
                    .apply(cell)
                    .map(other -> results.ratios(cell, ours, other, figure))
                    .orElse(List.of());
            if (!ratios.isEmpty()) {
                outcomes.add(Verdict.judged(goal, asked, factor, ratios, -sign).outcome());
                medians.put(sign * Spread.of(ratios).median(), cell.name());
            }
        }
        if (!outcomes.isEmpty()) {
            int reached = Collections.frequency(outcomes, Verdict.Outcome.REACHED);
            int missed = Collections.frequency(outcomes, Verdict.Outcome.NOT_REACHED);
            double worst = medians.firstKey();
            String got = String.format(
                    Locale.ROOT,
                    "%d of %d cells reached, %d not; worst median %.2f in %s",
                    reached,
                    outcomes.size(),
                    missed,
                    sign * worst,
                    medians.get(worst));
            Verdict.Outcome all = missed > 0
                    ? Verdict.Outcome.NOT_REACHED
                    : reached == outcomes.size() ? Verdict.Outcome.REACHED : Verdict.Outcome.INCONCLUSIVE;
            verdicts.add(new Verdict(goal, asked, got, all));
        }
    }

    /** Requires at least {@code factor} as the geometric mean of the ratios of many cells, round by round. */
    public void meanAtLeast(
            String goal,
            String asked,
            List<Cell> cells,
            Contender ours,
            Contender reference,
            Figure figure,
            double factor) {
        SortedMap<Integer, List<Double>> logarithms = new TreeMap<>();
        for (Cell cell : cells) {
            results.byRound(cell, ours, reference, figure, (our, other) -> Math.log(our / other))
                    .forEach((round, logarithm) -> logarithms
                            .computeIfAbsent(round, none -> new ArrayList<>())
                            .add(logarithm));
        }
        List<Double> means = logarithms.values().stream()
                .map(all -> Math.exp(
                        all.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN)))
                .toList();
        verdicts.add(Verdict.atLeast(goal, asked, factor, means));
    }

    /** Requires at most the other's figure. It judges the difference, since the other's figure may be 0. */
    public void noMoreThan(String id, Cell cell, Contender ours, Contender reference, Figure figure) {
        String goal = goal(id, cell, ours);
        String asked = figure.title() + ": at most that of " + reference.title() + "; above it";
        List<Double> above = List.copyOf(results.byRound(cell, ours, reference, figure, (our, other) -> our - other)
                .values());
        verdicts.add(
                above.isEmpty()
                        ? new Verdict(goal, asked, cell.absence().orElse("-"), Verdict.Outcome.NOT_MEASURED)
                        : Verdict.atMost(goal, asked, 0, above));
    }

    /** Requires at most {@code factor} times the other's figure. */
    public void atMostOf(String id, String cell, Contender ours, Contender reference, Figure figure, double factor) {
        Cell place = comparison.cell(cell);
        String asked = asked(figure, "at most", factor, "that of: " + reference.title());
        List<Double> ratios = results.ratios(place, ours, reference, figure);
        add(Verdict.atMost(goal(id, place, ours), asked, factor, ratios), place, ours, reference);
    }

    /** Requires a median of at most {@code limit}. */
    public void atMost(String id, String cell, Contender ours, Figure figure, double limit) {
        Cell place = comparison.cell(cell);
        List<Double> values = results.values(place, ours, figure);
        verdicts.add(Verdict.atMost(goal(id, place, ours), asked(figure, limit), limit, values)
                .unlessDisturbed(results.median(place, ours, Figure.FOREIGN)));
    }

    /** Requires a median of at least {@code limit}. */
    public void atLeast(String id, String cell, Contender ours, Figure figure, double limit) {
        Cell place = comparison.cell(cell);
        String asked = figure.title() + ": at least " + Column.number(limit);
        verdicts.add(Verdict.atLeast(goal(id, place, ours), asked, limit, results.values(place, ours, figure))
                .unlessDisturbed(results.median(place, ours, Figure.FOREIGN)));
    }

    /** Requires at most {@code limit} in every round. */
    public void never(String id, String cell, Contender ours, Figure figure, double limit) {
        Cell place = comparison.cell(cell);
        List<Double> values = results.values(place, ours, figure);
        verdicts.add(Verdict.never(goal(id, place, ours), asked(figure, limit), limit, values)
                .unlessDisturbed(results.median(place, ours, Figure.FOREIGN)));
    }

    /** Requires at most {@code limit} in every round of every cell, except some, by each contender of ours. */
    public void neverOfOurs(String goal, List<String> exceptions, Figure figure, double limit) {
        List<Double> values = results.ours().stream()
                .filter(result -> !exceptions.contains(result.fork().cell().name()))
                .map(result -> result.get(figure))
                .filter(value -> !value.isNaN())
                .toList();
        verdicts.add(Verdict.never(goal, asked(figure, limit), limit, values));
    }

    /** Returns the verdicts; every comparison also requires that each fork of ours ends without a violation. */
    List<Verdict> verdicts() {
        comparison.goals().accept(this);
        List<Double> violations = results.ours().stream()
                .filter(ForkResult::measured)
                .map(result -> result.get(Figure.VIOLATIONS))
                .toList();
        verdicts.add(Verdict.never("every cell", "nothing of Spindle's lost, doubled or out of order", 0, violations));
        long failed =
                results.ours().stream().filter(result -> !result.measured()).count();
        if (failed > 0) {
            verdicts.add(new Verdict(
                    "every cell", "every fork of Spindle's ends", failed + " did not", Verdict.Outcome.NOT_REACHED));
        }
        return List.copyOf(verdicts);
    }

    private void add(Verdict verdict, Cell cell, Contender ours, Contender reference) {
        double one = results.median(cell, ours, Figure.FOREIGN);
        double other = results.median(cell, reference, Figure.FOREIGN);
        double most = Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.max(one, other);
        verdicts.add(onlyCalm ? verdict.onlyIfCalm(most) : verdict);
    }

    private static String asked(Figure figure, String relation, double factor, String reference) {
        return String.format(Locale.ROOT, "%s: %s %s x %s", figure.title(), relation, factor, reference);
    }

    private static String asked(Figure figure, double limit) {
        return figure.title() + ": at most " + Column.number(limit);
    }

    private static String goal(String id, Cell cell, Contender ours) {
        return id + ": " + cell.title() + "; " + ours.title();
    }
}
