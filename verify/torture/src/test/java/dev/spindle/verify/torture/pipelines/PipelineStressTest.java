// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random pipelines with all kinds of stages, publishers and ends. */
@Tag("stress")
@Timeout(120)
class PipelineStressTest {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(600);
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void p1_s1_randomGraphsPublishersAndEnds_everyAcceptedEventIsHandledOnceInOrder(long seed) throws Exception {
        Random random = new Random(seed);
        long begin = System.nanoTime();
        int accepted = 0;
        // On a loaded machine the end of a pipeline may come before its publishers, several times in a row.
        for (long nanos = 0; nanos < (accepted == 0 ? MOST_NANOS : NANOS); nanos = System.nanoTime() - begin) {
            accepted += RandomPipeline.run(random.nextLong());
        }
        assertThat(accepted).isPositive();
    }
}
