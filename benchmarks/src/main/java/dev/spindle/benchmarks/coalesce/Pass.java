// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.OwnProcess;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One run of a traffic through a fresh contender, from the first update until the last was shown. */
final class Pass {
    private static final int ORDER = 1 << 16;
    private static final int CLOCK_MASK = (1 << 12) - 1;

    private final Cell cell;
    private final int[] order = new int[ORDER];
    private final long[][] sent;
    private final long[] updates;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private Pass(Cell cell, long seed) {
        this.cell = cell;
        sent = new long[cell.producers()][cell.keys()];
        updates = new long[cell.producers()];
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < ORDER; i++) {
            order[i] = random.nextInt(cell.keys());
        }
    }

    static Measurement run(Cell cell, Contender contender, long seed) throws InterruptedException {
        return new Pass(cell, seed).run(contender);
    }

    private Measurement run(Contender contender) throws InterruptedException {
        int threadsBefore = OwnProcess.restartPeak();
        Screen screen = new Screen(cell);
        Subject subject = contender.open(cell, screen);
        CountDownLatch start = new CountDownLatch(1);
        Thread[] producers = new Thread[cell.producers()];
        for (int p = 0; p < producers.length; p++) {
            int producer = p;
            producers[p] = new Thread(() -> produce(producer, subject, start), "producer-" + p);
            producers[p].start();
        }
        MachineLoad loadBefore = MachineLoad.now();
        long cpuBefore = OwnProcess.cpuNanos();
        long begin = System.nanoTime();
        start.countDown();
        for (Thread producer : producers) {
            producer.join();
        }
        subject.finish();
        long nanos = System.nanoTime() - begin;
        long cpu = OwnProcess.cpuNanos() - cpuBefore;
        double foreign = MachineLoad.now().foreignPercent(loadBefore, cpu);
        int threads = OwnProcess.peakThreads() - threadsBefore - producers.length;
        subject.close();
        OwnProcess.settle(threadsBefore);
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("a producer failed", failed);
        }
        long all = 0;
        for (long some : updates) {
            all += some;
        }
        return new Measurement(
                all,
                (double) nanos / all,
                (double) cpu / all,
                (double) all / Math.max(1, screen.shown()),
                threads,
                screen.backwards(),
                screen.stale(sent),
                foreign);
    }

    private void produce(int producer, Subject subject, CountDownLatch start) {
        try {
            start.await();
            long share = cell.updates() / cell.producers();
            long end = System.nanoTime() + cell.limit().toNanos();
            long[] mine = sent[producer];
            int offset = producer * (ORDER / cell.producers());
            long number = 0;
            while (number < share && ((number & CLOCK_MASK) != 0 || System.nanoTime() < end)) {
                int key = order[(int) (number + offset) & (ORDER - 1)];
                number++;
                subject.update(new Tick(key, producer, number));
                mine[key] = number;
            }
            updates[producer] = number;
        } catch (Throwable t) {
            failure.compareAndSet(null, t);
        }
    }
}
