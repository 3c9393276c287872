// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every contender runs every cell once, small, so that none rots. */
class ContenderTest {
    private static final double TINY = 0.002;

    @ParameterizedTest(name = "{0} in {1}")
    @MethodSource("contendersInThroughputCells")
    void measure_tinyCell_keepsOrderAndRunsEachEventOnce(Contender contender, Cell cell) throws InterruptedException {
        Measurement measured = KeyedFork.measure(cell, contender, TINY, 1, 2, KeyedFork.Budget.QUICK);

        assertThat(measured.violations()).isZero();
        assertThat(measured.passes()).isEqualTo(1);
        assertThat(measured.millis()).isPositive();
        assertThat(measured.threads()).isPositive();
        assertThat(measured.delayMillis()).isNaN();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("contendersInBlockedCell")
    void measure_blockedKey_givesBothDelays(Contender contender) throws InterruptedException {
        Measurement measured = KeyedFork.measure(Cell.BLOCKED, contender, 0, 1, 2, KeyedFork.Budget.QUICK);

        assertThat(measured.delayMillis()).isPositive();
        assertThat(measured.quietDelayMillis()).isPositive();
        assertThat(measured.millis()).isNaN();
    }

    @Test
    void takesPart_threadPerKey_doesNotWithManyKeys() {
        assertThat(Contender.SINGLE_THREADS.takesPart(Cell.K1000_UNIFORM)).isTrue();
        assertThat(Contender.SINGLE_THREADS.takesPart(Cell.K100000_UNIFORM)).isFalse();
        assertThat(Contender.LIMIT.takesPart(Cell.BLOCKED)).isFalse();
    }

    static Stream<Arguments> contendersInThroughputCells() {
        return Cell.ALL.stream()
                .filter(cell -> !cell.blocks())
                .flatMap(cell -> Arrays.stream(Contender.values())
                        .filter(contender -> contender.takesPart(cell))
                        .map(contender -> arguments(contender, cell)));
    }

    static Stream<Contender> contendersInBlockedCell() {
        return Arrays.stream(Contender.values()).filter(contender -> contender.takesPart(Cell.BLOCKED));
    }
}
