// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Measurement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each cell with each contender, once and tiny, in this JVM. */
class PoolForkTest {
    private static final double SCALE = 0.001;
    private static final double STEPS_PER_MICRO = 100;

    @ParameterizedTest
    @MethodSource("forks")
    @Timeout(60)
    void measure_tiny_runsEachTaskOnceAndFindsTheFigures(Plan.Fork fork) throws InterruptedException {
        Measurement measured =
                PoolFork.measure(fork.cell(), fork.contender(), SCALE, STEPS_PER_MICRO, Optional.empty());

        assertThat(measured.miscounted()).isZero();
        assertThat(measured.get(Figure.PASSES)).isPositive();
        for (Figure figure : fork.cell().workload().figures()) {
            if (fork.contender() == Contender.LIMIT && figure != Figure.RATE) {
                continue; // it submits nothing, and in-place delays are of no interest
            }
            if (fork.contender() != Contender.SPINDLE && figure == Figure.WAKE_UPS) {
                continue; // nobody else counts them
            }
            assertThat(measured.get(figure)).as(figure.title()).isNotNaN().isNotNegative();
        }
    }

    @Test
    void all_names_areDistinct() {
        List<String> names = Cell.ALL.stream().map(Cell::name).toList();

        assertThat(new HashSet<>(names)).hasSameSizeAs(names);
        assertThat(Cell.of(Cell.WINDOW)).hasSize(82);
    }

    @Test
    void quick_allContenders_areExpectedToTakeLessThanThreeMinutes() {
        List<Plan.Fork> forks = forks(Cell.quick());
        Plan plan = new Plan(Samples.terms(true), forks);

        assertThat(plan.expected()).isLessThan(Duration.ofMinutes(3));
        assertThat(Cell.quick()).extracting(Cell::group).contains(Cell.FLOOD, Cell.WINDOW, Cell.IDLE, Cell.BLOCK);
    }

    @Test
    void absence_ofVirtualThreads_isExplained() {
        assertThat(Contender.VIRTUAL.absence().isPresent())
                .isEqualTo(Runtime.version().feature() < 21);
        Contender.VIRTUAL
                .absence()
                .ifPresent(reason -> assertThat(reason).contains("need Java 21").contains("JAVA_HOME"));
    }

    static Stream<Plan.Fork> forks() {
        return forks(Cell.ALL).stream();
    }

    private static List<Plan.Fork> forks(List<Cell> cells) {
        return new ArrayList<>(
                Plan.of(Samples.terms(true), 1, cells, Contender.all()).forks());
    }
}
