// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class RoundTest {
    @ParameterizedTest
    @EnumSource
    void shortRound_ofEachEnd_keepsEveryPromise(Shape.End end) throws InterruptedException {
        Shape shape = LongStream.range(0, 1_000)
                .mapToObj(Shape::of)
                .filter(s -> s.end() == end)
                .findFirst()
                .orElseThrow();

        Round.Result result = Round.run(shape, Duration.ofMillis(200), Duration.ofSeconds(20));

        assertThat(result.violations()).isEmpty();
        assertThat(result.fates().get("ran")).isPositive();
        assertThat(result.fates().get("rejected")).isPositive(); // the producers were still there at the end
        assertThat(result.fates().values().stream().mapToInt(count -> count).sum())
                .isEqualTo(result.tasks());
    }

    @Test
    void shape_isThatOfItsSeed() {
        assertThat(Shape.of(42)).isEqualTo(Shape.of(42)).isNotEqualTo(Shape.of(43));
        for (long seed = 0; seed < 1_000; seed++) {
            Shape shape = Shape.of(seed);
            assertThat(shape.core()).isBetween(1, 4);
            assertThat(shape.max()).isBetween(shape.core(), 32);
            assertThat(shape.producers()).isBetween(2, 4);
        }
    }
}
