// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.peers;

import dev.spindle.benchmarks.compare.Waits;
import java.util.concurrent.Executor;
import org.agrona.concurrent.AbstractConcurrentArrayQueue;
import org.agrona.concurrent.BusySpinIdleStrategy;

/** An executor with one thread, which polls one of Agrona's queues without blocking. */
final class SpinningRing implements Executor, AutoCloseable {
    private final AbstractConcurrentArrayQueue<Runnable> tasks;
    private final Thread thread = new Thread(this::run, "ring");
    private volatile boolean ended;

    /** @param tasks an empty queue; a submitter spins while the queue is full */
    SpinningRing(AbstractConcurrentArrayQueue<Runnable> tasks) {
        this.tasks = tasks;
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void execute(Runnable task) {
        while (!tasks.offer(task)) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        ended = true;
        Waits.ignoring(thread::join);
    }

    private void run() {
        while (!ended) {
            BusySpinIdleStrategy.INSTANCE.idle(tasks.drain(Runnable::run));
        }
    }
}
