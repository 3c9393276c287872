// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Options that make no sense are refused with their value, before any thread is there. */
class SpindleBuilderTest {
    private static Arguments bad(String message, UnaryOperator<SpindleBuilder> options) {
        return Arguments.of(message, options);
    }

    private static Stream<Arguments> badOptions() {
        return Stream.of(
                bad("max must be at least 1, is 0", b -> b.max(0)),
                bad("core must be at least 1, is 0", b -> b.core(0)),
                bad(
                        "max must be at least core, is 2 with core 3; set core too",
                        b -> b.core(3).max(2)),
                bad("max must be at most 32000, is 32001", b -> b.core(1).max(32_001)),
                bad("coreBumpAfter must be 0 or more, is -1", b -> b.coreBumpAfter(-1)),
                bad("keepAlive must be positive, is PT0S", b -> b.keepAlive(Duration.ZERO)),
                bad("linger must be positive, is PT-1S", b -> b.linger(Duration.ofSeconds(-1))),
                bad("capacity must be at least 1, is 0", b -> b.capacity(0)),
                bad("capacityPerKey must be at least 1, is -5", b -> b.capacityPerKey(-5)),
                bad(
                        "onFull is CALLER_RUNS, which only a logical executor can have",
                        b -> b.onFull(OnFull.callerRuns())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badOptions")
    void build_badOption_isRefusedByItsValue(String message, UnaryOperator<SpindleBuilder> options) {
        assertThatThrownBy(() -> options.apply(Spindle.builder().core(2)).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void build_limits_areAccepted() {
        try (Spindle least = Spindle.builder()
                        .core(1)
                        .max(1)
                        .coreBumpAfter(0)
                        .capacity(1)
                        .build();
                Spindle most = Spindle.builder().core(32_000).max(32_000).build()) {
            assertThat(least.stats().max()).isEqualTo(1);
            assertThat(most.stats().max()).isEqualTo(32_000);
        }
    }

    @Test
    void build_noMaximum_isTheLargerOf64AndEightTimesTheCore() {
        try (Spindle small = Spindle.builder().core(2).build();
                Spindle large = Spindle.builder().core(20).build()) {
            assertThat(small.stats().max()).isEqualTo(64);
            assertThat(large.stats().max()).isEqualTo(160);
        }
    }
}
