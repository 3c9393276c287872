// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Compares the figures of each round with the goals of a comparison. Each line of {@code goals/NAME.txt} is a goal. The
 * columns are the name, the cells or groups, the contender, the field of the figure, and one of these requirements:
 *
 * <pre>
 *   &gt;= 3 good jdk       at least 3 times as good as jdk, so 3 times as fast if the figure is a time
 *   &lt;= 1.05 of limit    at most 1.05 times the limit's figure; also &gt;= 0.95 of plain
 *   &lt;= 10               at most 10; also &gt;= 90
 *   never 50            at most 50 in every round
 *   &lt;= 0 above tpe      at most tpe's figure, which may be 0: the difference is judged
 * </pre>
 * <p>{@code best} is the best peer of the cell, and {@code best:a,b*} is the best of the named contenders. If
 * {@code each} precedes the cells, one verdict covers all cells; if {@code mean} precedes them, the verdict is on their
 * geometric mean. {@code 2/4} is 2 on fewer than 16 processors and 4 otherwise; {@code p+2} is the number of processors
 * plus 2. If the file contains the line {@code calm}, a ratio measured under foreign load is inconclusive. Foreign load
 * slows contenders with several processes differently from contenders with one.
 */
final class Judge {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private final Comparison comparison;
    private final Results results;
    private final List<Verdict> verdicts = new ArrayList<>();
    private final boolean onlyCalm;

    Judge(Comparison comparison, Results results) {
        this.comparison = comparison;
        this.results = results;
        onlyCalm = comparison.goals().contains("calm");
    }

    /** Returns the verdicts. Every comparison also requires that each fork of Spindle ends without a violation. */
    List<Verdict> verdicts() {
        comparison.goals().stream().filter(line -> line.contains("|")).forEach(this::judge);
        never("every cell", Figure.VIOLATIONS, "nothing of Spindle's lost, doubled or out of order", 0, List.of());
        long failed =
                results.ours().stream().filter(result -> !result.measured()).count();
        if (failed > 0) {
            verdicts.add(new Verdict(
                    "every cell", "every fork of Spindle's ends", failed + " did not", Verdict.Outcome.NOT_REACHED));
        }
        return List.copyOf(verdicts);
    }

    private void judge(String line) {
        String[] columns =
                Arrays.stream(line.split(" \\| ", -1)).map(String::strip).toArray(String[]::new);
        String id = columns[0];
        String[] words = columns[4].split(" ", -1);
        Goal goal = new Goal(words[0], number(words[1]), words.length > 2 ? words[2] : "", words[words.length - 1]);
        Figure figure = comparison.figure(columns[3]);
        String[] names = columns[1].split(" ", -1);
        List<Cell> cells = comparison.cells(List.of(names[names.length - 1].split(",", -1)));
        if (columns[2].equals("all of ours")) {
            never(id, figure, figure.title() + ": at most " + Spread.number(goal.factor), goal.factor, cells);
            return;
        }
        Contender ours = comparison.contender(columns[2]);
        switch (names.length > 1 ? names[0] : "") {
            case "each" -> each(id, cells, ours, figure, goal);
            case "mean" -> mean(id, cells, ours, figure, goal);
            default -> cells.forEach(cell -> one(id, cell, ours, figure, goal));
        }
    }

    private record Goal(String relation, double factor, String kind, String reference) {
        boolean atMost() {
            return !relation.equals(">=");
        }

        String text(Figure figure, String reference) {
            String how = atMost() ? "at most" : "at least";
            String than = kind.equals("good") ? "as good as: " : "that of: ";
            return String.format(Locale.ROOT, "%s: %s %s x %s%s", figure.title(), how, factor, than, reference);
        }

        Verdict judge(String id, String asked, List<Double> values) {
            return Verdict.judged(id, asked, factor, values, atMost() ? 1 : -1);
        }
    }

    private static double number(String text) {
        String[] few = text.split("/", -1);
        String own = few[PROCESSORS >= 16 ? few.length - 1 : 0];
        return own.startsWith("p")
                ? PROCESSORS + (own.length() > 1 ? Integer.parseInt(own.substring(1)) : 0)
                : Double.parseDouble(own);
    }

    /** Returns the contender that a goal compares with, or empty if no candidate has the figure. */
    private Optional<Contender> reference(Goal goal, Cell cell, Figure figure) {
        if (!goal.reference.startsWith("best")) {
            return Optional.of(comparison.contender(goal.reference));
        }
        int colon = goal.reference.indexOf(':');
        List<String> among = List.of(goal.reference.substring(colon + 1).split(",", -1));
        return colon < 0
                ? results.bestPeer(cell, figure)
                : results.best(
                        cell,
                        cell.contenders().stream()
                                .filter(one -> Comparison.named(one.id(), among))
                                .toList(),
                        figure);
    }

    private void one(String id, Cell cell, Contender ours, Figure figure, Goal goal) {
        String name = id + ": " + cell.title() + "; " + ours.title();
        if (goal.kind.isEmpty()) {
            List<Double> values = results.values(cell, ours, figure);
            String asked = figure.title() + (goal.atMost() ? ": at most " : ": at least ") + Spread.number(goal.factor);
            Verdict verdict = goal.relation.equals("never")
                    ? Verdict.never(name, asked, goal.factor, values)
                    : goal.judge(name, asked, values);
            verdicts.add(verdict.unlessDisturbed(results.median(cell, ours, Figure.FOREIGN)));
            return;
        }
        Optional<Contender> reference = reference(goal, cell, figure);
        if (reference.isEmpty()) {
            verdicts.add(Verdict.notMeasured(name, goal.text(figure, goal.reference)));
            return;
        }
        Contender other = reference.get();
        String asked = goal.kind.equals("above")
                ? figure.title() + ": at most that of " + other.title() + "; above it"
                : goal.text(figure, other.title());
        Verdict verdict = goal.judge(name, asked, compared(cell, ours, other, figure, goal));
        double most = Stream.of(ours, other)
                .mapToDouble(one -> results.median(cell, one, Figure.FOREIGN))
                .filter(foreign -> !Double.isNaN(foreign))
                .max()
                .orElse(Double.NaN);
        verdicts.add(onlyCalm ? verdict.onlyIfCalm(most) : verdict);
    }

    private List<Double> compared(Cell cell, Contender ours, Contender other, Figure figure, Goal goal) {
        return switch (goal.kind) {
            case "good" -> results.advantages(cell, ours, other, figure);
            case "above" -> results.compared(cell, ours, other, figure, (our, its) -> our - its);
            default -> results.compared(cell, ours, other, figure, (our, its) -> our / its);
        };
    }

    private void each(String id, List<Cell> cells, Contender ours, Figure figure, Goal goal) {
        int sign = goal.atMost() ? -1 : 1;
        String asked = goal.text(figure, goal.reference) + ", in each cell";
        List<Verdict.Outcome> outcomes = new ArrayList<>();
        SortedMap<Double, String> medians = new TreeMap<>();
        for (Cell cell : cells) {
            List<Double> ratios = reference(goal, cell, figure)
                    .map(other -> compared(cell, ours, other, figure, goal))
                    .orElse(List.of());
            if (!ratios.isEmpty()) {
                outcomes.add(goal.judge(id, asked, ratios).outcome());
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
            verdicts.add(new Verdict(id, asked, got, all));
        }
    }

    private void mean(String id, List<Cell> cells, Contender ours, Figure figure, Goal goal) {
        Contender other = comparison.contender(goal.reference);
        SortedMap<Integer, List<Double>> logarithms = new TreeMap<>();
        for (Cell cell : cells) {
            results.byRound(cell, ours, other, figure, (our, its) -> Math.log(our / its))
                    .forEach((round, logarithm) -> logarithms
                            .computeIfAbsent(round, none -> new ArrayList<>())
                            .add(logarithm));
        }
        List<Double> means = logarithms.values().stream()
                .map(all -> Math.exp(
                        all.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN)))
                .toList();
        verdicts.add(goal.judge(id, goal.text(figure, goal.reference) + ", geometric mean of the cells", means));
    }

    /**
     * Requires that the figure of every fork of Spindle is at most {@code limit} in the given cells, or in all cells if
     * none is given.
     */
    private void never(String id, Figure figure, String asked, double limit, List<Cell> cells) {
        List<Double> values = results.ours().stream()
                .filter(result -> cells.isEmpty() || cells.stream().anyMatch(result::of))
                .map(result -> result.get(figure))
                .filter(value -> !value.isNaN())
                .toList();
        verdicts.add(Verdict.never(id, asked, limit, values));
    }
}
