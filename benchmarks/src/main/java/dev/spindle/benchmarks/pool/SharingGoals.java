// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.work.SharedTotal;
import dev.spindle.benchmarks.report.Verdict;
import java.util.List;

/** SCH8 to SCH10: work from inside the pool, a machine that others use, a pool that many use. */
final class SharingGoals {
    private final Judge judge;

    SharingGoals(Judge judge) {
        this.judge = judge;
    }

    void judge() {
        insideThePool();
        crowd();
        shared();
    }

    private void insideThePool() {
        for (Cell cell : Cell.of(Cell.FORK)) {
            boolean goal = cell.name().equals("chains") || cell.name().equals("fanout");
            if (goal) {
                judge.against("SCH8", cell, Figure.RATE, Contender.FJP, judge.manyProcessors() ? 0.95 : 1);
            }
        }
        // A linked queue is first-in-first-out, and has the same trouble with threads that lose their processor.
        for (Cell cell : Cell.of(Cell.AGE)) {
            judge.against("SCH8", cell, Figure.OLDEST, Contender.TPE, 2);
        }
    }

    private void crowd() {
        for (Cell cell : Cell.of(Cell.CROWD)) {
            switch (cell.confinement()) {
                case NONE -> judge.againstBest("SCH9", cell, Figure.PER_CPU_SECOND, 1.1);
                case QUOTA -> {
                    throttled(cell);
                    judge.against("SCH9", cell, Figure.DELAY_P99, Contender.TPE, 1);
                }
                case ONE_CORE -> {} // no goal: what a machine can tell that allows no quota
            }
        }
    }

    /** By difference, since nobody may have been throttled at all. */
    private void throttled(Cell cell) {
        String goal = Judge.goal("SCH9", cell);
        String asked = "throttled time at most that of ThreadPoolExecutor: ms of each second above it";
        List<Double> above = judge.results().differences(cell, Judge.OURS, Contender.TPE, Figure.THROTTLED);
        judge.add(above.isEmpty() ? Judge.notMeasured(cell, goal, asked) : Verdict.atMost(goal, asked, 0, above));
    }

    private void shared() {
        for (Cell cell : Cell.of(Cell.SHARE)) {
            if (cell.workload() instanceof SharedTotal) {
                judge.against("SCH10", cell, Figure.RATE, Contender.PLAIN, 0.95);
                judge.againstBest("SCH10", cell, Figure.RATE, 2);
            } else {
                judge.atMost("SCH10", cell, Figure.QUIET_RATIO, 2);
            }
        }
    }
}
