// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Simulation simulation = Simulation.inOrder();
    private final Spindle spindle = simulation.spindle();

    @AfterEach
    void close() {
        simulation.close();
    }

    @Test
    void b2_remaining_asTimePasses_isWhatIsLeft() {
        Deadline deadline = Deadline.after(spindle, SECOND);

        assertThat(deadline.remaining()).isEqualTo(SECOND);
        assertThat(deadline).hasToString("deadline in PT1S");
        simulation.advance(Duration.ofMillis(400));
        assertThat(deadline.remaining()).isEqualTo(Duration.ofMillis(600));
        assertThat(deadline.isExpired()).isFalse();
        simulation.advance(Duration.ofMillis(600));
        assertThat(deadline.isExpired()).isTrue();
        simulation.advance(SECOND);
        assertThat(deadline.remaining()).isZero();
        assertThat(deadline).hasToString("deadline, expired");
    }

    @Test
    void b2_within_limits_neverGivesMore() {
        Deadline deadline = Deadline.after(spindle, SECOND);

        assertThat(deadline.within(Duration.ofMillis(100)).remaining()).isEqualTo(Duration.ofMillis(100));
        assertThat(deadline.within(Duration.ofHours(1))).isSameAs(deadline);
        assertThat(deadline.within(Duration.ofSeconds(-1)).isExpired()).isTrue();
    }

    @Test
    void after_extremeTimes_areCut() {
        assertThat(Deadline.after(spindle, Duration.ofSeconds(Long.MAX_VALUE)).remaining())
                .isGreaterThan(Duration.ofDays(50_000));
        assertThat(Deadline.after(spindle, Duration.ofSeconds(Long.MAX_VALUE)).isExpired())
                .isFalse();
        assertThat(Deadline.after(spindle, Duration.ofSeconds(Long.MIN_VALUE)).isExpired())
                .isTrue();
    }

    @Test
    void positive_whatIsNot_isRefusedWithTheValue() {
        assertThatThrownBy(() -> Deadline.positive("limit", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit must be positive, is PT0S");
    }
}
