// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.report.Verdict;
import dev.spindle.benchmarks.report.Verdict.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the executor has to reach beside the limit and the peers, as ratios from the same rounds. A part of a goal is
 * reached, or missed, only if the whole range that holds the median says so; else it is inconclusive and wants more
 * rounds at a quieter time. Among the cells are some without a goal.
 */
final class Goals {
    private Goals() {}

    /** A verdict for each part of each goal. */
    static List<Verdict> judge(Results results, int processors) {
        Judge judge = new Judge(results, processors);
        new LoadGoals(judge).judge();
        new QuietGoals(judge).judge();
        new SharingGoals(judge).judge();
        return judge.verdicts();
    }

    /** A line for each goal: reached if all its parts are, not reached if one is not. */
    static List<String> summary(List<Verdict> verdicts) {
        Map<String, List<Verdict>> byGoal = new LinkedHashMap<>();
        for (Verdict verdict : verdicts) {
            String goal = verdict.goal().substring(0, verdict.goal().indexOf(':'));
            byGoal.computeIfAbsent(goal, none -> new ArrayList<>()).add(verdict);
        }
        List<String> lines = new ArrayList<>();
        byGoal.forEach((goal, parts) -> lines.add(line(goal, parts)));
        return lines;
    }

    private static String line(String goal, List<Verdict> parts) {
        String text = String.format(
                Locale.ROOT,
                "%s %s: %d of %d parts reached, %d not, %d inconclusive, %d not measured",
                goal,
                all(parts).text().replace("*", ""),
                count(parts, Outcome.REACHED),
                parts.size(),
                count(parts, Outcome.NOT_REACHED),
                count(parts, Outcome.INCONCLUSIVE),
                count(parts, Outcome.NOT_MEASURED));
        Optional<Verdict> missed = parts.stream()
                .filter(part -> part.outcome() == Outcome.NOT_REACHED)
                .findFirst();
        return missed.map(part -> text + "; missed, for one: " + part.goal().substring(goal.length() + 2) + ": "
                        + part.asked() + ", got " + part.got())
                .orElse(text);
    }

    static Outcome all(List<Verdict> parts) {
        if (count(parts, Outcome.NOT_REACHED) > 0) {
            return Outcome.NOT_REACHED;
        }
        if (count(parts, Outcome.NOT_MEASURED) == parts.size()) {
            return Outcome.NOT_MEASURED;
        }
        return count(parts, Outcome.REACHED) == parts.size() ? Outcome.REACHED : Outcome.INCONCLUSIVE;
    }

    static int count(List<Verdict> parts, Outcome outcome) {
        return (int) parts.stream().filter(part -> part.outcome() == outcome).count();
    }
}
