// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.actors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random actors that flood each other's mailboxes, with all kinds of senders, failures and ends. */
@Tag("stress")
@Timeout(120)
class ActorStressTest {
    private static final int LEAST = 20;
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(600);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void r4_randomFloodsFailuresAndEnds_everyMessageEndsOnceAndAllComesToRest(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        long end = System.nanoTime() + NANOS;
        int sent = 0;
        for (int programs = 0; programs < LEAST || System.nanoTime() - end < 0; programs++) {
            sent += RandomActors.run(random.nextLong());
        }
        assertThat(sent).isPositive();
    }
}
