// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.Interruptions;
import dev.spindle.benchmarks.forks.StalledException;
import dev.spindle.benchmarks.peers.SerialExecutors;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Key 0 sleeps while each millisecond one of the other keys gets a task: how long does the slowest of those wait for
 * its start? The same is measured before, with nobody asleep, since a busy machine delays everybody.
 */
final class BlockedKey implements Subject {
    static final Figure DELAY = Figure.worst("delay_ms", "longest wait of the other keys, ms");
    static final Figure QUIET_DELAY = Figure.worst("quiet_delay_ms", "with none blocked, ms");

    static final int KEYS = 16;
    private static final int TICKS = 1_000;
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SerialExecutors executors;
    private final int ticks;

    /** @param executors one for each of {@value #KEYS} keys */
    BlockedKey(SerialExecutors executors, Scale scale) {
        this.executors = executors;
        ticks = scale.of(TICKS, TICKS / 10);
    }

    @Override
    public void warmUp(Recorder forgotten) throws InterruptedException {
        delays(ticks / 2);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        recorder.begin();
        recorder.value(QUIET_DELAY, max(delays(ticks)));

        CountDownLatch blocked = new CountDownLatch(1);
        executors.executors().get(0).execute(() -> {
            Interruptions.ignoring(() -> Thread.sleep(ticks));
            blocked.countDown();
        });
        recorder.value(DELAY, max(delays(ticks)));
        Interruptions.ignoring(blocked::await);
        recorder.end(2L * ticks + 1);
    }

    @Override
    public void close() {
        executors.close();
    }

    /** The delay of each of {@code count} tasks from its submit to its start, in nanoseconds; returns when all ran. */
    private long[] delays(int count) throws InterruptedException {
        long[] delays = new long[count];
        CountDownLatch left = new CountDownLatch(count);
        long begin = System.nanoTime();
        for (int tick = 0; tick < count; tick++) {
            long due = begin + tick * PERIOD_NANOS;
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            int slot = tick;
            long submitted = System.nanoTime();
            executors.executors().get(1 + tick % (KEYS - 1)).execute(() -> {
                delays[slot] = System.nanoTime() - submitted;
                left.countDown();
            });
        }
        if (!left.await(60, TimeUnit.SECONDS)) {
            throw new StalledException(left.getCount() + " of " + count + " tasks had not run after 60 s");
        }
        return delays;
    }

    private static double max(long[] nanos) {
        long max = 0;
        for (long delay : nanos) {
            max = Math.max(max, delay);
        }
        return max / 1e6;
    }
}
