// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ContenderTest {
    private static Stream<Arguments> contenders() {
        return CoalesceComparison.comparison().cells().stream()
                .flatMap(cell -> cell.contenders().stream().map(contender -> Arguments.of(cell, contender)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("contenders")
    void contender_shortTraffic_showsTheLastOfEachKey(Cell cell, Contender contender) throws InterruptedException {
        Recorder recorder = new Recorder();
        try (Subject subject = cell.open(contender, Subject.Scale.QUICK)) {
            subject.pass(recorder);
        }

        Map<String, Double> found = recorder.values();
        // Fewer than all where the machine is so busy that the time of a pass ends it.
        assertThat(found.get(Figure.OPS.field())).isPositive().isLessThanOrEqualTo(100_000.0);
        assertThat(found.get(Figure.VIOLATIONS.field())).isZero();
    }

    @Test
    void screen_olderTickOrOneThatIsMissing_isFound() {
        Screen screen = new Screen(10, 1, 0);
        screen.accept(new Tick(3, 0, 2));
        screen.accept(new Tick(3, 0, 1));
        screen.accept(new Tick(4, 0, 3));
        screen.accept(new Tick(4, 0, 3));
        long[][] sent = new long[1][10];
        sent[0][3] = 2;
        sent[0][4] = 5;

        assertThat(screen.backwards()).isEqualTo(1);
        assertThat(screen.repeated()).isEqualTo(1);
        assertThat(screen.shown()).isEqualTo(4);
        assertThat(screen.stale(sent)).isEqualTo(2); // key 3 shows 1 now, key 4 never showed 5
    }

    @Test
    void ring_keysThatWait_areChangedInPlace() {
        CoalescingRing<String, Integer> ring = new CoalescingRing<>(2);
        List<Integer> shown = new ArrayList<>();
        ring.offer("a", 1);
        ring.offer("b", 2);
        ring.offer("a", 3);

        assertThat(ring.offer("c", 4)).isFalse();
        assertThat(ring.drainTo(shown::add)).isEqualTo(2);
        assertThat(ring.offer("c", 5)).isTrue();
        assertThat(ring.drainTo(shown::add)).isEqualTo(1);
        assertThat(shown).containsExactly(3, 2, 5);
    }
}
