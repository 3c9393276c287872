// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Waits;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures the longest delay of tasks of other keys, submitted one per millisecond, while a task of key 0 sleeps. A
 * first measurement without the sleeping task shows the delay that the machine causes.
 */
final class BlockedKey {
    static final Figure DELAY = Figure.worst("delay_ms", "longest wait of the other keys, ms");
    static final Figure QUIET_DELAY = Figure.worst("quiet_delay_ms", "with none blocked, ms");

    static final int KEYS = 16;
    private static final int TICKS = 1_000;
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private BlockedKey() {}

    /** @param executors the executors of {@value #KEYS} keys */
    static Subject of(SerialExecutors executors, Subject.Scale scale) {
        int ticks = scale.of(TICKS, TICKS / 10);
        List<Executor> keys = executors.executors();
        return Subject.of(
                recorder -> {
                    recorder.begin();
                    recorder.value(QUIET_DELAY, longestDelayMillis(keys, ticks));
                    CountDownLatch blocked = new CountDownLatch(1);
                    keys.get(0).execute(() -> {
                        Waits.sleepMillis(ticks);
                        blocked.countDown();
                    });
                    recorder.value(DELAY, longestDelayMillis(keys, ticks));
                    Waits.await(blocked, "the key was still blocked");
                    recorder.end(2L * ticks + 1);
                },
                executors::close);
    }

    /**
     * Submits {@code count} tasks and returns the longest delay from a task's submission to its start, in milliseconds.
     */
    private static double longestDelayMillis(List<Executor> keys, int count) throws InterruptedException {
        AtomicLong longest = new AtomicLong();
        CountDownLatch left = new CountDownLatch(count);
        long begin = System.nanoTime();
        for (int tick = 0; tick < count; tick++) {
            Waits.until(begin + tick * PERIOD_NANOS);
            long submitted = System.nanoTime();
            keys.get(1 + tick % (KEYS - 1)).execute(() -> {
                longest.accumulateAndGet(System.nanoTime() - submitted, Math::max);
                left.countDown();
            });
        }
        Waits.await(left, "not all tasks had run");
        return longest.get() / 1e6;
    }
}
