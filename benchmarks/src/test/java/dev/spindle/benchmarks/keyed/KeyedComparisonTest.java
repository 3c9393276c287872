// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every contender runs every cell once, small, so that none rots; and whether a broken executor is found out. */
@Timeout(120)
class KeyedComparisonTest {
    private static final Subject.Scale TINY = new Subject.Scale(0.002);

    private static Stream<Arguments> entrants() {
        return KeyedComparison.comparison().cells().stream()
                .flatMap(cell -> cell.contenders().stream().map(contender -> arguments(contender, cell)));
    }

    @ParameterizedTest(name = "{0} in {1}")
    @MethodSource("entrants")
    void pass_tinyCell_findsItsFiguresAndNoViolation(Contender contender, Cell cell) throws InterruptedException {
        Recorder recorder = new Recorder();
        try (Subject subject = cell.open(contender, TINY)) {
            subject.pass(recorder);
        }

        for (Figure figure : cell.figures()) {
            assertThat(recorder.values().get(figure.field())).isNotNegative().isFinite();
        }
        assertThat(recorder.values()).containsEntry(Figure.VIOLATIONS.field(), 0.0);
    }

    @Test
    void entrants_threadPerKey_takesNoPartWithManyKeys() {
        assertThat(cell("k1000-uniform").contenders()).contains(Entrant.SINGLE_THREADS.contender());
        assertThat(cell("k100000-uniform").contenders()).doesNotContain(Entrant.SINGLE_THREADS.contender());
        assertThat(cell("blocked").contenders()).doesNotContain(Entrant.LIMIT.contender());
    }

    @Test
    void pass_everySecondTaskOvertaken_isFoundOutInTheFirstPass() throws InterruptedException {
        KeyedPasses passes = new KeyedPasses(workload -> new Overtaking(), new Load(1, 100, 0, Traffic.ROUND_ROBIN));
        Recorder first = new Recorder();
        passes.pass(first);

        assertThat(first.values()).containsEntry(Figure.VIOLATIONS.field(), 100.0);
    }

    /** Holds each first task back until the second has run. */
    private static final class Overtaking implements KeyedExecutor {
        private final List<Runnable> held = new ArrayList<>();

        @Override
        public void execute(int key, Runnable task) {
            if (held.isEmpty()) {
                held.add(task);
            } else {
                task.run();
                held.remove(0).run();
            }
        }

        @Override
        public void close() {}
    }

    private static Cell cell(String name) {
        return KeyedComparison.comparison().cells().stream()
                .filter(cell -> cell.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
