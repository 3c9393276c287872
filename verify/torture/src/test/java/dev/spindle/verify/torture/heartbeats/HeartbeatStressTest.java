// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.heartbeats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random heartbeats beside lanes that never run dry, blocked tasks and slow factories. */
@Tag("stress")
@Timeout(120)
class HeartbeatStressTest {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(2_000);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void a2_t2_t3_randomBeatsRunnersAndFactories_keepTheirPace(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long end = System.nanoTime() + NANOS;
        int beats = 0;
        while (System.nanoTime() - end < 0) {
            beats += RandomHeartbeats.run(random.nextLong());
        }
        assertThat(beats).isPositive();
    }
}
