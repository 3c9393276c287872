// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntConsumer;

/**
 * Threads that work concurrently in each pass. The threads live until {@link #close}, so that their costs can be read
 * after a pass.
 */
public final class Producers implements AutoCloseable {
    private final CyclicBarrier start;
    private final List<Thread> threads = new ArrayList<>();
    private volatile IntConsumer share = none -> {};

    public Producers(int count) {
        start = new CyclicBarrier(count + 1);
        for (int i = 0; i < count; i++) {
            int own = i;
            threads.add(Waits.start("producer-" + own, () -> run(own)));
        }
    }

    /** Runs {@code work} on each thread with the thread's index, and returns without waiting. */
    public void start(IntConsumer work) {
        share = work;
        await();
    }

    /**
     * Runs {@code work} with each index below {@code count}, a contiguous part on each thread, and waits for the end.
     */
    public void runAll(int count, IntConsumer work) throws InterruptedException {
        CountDownLatch left = new CountDownLatch(threads.size());
        start(own -> {
            int to = (int) ((long) count * (own + 1) / threads.size());
            try {
                for (int index = (int) ((long) count * own / threads.size()); index < to; index++) {
                    work.accept(index);
                }
            } finally {
                left.countDown();
            }
        });
        left.await();
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        threads.forEach(thread -> Waits.ignoring(thread::join));
    }

    private void run(int own) {
        while (await()) {
            share.accept(own);
        }
    }

    private boolean await() {
        try {
            start.await();
            return true;
        } catch (InterruptedException | BrokenBarrierException e) {
            return false; // closed
        }
    }
}
