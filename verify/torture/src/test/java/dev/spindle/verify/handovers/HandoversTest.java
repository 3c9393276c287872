// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.handovers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HandoversTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static Handovers.Result run(Duration limit, Consumer<Runnable> door) {
        return new Handovers(List.of(new Entrance("test", 1, door)), 1, limit).run(1_000, done -> {});
    }

    @Test
    void spindle_startsEveryTaskOfEveryEntrance() {
        try (Spindle spindle = Spindle.builder().coreThreads(2).maxThreads(2).build()) {
            List<Entrance> entrances = Entrance.of(spindle);
            List<Long> progress = new ArrayList<>();
            Handovers handovers = new Handovers(entrances, 1, LIMIT);

            Handovers.Result result = handovers.run(20_000, progress::add);

            assertThat(result.fault()).isNull();
            assertThat(result.counts()).hasSize(entrances.size()).doesNotContain(0L);
            assertThat(result.delays().getTotalCount()).isEqualTo(20_000);
            assertThat(result.longestNanos()).isBetween(1L, LIMIT.toNanos());
            assertThat(handovers.starts()).isEqualTo(20_000);
            assertThat(progress).containsExactly(16_384L);
        }
    }

    @Test
    void lostTask_isFoundWithItsNumberAndEntrance() {
        AtomicInteger number = new AtomicInteger();

        Handovers.Result result = run(Duration.ofMillis(20), task -> {
            if (number.incrementAndGet() != 300) {
                task.run();
            }
        });

        assertThat(result.fault()).isEqualTo("hand-over 300 (test) has not started in PT0.02S: a lost wake-up");
    }

    @Test
    void taskThatRanTwice_isFound() {
        AtomicInteger number = new AtomicInteger();

        Handovers.Result result = run(LIMIT, task -> {
            task.run();
            if (number.incrementAndGet() == 300) {
                task.run();
            }
        });

        assertThat(result.fault()).isEqualTo("hand-over 300 (test) ran twice, or one before it did: 301 runs");
    }
}
