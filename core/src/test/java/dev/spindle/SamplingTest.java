// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.internal.Counters;
import dev.spindle.internal.Pool;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SamplingTest {
    private static final long MILLI = 1_000_000;

    private final AtomicLong clock = new AtomicLong();

    private Spindle spindle(int sampleOneIn) {
        return Spindle.builder()
                .coreThreads(1)
                .maxThreads(1)
                .clock(clock::get)
                .sampleOneIn(sampleOneIn)
                .build();
    }

    private static long count(long[] times) {
        long count = 0;
        for (int i = 0; i < Math.min(times.length, Counters.BUCKETS); i++) {
            count += times[i];
        }
        return count;
    }

    /** Runs tasks that wait behind a first one, and returns the times after all have ended. */
    private Pool.Times run(Spindle spindle, int tasks, Runnable task) throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(tasks);
        spindle.execute(() -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            clock.addAndGet(5 * MILLI); // those behind this task have waited for this time
        });
        for (int i = 0; i < tasks; i++) {
            spindle.execute(() -> {
                task.run();
                ended.countDown();
            });
        }
        go.countDown();
        ended.await();
        spindle.close();
        return Pool.of(spindle).times();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16, 128, 1_024})
    void sampleOneIn_n_measuresOneTaskInN(int sampleOneIn) throws Exception {
        int tasks = 10_000;

        Pool.Times times = run(spindle(sampleOneIn), tasks, () -> {});

        assertThat(times.sampleOneIn()).isEqualTo(sampleOneIn);
        assertThat(count(times.runs())).isBetween(tasks / sampleOneIn - 1L, tasks / sampleOneIn + 2L);
        assertThat(count(times.waits())).isBetween(tasks / sampleOneIn - 1L, tasks / sampleOneIn + 2L);
    }

    @Test
    void samples_ofTasksOfAMillisecond_haveThisTime() throws Exception {
        Pool.Times times = run(spindle(1), 20, () -> clock.addAndGet(MILLI));

        // the first task of a worker is not measured
        assertThat(times.runs()[Counters.TOTAL]).isEqualTo(20 * MILLI);
        assertThat(times.runs()[Counters.bucket(MILLI)]).isEqualTo(20);
        // they wait for 5, 6, .. 24 ms
        assertThat(times.waits()[Counters.TOTAL]).isEqualTo((20 * 5 + 19 * 20 / 2) * MILLI);
    }

    @Test
    void sampleOneIn_0_measuresNothing() throws Exception {
        Pool.Times times = run(spindle(0), 1_000, () -> {});

        assertThat(times.sampleOneIn()).isZero();
        assertThat(times.runs()).isEmpty();
        assertThat(times.waits()).isEmpty();
    }

    @Test
    void sampleOneIn_isRoundedUpToAPowerOfTwo() {
        try (Spindle spindle = spindle(100)) {
            assertThat(Pool.of(spindle).times().sampleOneIn()).isEqualTo(128);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, 1_048_577})
    void sampleOneIn_outOfRange_isRefusedWithItsName(int sampleOneIn) {
        assertThatThrownBy(() -> Spindle.builder().sampleOneIn(sampleOneIn))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sampleOneIn must be from 0 to 1048576, is " + sampleOneIn);
    }

    @Test
    void samples_ofWorkersThatHaveEnded_stay() throws Exception {
        Spindle spindle = spindle(1);
        for (int i = 0; i < 10; i++) {
            CompletableFuture<?> unused = spindle.submit(() -> clock.addAndGet(MILLI));
        }
        spindle.close(); // ends the worker

        assertThat(count(Pool.of(spindle).times().runs())).isEqualTo(9);
    }

    @Test
    void bucket_ofEachTime_beginsAtOrBelowIt() {
        for (int bucket = 1; bucket < Counters.BUCKETS - 1; bucket++) {
            long least = Counters.least(bucket);
            assertThat(Counters.bucket(least)).isEqualTo(bucket);
            assertThat(Counters.bucket(least - 1)).isEqualTo(bucket - 1);
            assertThat((double) Counters.least(bucket + 1) / least).isLessThanOrEqualTo(2);
        }
        assertThat(Counters.bucket(-1)).isZero();
        assertThat(Counters.bucket(Long.MAX_VALUE)).isEqualTo(Counters.BUCKETS - 1);
    }
}
