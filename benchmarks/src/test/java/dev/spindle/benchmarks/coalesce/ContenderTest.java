// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContenderTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    @ParameterizedTest
    @EnumSource
    void contender_oneProducer_showsTheLastOfEachKey(Contender contender) throws InterruptedException {
        Measurement measured = Pass.run(Cell.K10_P1.of(20_000, LIMIT), contender, 1);

        assertThat(measured.updates()).isEqualTo(20_000);
        assertThat(measured.stale()).isZero();
        // LMAX's algorithm may show one twice, and says so
        assertThat(measured.backwards()).isLessThanOrEqualTo(contender == Contender.RING ? 20_000 : 0);
    }

    @ParameterizedTest
    @EnumSource(names = "RING", mode = EnumSource.Mode.EXCLUDE)
    void contender_eightProducers_showsTheLastOfEachKey(Contender contender) throws InterruptedException {
        Measurement measured = Pass.run(Cell.K10000_P8.of(80_000, LIMIT), contender, 1);

        assertThat(measured.updates()).isEqualTo(80_000);
        assertThat(measured.violations()).isZero();
    }

    @Test
    void screen_olderTickOrOneThatIsMissing_isFound() {
        Screen screen = new Screen(Cell.K10_P1);
        screen.accept(new Tick(3, 0, 2));
        screen.accept(new Tick(3, 0, 1));
        screen.accept(new Tick(4, 0, 3));
        long[][] sent = new long[1][10];
        sent[0][3] = 2;
        sent[0][4] = 5;

        assertThat(screen.backwards()).isEqualTo(1);
        assertThat(screen.shown()).isEqualTo(3);
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

    @Test
    void measurement_encodedAndDecoded_isTheSame() {
        Measurement measured = new Measurement(7, 1.5, 2.5, 3, 4, 5, 6, Double.NaN);

        assertThat(Measurement.decode(measured.encode())).isEqualTo(measured);
    }
}
