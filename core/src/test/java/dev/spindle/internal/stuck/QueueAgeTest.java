// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stuck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QueueAgeTest {
    private static final long LIMIT = 100;

    /** A queue of random speed: the age is never above the true one, and below it by a quarter of the limit at most. */
    @Test
    void look_queueOfAnySpeed_isNeverTooOldAndHardlyTooYoung() {
        Random random = new Random(1);
        for (int run = 0; run < 200; run++) {
            QueueAge age = new QueueAge(LIMIT);
            ArrayDeque<Long> added = new ArrayDeque<>();
            long begin = 0;
            long end = 0;
            int speed = 1 + random.nextInt(100);
            for (long now = 0; now < 2_000; now++) {
                if (random.nextInt(100) < 50) {
                    added.add(now);
                    end++;
                }
                if (!added.isEmpty() && random.nextInt(100) < speed && (now / 400) % 2 == 1) {
                    added.remove();
                    begin++;
                }
                if (!added.isEmpty()) {
                    long exact = now - added.element();
                    long seen = age.look(begin, end, now);
                    assertThat(seen).isLessThanOrEqualTo(exact);
                    assertThat(seen).isGreaterThanOrEqualTo(Math.min(exact, LIMIT) - LIMIT / 4 - 1);
                }
            }
        }
    }

    @Test
    void isStill_noEndForTheLimit_isTrue() {
        QueueAge age = new QueueAge(LIMIT);

        assertThat(age.isStill(5, 0, LIMIT)).isFalse();
        assertThat(age.isStill(5, LIMIT - 1, LIMIT)).isFalse();
        assertThat(age.isStill(5, LIMIT, LIMIT)).isTrue();
        assertThat(age.isStill(6, LIMIT + 1, LIMIT)).isFalse();
    }
}
