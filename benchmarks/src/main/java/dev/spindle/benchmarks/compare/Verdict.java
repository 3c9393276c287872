// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.List;
import java.util.Locale;

/**
 * A goal and its outcome.
 *
 * @param goal the goal and its cell
 * @param got the median and its confidence interval, or the reason for their lack
 */
public record Verdict(String goal, String asked, String got, Outcome outcome) {
    private static final String NOTHING = "-";

    public enum Outcome {
        REACHED("reached"),
        NOT_REACHED("**not reached**"),
        /** The required figure is within the confidence interval, or there are too few rounds. */
        INCONCLUSIVE("inconclusive"),
        NOT_MEASURED("not measured");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }
    }

    public static Verdict atMost(String goal, String asked, double limit, List<Double> values) {
        return judged(goal, asked, limit, values, 1);
    }

    /** Judges a limit that no value may exceed. */
    public static Verdict never(String goal, String asked, double limit, List<Double> values) {
        if (values.isEmpty()) {
            return notMeasured(goal, asked);
        }
        double worst = Spread.of(values).max();
        String got = String.format(Locale.ROOT, worst == Math.rint(worst) ? "%.0f" : "%.1f", worst);
        return new Verdict(
                goal,
                asked,
                got + " at most in " + values.size() + " forks",
                worst <= limit ? Outcome.REACHED : Outcome.NOT_REACHED);
    }

    public static Verdict notMeasured(String goal, String asked) {
        return new Verdict(goal, asked, NOTHING, Outcome.NOT_MEASURED);
    }

    /**
     * Returns this verdict, or an inconclusive one if the goal was missed under foreign load. This method is for
     * figures that foreign load can only worsen.
     */
    Verdict unlessDisturbed(double foreignPercent) {
        return outcome == Outcome.NOT_REACHED ? onlyIfCalm(foreignPercent) : this;
    }

    /**
     * Returns this verdict, or an inconclusive one if the goal was measured under foreign load. This method is for
     * figures that foreign load can improve or worsen.
     */
    Verdict onlyIfCalm(double foreignPercent) {
        if (outcome == Outcome.NOT_MEASURED || !(foreignPercent > MachineLoad.FOREIGN_LIMIT)) {
            return this;
        }
        String remark = String.format(Locale.ROOT, "; others took %.0f %% of the machine", foreignPercent);
        return new Verdict(goal, asked, got + remark, Outcome.INCONCLUSIVE);
    }

    /** @param sign 1 if smaller values are better, -1 if larger values are better */
    static Verdict judged(String goal, String asked, double limit, List<Double> values, int sign) {
        if (values.isEmpty()) {
            return notMeasured(goal, asked);
        }
        Spread spread = Spread.of(values);
        String got = Spread.number(spread.median()) + " [" + Spread.number(spread.low()) + " to "
                + Spread.number(spread.high()) + "]";
        double worst = sign > 0 ? spread.high() : spread.low();
        double best = sign > 0 ? spread.low() : spread.high();
        if (spread.count() < Spread.ENOUGH) {
            boolean met = sign * spread.median() <= sign * limit;
            String remark = "; " + spread.count() + " of " + Spread.ENOUGH + " rounds, median "
                    + (met ? "would do" : "would miss");
            return new Verdict(goal, asked, got + remark, Outcome.INCONCLUSIVE);
        }
        if (sign * worst <= sign * limit) {
            return new Verdict(goal, asked, got, Outcome.REACHED);
        }
        return new Verdict(goal, asked, got, sign * best > sign * limit ? Outcome.NOT_REACHED : Outcome.INCONCLUSIVE);
    }

    public static String table(List<Verdict> verdicts) {
        StringBuilder table = new StringBuilder("| goal | asked | got | |\n|---|---|---|---|\n");
        for (Verdict verdict : verdicts) {
            table.append(Spread.row(List.of(verdict.goal, verdict.asked, verdict.got, verdict.outcome.text)));
        }
        return table.toString();
    }
}
