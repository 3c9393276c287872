// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.work.Bursts;
import dev.spindle.benchmarks.pool.work.Idle;
import dev.spindle.benchmarks.pool.work.OpenLoop;
import dev.spindle.benchmarks.pool.work.Waiters;

/** SCH5 to SCH7: executors that have little to do, that have it all at once, or whose tasks wait. */
final class QuietGoals {
    /** Up to here a burst is small enough for one worker. */
    private static final int SMALL_BURST = 10;

    private final Judge judge;

    QuietGoals(Judge judge) {
        this.judge = judge;
    }

    void judge() {
        idleAndPaced();
        bursts();
        blocking();
    }

    private void idleAndPaced() {
        for (Cell cell : Cell.of(Cell.IDLE)) {
            if (((Idle) cell.workload()).pools() == 1) {
                judge.atMost("SCH5", cell, Figure.IDLE_CPU, 10);
                judge.atMost("SCH5", cell, Figure.IDLE_SWITCHES, 0.2);
            }
        }
        for (Cell cell : Cell.of(Cell.OPEN)) {
            int rate = ((OpenLoop) cell.workload()).perSecond();
            if (rate == 1_000 || rate == 10_000) {
                judge.against("SCH5", cell, Figure.CPU_PERCENT, Contender.TPE, 1.05);
                judge.against("SCH5", cell, Figure.DELAY_P50, Contender.TPE, rate == 1_000 ? 0.8 : 1);
            }
        }
    }

    private void bursts() {
        for (Cell cell : Cell.of(Cell.BURST)) {
            if (((Bursts) cell.workload()).size() <= SMALL_BURST) {
                judge.atMost("SCH6", cell, Figure.WAKE_UPS, 1);
            } else {
                judge.againstBest("SCH6", cell, Figure.MAKESPAN_P50, 0.9);
                judge.againstBest("SCH6", cell, Figure.MAKESPAN_P99, 1);
                judge.atMost("SCH6", cell, Figure.WAKE_UPS, judge.processors());
            }
        }
    }

    private void blocking() {
        for (Cell cell : Cell.of(Cell.BLOCK)) {
            if (cell.workload() instanceof Waiters) {
                judge.against("SCH7", cell, Figure.FIRST_ROUND, Contender.TPE, 1.1);
                judge.against("SCH7", cell, Figure.SECOND_ROUND, Contender.TPE, 1.02);
            } else {
                judge.against("SCH7", cell, Figure.DELAY_P99, Contender.TPE, 1.2);
                judge.atMost("SCH7", cell, Figure.DELAY_P99, 2_000);
            }
        }
    }
}
