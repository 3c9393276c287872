// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.compare.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntConsumer;

/** Threads that each run a contiguous part of the tasks, without a queue. */
final class PlainThreads implements AutoCloseable {
    private final CyclicBarrier barrier;
    private final List<Thread> threads = new ArrayList<>();

    /** The tasks of the next pass. The barrier orders the write before the reads. */
    private Job job = new Job(0, index -> {});

    private boolean closed; // ordered by the barrier, like job

    private record Job(int tasks, IntConsumer task) {}

    PlainThreads(int count) {
        barrier = new CyclicBarrier(count + 1);
        for (int i = 0; i < count; i++) {
            int own = i;
            threads.add(Waits.start("limit-" + own, () -> Waits.ignoring(() -> work(own, count))));
        }
    }

    /** Runs the tasks with the indexes from 0 to {@code tasks - 1}, and returns after all have run. */
    void run(int tasks, IntConsumer task) throws InterruptedException {
        job = new Job(tasks, task);
        meet();
        meet();
    }

    @Override
    public void close() {
        closed = true;
        Waits.ignoring(this::meet);
        threads.forEach(thread -> Waits.ignoring(thread::join));
    }

    private void work(int own, int count) throws InterruptedException {
        for (meet(); !closed; meet()) {
            Job now = job;
            int to = (int) ((long) now.tasks * (own + 1) / count);
            for (int index = (int) ((long) now.tasks * own / count); index < to; index++) {
                now.task.accept(index);
            }
            meet();
        }
    }

    private void meet() throws InterruptedException {
        try {
            barrier.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException("a thread of the limit was interrupted", e);
        }
    }
}
