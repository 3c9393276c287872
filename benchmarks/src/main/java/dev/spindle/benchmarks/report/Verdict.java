// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.report;

import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.Spread;
import java.util.List;
import java.util.Locale;

/**
 * One goal beside what was measured.
 *
 * @param goal which goal, and in which cell
 * @param asked what it asks
 * @param got the median of the rounds and the range that holds it, or why there is none
 */
public record Verdict(String goal, String asked, String got, Outcome outcome) {
    /** What to say where there are no verdicts. */
    public static final String NONE = "None: the cells were scaled down and ran once. This says nothing about speed.";

    private static final String NOTHING = "-";

    public enum Outcome {
        REACHED("reached"),
        NOT_REACHED("**not reached**"),
        /** The asked figure lies within the spread, or there are too few rounds to say. */
        INCONCLUSIVE("inconclusive"),
        NOT_MEASURED("not measured");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    public static Verdict atMost(String goal, String asked, double limit, List<Double> values) {
        return judged(goal, asked, limit, values, 1);
    }

    public static Verdict atLeast(String goal, String asked, double limit, List<Double> values) {
        return judged(goal, asked, limit, values, -1);
    }

    /** A promise that no round may break, whatever the others say. */
    public static Verdict never(String goal, String asked, double limit, List<Double> values) {
        if (values.isEmpty()) {
            return notMeasured(goal, asked);
        }
        double worst = Spread.of(values).max();
        String got = String.format(Locale.ROOT, "%s at most in %d forks", whole(worst), values.size());
        return new Verdict(goal, asked, got, worst <= limit ? Outcome.REACHED : Outcome.NOT_REACHED);
    }

    public static Verdict notMeasured(String goal, String asked) {
        return new Verdict(goal, asked, NOTHING, Outcome.NOT_MEASURED);
    }

    /** A verdict for what this machine, or this run, cannot tell. */
    public static Verdict notMeasured(String goal, String asked, String reason) {
        return new Verdict(goal, asked, reason, Outcome.NOT_MEASURED);
    }

    /** Whether it says anything: a figure, or why there is none. */
    public boolean telling() {
        return outcome != Outcome.NOT_MEASURED || !got.equals(NOTHING);
    }

    /**
     * For a figure that is no ratio, so that neighbours on the machine make it worse and nothing makes up for that: a
     * goal that was missed beside them is inconclusive.
     */
    public Verdict unlessDisturbed(double foreignPercent) {
        return outcome == Outcome.NOT_REACHED ? onlyIfCalm(foreignPercent) : this;
    }

    /** For a figure that neighbours may change in either direction: beside them it is inconclusive whatever it says. */
    public Verdict onlyIfCalm(double foreignPercent) {
        if (outcome == Outcome.NOT_MEASURED || !(foreignPercent > MachineLoad.FOREIGN_LIMIT)) {
            return this;
        }
        String remark = String.format(Locale.ROOT, "; others took %.0f %% of the machine", foreignPercent);
        return new Verdict(goal, asked, got + remark, Outcome.INCONCLUSIVE);
    }

    /** @param sign 1 when small is good, -1 when large is good */
    private static Verdict judged(String goal, String asked, double limit, List<Double> values, int sign) {
        if (values.isEmpty()) {
            return notMeasured(goal, asked);
        }
        Spread spread = Spread.of(values);
        String got = figure(spread.median()) + " [" + figure(spread.low()) + " to " + figure(spread.high()) + "]";
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

    /** The verdicts as a table in Markdown. */
    public static String table(List<Verdict> verdicts) {
        StringBuilder table = new StringBuilder("| goal | asked | got | |\n|---|---|---|---|\n");
        for (Verdict verdict : verdicts) {
            table.append("| ").append(verdict.goal);
            table.append(" | ").append(verdict.asked);
            table.append(" | ").append(verdict.got);
            table.append(" | ").append(verdict.outcome.text()).append(" |\n");
        }
        return table.toString();
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
    }

    private static String figure(double value) {
        return String.format(
                Locale.ROOT, Math.abs(value) >= 100 ? "%.0f" : Math.abs(value) >= 10 ? "%.1f" : "%.2f", value);
    }
}
