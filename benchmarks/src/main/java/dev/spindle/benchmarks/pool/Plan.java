// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Fields;
import dev.spindle.benchmarks.forks.FutexCalls;
import dev.spindle.benchmarks.forks.Rounds;
import dev.spindle.benchmarks.pool.stage.Contender;
import java.time.Duration;
import java.util.ArrayList;
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

    private static final String HEAD = "round,cell,contender";
    private static final int COLUMNS = 3;

    Plan {
        forks = List.copyOf(forks);
    }

    /** One JVM to start. Rounds count from 1. */
    record Fork(int round, Cell cell, Contender contender) {}

    /**
     * What must be the same in all forks.
     *
     * @param stepsPerMicro steps of the tasks' loop in a microsecond
     * @param java the version of the JVM
     * @param futex what counts system calls; empty where they are not asked for
     */
    record Terms(boolean quick, double stepsPerMicro, String java, int processors, Optional<FutexCalls.Tool> futex) {
        double scale() {
            return quick ? QUICK_SCALE : 1;
        }

        private String encode() {
            return Fields.encode(Map.of(
                    "quick", Boolean.toString(quick),
                    "steps_per_us", Double.toString(stepsPerMicro),
                    "java", java,
                    "processors", Integer.toString(processors),
                    "futex", futex.map(FutexCalls.Tool::name).orElse("")));
        }

        private static Terms decode(String line) {
            Map<String, String> fields = Fields.decode(line);
            return new Terms(
                    Boolean.parseBoolean(field(fields, "quick")),
                    Double.parseDouble(field(fields, "steps_per_us")),
                    field(fields, "java"),
                    Integer.parseInt(field(fields, "processors")),
                    Optional.of(field(fields, "futex"))
                            .filter(name -> !name.isEmpty())
                            .map(FutexCalls.Tool::valueOf));
        }

        private static String field(Map<String, String> fields, String name) {
            String value = fields.get(name);
            if (value == null) {
                throw new IllegalArgumentException("no '" + name + "' in its first line");
            }
            return value;
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

    /** Lines that {@link #decode} understands. */
    List<String> encode() {
        List<String> lines = new ArrayList<>();
        lines.add("# " + terms.encode());
        lines.add(HEAD);
        for (Fork fork : forks) {
            lines.add(fork.round() + "," + fork.cell().name() + ","
                    + fork.contender().id());
        }
        return lines;
    }

    /** @throws IllegalArgumentException if the lines are not what {@link #encode} writes; the message says where */
    static Plan decode(List<String> lines) {
        if (lines.size() < 2) {
            throw new IllegalArgumentException("it has " + lines.size() + " lines, and the first two are its head");
        }
        List<Fork> forks = new ArrayList<>();
        for (String line : lines.subList(2, lines.size())) {
            String[] words = line.split(",", -1);
            if (words.length != COLUMNS) {
                throw new IllegalArgumentException("'" + line + "' is not " + HEAD);
            }
            forks.add(fork(words[0], words[1], words[2]));
        }
        return new Plan(Terms.decode(lines.get(0).replace("#", "")), forks);
    }

    /** @throws IllegalArgumentException if there is no such cell or contender */
    static Fork fork(String round, String cell, String contender) {
        return new Fork(
                Integer.parseInt(round),
                Cell.named(cell)
                        .orElseThrow(() -> new IllegalArgumentException("no cell '" + cell + "' in this version")),
                Contender.named(contender)
                        .orElseThrow(() ->
                                new IllegalArgumentException("no contender '" + contender + "' in this version")));
    }
}
