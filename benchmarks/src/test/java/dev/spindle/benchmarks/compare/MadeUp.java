// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The verdicts on made-up figures. */
public final class MadeUp {
    private MadeUp() {}

    /** A figure that a fork would have found. */
    public interface Finding {
        double value(Cell cell, Contender contender, Figure figure);
    }

    /** Returns the verdicts on five rounds of all cells, all alike. */
    public static List<Verdict> verdicts(Comparison comparison, Finding finding) {
        List<ForkResult> forks = new ArrayList<>();
        for (int round = 1; round <= 5; round++) {
            for (Cell cell : comparison.cells()) {
                for (Contender contender : cell.contenders()) {
                    Map<String, Double> values = new LinkedHashMap<>();
                    comparison
                            .figures()
                            .forEach(figure -> values.put(figure.field(), finding.value(cell, contender, figure)));
                    values.put(Figure.VIOLATIONS.field(), 0.0);
                    forks.add(ForkResult.measured(new ForkResult.Fork(round, cell, contender), values));
                }
            }
        }
        return new Judge(comparison, new Results(forks)).verdicts();
    }
}
