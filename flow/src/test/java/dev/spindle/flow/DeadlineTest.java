// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - 5); // overflows on the way

    @Test
    void b2_remaining_asTimePasses_isWhatIsLeft() {
        Deadline deadline = Deadline.after(clock, SECOND);

        assertThat(deadline.remaining()).isEqualTo(SECOND);
        assertThat(deadline).hasToString("deadline in PT1S");
        clock.advance(Duration.ofMillis(400));
        assertThat(deadline.remaining()).isEqualTo(Duration.ofMillis(600));
        assertThat(deadline.isUsedUp()).isFalse();
        clock.advance(Duration.ofMillis(600));
        assertThat(deadline.isUsedUp()).isTrue();
        clock.advance(SECOND);
        assertThat(deadline.remaining()).isZero();
        assertThat(deadline).hasToString("deadline, used up");
    }

    @Test
    void b2_within_limits_neverGivesMore() {
        Deadline deadline = Deadline.after(clock, SECOND);

        assertThat(deadline.within(Duration.ofMillis(100)).remaining()).isEqualTo(Duration.ofMillis(100));
        assertThat(deadline.within(Duration.ofHours(1))).isSameAs(deadline);
        assertThat(deadline.within(Duration.ofSeconds(-1)).isUsedUp()).isTrue();
    }

    @Test
    void after_extremeTimes_areCut() {
        assertThat(Deadline.after(clock, Duration.ofSeconds(Long.MAX_VALUE)).remaining())
                .isGreaterThan(Duration.ofDays(50_000));
        assertThat(Deadline.after(clock, Duration.ofSeconds(Long.MAX_VALUE)).isUsedUp())
                .isFalse();
        assertThat(Deadline.after(clock, Duration.ofSeconds(Long.MIN_VALUE)).isUsedUp())
                .isTrue();
    }

    @Test
    void positive_whatIsNot_isRefusedWithTheValue() {
        assertThatThrownBy(() -> Deadline.positive("limit", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit must be positive, is PT0S");
    }
}
