// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.handovers;

import dev.spindle.verify.torture.tools.Pause;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Submits one task at a time to a pool and waits until the task has started. The gaps between submissions are random,
 * so that a submission meets workers that run, search, park or wake up. After a lost wake-up the task never starts,
 * because no other submission wakes a worker.
 */
final class Handovers {
    private static final int SPINS = 1_000;
    private static final int YIELDS = 2_000;
    private static final long NAP_NANOS = 100_000;
    private static final int LONG_GAP_OF = 1_000;
    private static final int GAP_NANOS = 2_000;
    private static final int LONG_GAP_NANOS = 100_000;
    private static final long LATE_NANOS = 10_000_000;
    private static final long PROGRESS_STEP = 1 << 14;

    private final List<Entrance> entrances;
    private final Duration limit;
    private final SplittableRandom random;
    private final int[] weighted;
    private final long[] counts;
    private final Task task = new Task();
    private final Histogram delays = new Histogram(2); // the range is extended automatically
    private long longest;
    private long late;

    /**
     * @param counts the number of tasks of each way to submit
     * @param delays the times from the submission to the start of a task
     * @param longestNanos the longest of these times
     * @param late the number of tasks that started after more than 10 ms, because the machine was busy or because
     *     another event replaced a lost wake-up
     * @param fault a description of the failure, or null
     */
    record Result(
            List<Long> counts,
            Histogram delays,
            long longestNanos,
            long late,
            @Nullable String fault) {}

    /** Creates a run in which each task must start within {@code limit}. */
    Handovers(List<Entrance> entrances, long seed, Duration limit) {
        this.entrances = entrances;
        this.limit = limit;
        random = new SplittableRandom(seed);
        counts = new long[entrances.size()];
        weighted = new int[entrances.stream().mapToInt(Entrance::weight).sum()];
        int filled = 0;
        for (int entrance = 0; entrance < entrances.size(); entrance++) {
            for (int i = 0; i < entrances.get(entrance).weight(); i++) {
                weighted[filled++] = entrance;
            }
        }
    }

    /**
     * Submits {@code tasks} tasks, or stops at the first that does not start in time or starts twice.
     *
     * @param progress receives the number of tasks submitted so far, from time to time
     */
    Result run(long tasks, LongConsumer progress) {
        for (long number = 1; number <= tasks; number++) {
            gap();
            int entrance = weighted[random.nextInt(weighted.length)];
            counts[entrance]++;
            task.submittedAt = System.nanoTime();
            entrances.get(entrance).door().accept(task);
            String fault = awaitStart(number);
            if (fault != null) {
                return result(
                        "hand-over " + number + " (" + entrances.get(entrance).title() + ") " + fault);
            }
            delays.recordValue(task.delay);
            longest = Math.max(longest, task.delay);
            late += task.delay > LATE_NANOS ? 1 : 0;
            if (number % PROGRESS_STEP == 0) {
                progress.accept(number);
            }
        }
        return result(null);
    }

    private Result result(@Nullable String fault) {
        return new Result(Arrays.stream(counts).boxed().toList(), delays, longest, late, fault);
    }

    /** Returns the number of task starts; exact after the termination of the pool. */
    long starts() {
        return task.started.get();
    }

    private void gap() {
        boolean isLong = random.nextInt(LONG_GAP_OF) == 0;
        Pause.spin(random.nextInt(isLong ? LONG_GAP_NANOS : GAP_NANOS));
    }

    /** Waits until all submitted tasks have started; returns a description of a failure, or null. */
    private @Nullable String awaitStart(long number) {
        for (long rounds = 0; task.started.get() < number; rounds++) {
            if (rounds < SPINS) {
                Thread.onSpinWait();
            } else if (rounds < SPINS + YIELDS) {
                Thread.yield();
            } else if (System.nanoTime() - task.submittedAt > limit.toNanos()) {
                return "has not started in " + limit + ": a lost wake-up";
            } else {
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
        long started = task.started.get();
        return started == number ? null : "ran twice, or one before it did: " + started + " runs";
    }

    /** The task, which is submitted repeatedly and is never pending twice. */
    private static final class Task implements Runnable {
        private final AtomicLong started = new AtomicLong();
        // Plain fields, ordered by the submission and by the increment of {@code started}.
        private long submittedAt;
        private long delay;

        @Override
        public void run() {
            delay = System.nanoTime() - submittedAt;
            started.incrementAndGet();
        }
    }
}
