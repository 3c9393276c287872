// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.FutexCalls;
import dev.spindle.benchmarks.forks.Rounds;
import dev.spindle.benchmarks.pool.stage.Contender;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which forks run, in which order, and on which terms. A plan is written beside its results, so that a run that was
 * broken off goes on as it began.
 *
 * @param forks rounds outermost, each beginning with another contender
 */
record Plan(Terms terms, List<Fork> forks) {
    /** The factor by which a short run scales its cells. */
    static final double QUICK_SCALE = 0.05;

    Plan {
        forks = List.copyOf(forks);
    }

    /** One JVM to start. Rounds count from 1. */
    record Fork(int round, Cell cell, Contender contender) {}

    /**
     * What must be the same in all forks, beside the machine.
     *
     * @param stepsPerMicro steps of the tasks' loop in a microsecond
     * @param futex what counts system calls; empty where they are not asked for
     */
    record Terms(boolean quick, double stepsPerMicro, Optional<FutexCalls.Tool> futex) {
        static final String QUICK = "quick";
        static final String STEPS = "steps_per_us";
        static final String FUTEX = "futex";

        private static final String NONE = "none";

        double scale() {
            return quick ? QUICK_SCALE : 1;
        }

        /** Its words, which {@link #of} understands. */
        Map<String, String> fields() {
            return Map.of(
                    QUICK, Boolean.toString(quick),
                    STEPS, Double.toString(stepsPerMicro),
                    FUTEX, futex.map(FutexCalls.Tool::name).orElse(NONE));
        }

        static Terms of(String quick, String stepsPerMicro, String futex) {
            return new Terms(
                    Boolean.parseBoolean(quick),
                    Double.parseDouble(stepsPerMicro),
                    Optional.of(futex).filter(name -> !name.equals(NONE)).map(FutexCalls.Tool::valueOf));
        }
    }

    static Plan of(Terms terms, int rounds, List<Cell> cells, List<Contender> contenders) {
        return new Plan(
                terms,
                Rounds.order(
                        rounds,
                        cells,
                        contenders,
                        (contender, cell) -> contender.takesPart(cell.workload()),
                        Fork::new));
    }

    Duration expected(List<Fork> some) {
        return some.stream().map(fork -> expected(fork.cell())).reduce(Duration.ZERO, Duration::plus);
    }

    private Duration expected(Cell cell) {
        Duration timed = cell.expected(terms.scale());
        return terms.futex().isPresent() ? timed.plus(cell.expectedCount()) : timed;
    }

    Duration expected() {
        return expected(forks);
    }

    /** @throws IllegalArgumentException if there is no such cell or contender */
    static Fork fork(int round, String cell, String contender) {
        return new Fork(
                round,
                Cell.named(cell)
                        .orElseThrow(() -> new IllegalArgumentException("no cell '" + cell + "' in this version")),
                Contender.named(contender)
                        .orElseThrow(() ->
                                new IllegalArgumentException("no contender '" + contender + "' in this version")));
    }
}
