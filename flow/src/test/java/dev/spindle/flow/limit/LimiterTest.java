// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LimiterTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private long now = Long.MAX_VALUE - 3 * SECOND; // overflows on the way

    private static Stream<Limiter> adaptive() {
        return Stream.of(Limiter.aimd(1, 20, 100), Limiter.gradient(1, 20, 100));
    }

    private void end(Limiter limiter, long millis, int running, boolean overloaded) {
        limiter.ended(new Limiter.Sample(now, Duration.ofMillis(millis), running, overloaded));
    }

    @Test
    void fixed_whateverHappens_stays() {
        Limiter limiter = Limiter.fixed(7);
        for (int i = 0; i < 100; i++) {
            now += SECOND;
            end(limiter, 10, 7, i < 50);
            assertThat(limiter.maxConcurrency(now)).isEqualTo(7);
        }

        assertThat(limiter).hasToString("fixed at 7");
    }

    @ParameterizedTest
    @MethodSource("adaptive")
    void b4_overload_takesATenthOnceForAllCallsUnderWay(Limiter limiter) {
        assertThat(limiter.maxConcurrency(now)).isEqualTo(20);
        for (int i = 0; i < 20; i++) { // began together
            end(limiter, 10, 20, true);
        }
        assertThat(limiter.maxConcurrency(now)).isEqualTo(18);
        now += 9 * MILLI;
        end(limiter, 10, 18, true); // began before the cut
        assertThat(limiter.maxConcurrency(now)).isEqualTo(18);
        now += MILLI;
        end(limiter, 10, 18, true);

        assertThat(limiter.maxConcurrency(now)).isEqualTo(16);
    }

    @ParameterizedTest
    @MethodSource("adaptive")
    void b4_limitThatWentDown_comesUpByItselfThoughNobodyCalls(Limiter limiter) {
        overload(limiter);
        assertThat(limiter.maxConcurrency(now)).isEqualTo(1);
        now += SECOND - 1;
        assertThat(limiter.maxConcurrency(now)).isEqualTo(1);
        now += 1;
        assertThat(limiter.maxConcurrency(now)).isEqualTo(2);
        now += SECOND;
        assertThat(limiter.maxConcurrency(now)).isEqualTo(4);
        now += 100 * SECOND;

        assertThat(limiter.maxConcurrency(now)).isEqualTo(20);
    }

    @ParameterizedTest
    @MethodSource("adaptive")
    void b4_limitThatWentDown_comesUpUnderLightLoad(Limiter limiter) {
        overload(limiter);
        for (int i = 0; i < 60; i++) { // one call at a time, ten a second
            now += 100 * MILLI;
            limiter.maxConcurrency(now);
            end(limiter, 10, 1, false);
        }

        assertThat(limiter.maxConcurrency(now)).isGreaterThanOrEqualTo(20);
    }

    private void overload(Limiter limiter) {
        for (int i = 0; i < 100; i++) {
            now += 10 * MILLI;
            end(limiter, 10, 20, true);
        }
    }

    @ParameterizedTest
    @MethodSource("adaptive")
    void b4_overloadThatGoesOn_keepsItDown(Limiter limiter) {
        overload(limiter);
        for (int i = 0; i < 100; i++) {
            now += 500 * MILLI;
            assertThat(limiter.maxConcurrency(now)).isEqualTo(1);
            end(limiter, 10, 1, true);
        }
    }

    @ParameterizedTest
    @MethodSource("adaptive")
    void b4_limitThatIsMadeUseOf_growsToTheMost(Limiter limiter) {
        for (int i = 0; i < 20_000; i++) {
            now += MILLI;
            end(limiter, 10, limiter.maxConcurrency(now), false);
        }

        assertThat(limiter.maxConcurrency(now)).isEqualTo(100);
    }

    @ParameterizedTest
    @MethodSource("adaptive")
    void limitThatIsNotMadeUseOf_stays(Limiter limiter) {
        for (int i = 0; i < 1_000; i++) {
            now += MILLI;
            end(limiter, 10, 9, false);
        }

        assertThat(limiter.maxConcurrency(now)).isEqualTo(20);
    }

    /** The backend serves ten calls at once and lets the rest queue, so calls take longer the more there are. */
    @Test
    void b4_gradient_findsWhatTheBackendCanDo() {
        Limiter limiter = Limiter.gradient(1, 20, 1_000);
        LongUnaryOperator millis = inFlight -> 10 * Math.max(10, inFlight) / 10;
        for (int i = 0; i < 100; i++) {
            now += MILLI;
            end(limiter, 10, 1, false); // the usual time
        }
        for (int i = 0; i < 300; i++) {
            now += MILLI;
            int limit = limiter.maxConcurrency(now);
            end(limiter, millis.applyAsLong(limit), limit, false);
        }

        assertThat(limiter.maxConcurrency(now)).isBetween(10, 60);
    }

    @Test
    void gradient_slowerThanBefore_goesDownAndUpAgain() {
        Limiter limiter = Limiter.gradient(5, 50, 50);
        for (int i = 0; i < 600; i++) {
            now += MILLI;
            end(limiter, 10, 50, false);
        }
        int lowest = 50;
        for (int i = 0; i < 600; i++) {
            now += MILLI;
            int limit = limiter.maxConcurrency(now);
            lowest = Math.min(lowest, limit);
            end(limiter, 100, limit, false);
        }
        assertThat(lowest).isLessThan(25);
        for (int i = 0; i < 600; i++) {
            now += MILLI;
            end(limiter, 10, limiter.maxConcurrency(now), false);
        }

        assertThat(limiter.maxConcurrency(now)).isEqualTo(50);
    }

    @Test
    void options_outOfRange_areRefusedWithTheValues() {
        assertThatThrownBy(() -> Limiter.fixed(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is 0");
        assertThatThrownBy(() -> Limiter.aimd(2, 1, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2, 1, 3");
        assertThatThrownBy(() -> Limiter.gradient(1, 4, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Limiter.aimd(1, 5, 10)).hasToString("AimdLimiter at 5");
    }
}
