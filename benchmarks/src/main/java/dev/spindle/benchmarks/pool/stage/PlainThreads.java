// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import dev.spindle.benchmarks.forks.Interruptions;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntConsumer;

/** The physical limit: threads that find their share of the work where they stand. They live until they are closed. */
public final class PlainThreads implements AutoCloseable {
    private final CyclicBarrier barrier;
    private final Thread[] threads;

    /** Written before the barrier, read after it. */
    private Job job = new Job(0, index -> {});

    /** Written before the barrier, read after it. */
    private boolean closed;

    private record Job(int tasks, IntConsumer task) {}

    PlainThreads(int count) {
        barrier = new CyclicBarrier(count + 1);
        threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            int own = i;
            threads[i] = new Thread(() -> Interruptions.ignoring(() -> work(own)), "limit-" + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
    }

    /** Runs the tasks 0 to {@code tasks - 1}, a block of them on each thread, and returns when all have run. */
    public void run(int tasks, IntConsumer task) throws InterruptedException {
        job = new Job(tasks, task);
        meet();
        meet();
    }

    @Override
    public void close() {
        closed = true;
        Interruptions.ignoring(this::meet);
        for (Thread thread : threads) {
            Interruptions.ignoring(thread::join);
        }
    }

    private void work(int own) throws InterruptedException {
        while (true) {
            meet();
            if (closed) {
                return;
            }
            Job now = job;
            int from = (int) ((long) now.tasks * own / threads.length);
            int to = (int) ((long) now.tasks * (own + 1) / threads.length);
            for (int index = from; index < to; index++) {
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
