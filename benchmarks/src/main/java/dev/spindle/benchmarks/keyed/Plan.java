// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.Rounds;
import java.time.Duration;
import java.util.List;

/** Which forks run, in which order. */
record Plan(List<Fork> forks) {
    /** One JVM to start. Rounds count from 1. */
    record Fork(int round, Cell cell, Contender contender) {
        /** About how long it takes on an undisturbed machine with few processors. */
        Duration expected() {
            if (cell.blocks()) {
                return Duration.ofMillis(3_500);
            }
            if (cell.equals(Cell.SEED)) {
                return Duration.ofMillis(4_800);
            }
            if (contender.family() == Contender.Family.THREAD_PER_KEY && cell.keys() > 16) {
                return Duration.ofMillis(7_500);
            }
            return Duration.ofMillis(cell.keys() > 10_000 ? 4_500 : 3_000);
        }
    }

    static Plan of(int rounds, List<Cell> cells, List<Contender> contenders) {
        return new Plan(Rounds.order(rounds, cells, contenders, Contender::takesPart, Fork::new));
    }

    Duration expected() {
        return forks.stream().map(Fork::expected).reduce(Duration.ZERO, Duration::plus);
    }
}
