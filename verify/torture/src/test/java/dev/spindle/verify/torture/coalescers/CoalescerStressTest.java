// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.coalescers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random coalescers at their bounds, with all kinds of senders and ends. */
@Tag("stress")
@Timeout(120)
class CoalescerStressTest {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(600);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void randomBoundsSendersAndEnds_everyUpdateIsAccountedForAndAllEnd(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        long end = System.nanoTime() + NANOS;
        int accepted = 0;
        while (System.nanoTime() - end < 0) {
            accepted += RandomCoalescer.run(random.nextLong());
        }
        assertThat(accepted).isPositive();
    }
}
