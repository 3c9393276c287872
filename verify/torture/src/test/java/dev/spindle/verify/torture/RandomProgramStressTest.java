// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short torture of every build, with all kinds of random programs but those for pools. */
@Tag("stress")
@Timeout(120)
class RandomProgramStressTest {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(600);
    private static final long BEATS_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static void torture(Kind kind, long seed, long least) {
        SplittableRandom random = new SplittableRandom(seed);
        long begin = System.nanoTime();
        int count = 0;
        // On a loaded machine a program may end before it has counted anything, several times in a row.
        for (long nanos = 0; nanos < (count == 0 ? MOST_NANOS : least); nanos = System.nanoTime() - begin) {
            count += kind.run(random.nextLong());
        }
        assertThat(count).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void p1_s1_randomGraphsPublishersAndEnds_everyAcceptedEventIsHandledOnceInOrder(long seed) {
        torture(Kind.PIPELINES, seed, NANOS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void randomBoundsSendersAndEnds_everyUpdateIsAccountedForAndAllEnd(long seed) {
        torture(Kind.CONFLATIONS, seed, NANOS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void r4_randomFloodsFailuresAndEnds_everyMessageEndsOnceAndAllComesToRest(long seed) {
        torture(Kind.ACTORS, seed, NANOS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void c1_randomSendersReceiversAndEnds_everyValueComesOnceAndAllEnd(long seed) {
        torture(Kind.CHANNELS, seed, NANOS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void a2_t2_t3_randomBeatsRunnersAndFactories_keepTheirPace(long seed) {
        torture(Kind.HEARTBEATS, seed, BEATS_NANOS);
    }
}
