// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.Interruptions;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.OwnProcess;
import dev.spindle.benchmarks.forks.StalledException;
import dev.spindle.benchmarks.forks.ThreadSwitches;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Key 0 sleeps while each millisecond one of the other keys gets a task: how long does the slowest of those wait for
 * its start? The same is measured before, with nobody asleep, since a busy machine delays everybody.
 */
final class BlockedKey {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private BlockedKey() {}

    /** @param scale 1 for a block of a second, less for a shorter one */
    static Measurement measure(Cell cell, Contender contender, double scale, int processors)
            throws InterruptedException {
        int ticks = cell.scaled(scale).events();
        int threadsBefore = ManagementFactory.getThreadMXBean().getThreadCount();
        ManagementFactory.getThreadMXBean().resetPeakThreadCount();
        Subject subject = contender.open(Workload.timed(cell.scaled(0), 1), processors);
        if (!(subject instanceof KeyedExecutor executor)) {
            throw new IllegalArgumentException(contender + " has no keys that could be blocked");
        }
        delays(executor, cell.keys(), ticks / 2);
        MachineLoad loadBefore = MachineLoad.now();
        long cpuBefore = OwnProcess.cpuNanos();
        ThreadSwitches switchesBefore = ThreadSwitches.now();
        double quiet = max(delays(executor, cell.keys(), ticks));

        CountDownLatch blocked = new CountDownLatch(1);
        executor.execute(0, () -> {
            Interruptions.ignoring(() -> Thread.sleep(ticks));
            blocked.countDown();
        });
        double behind = max(delays(executor, cell.keys(), ticks));
        Interruptions.ignoring(blocked::await);

        double foreign = MachineLoad.now().foreignPercent(loadBefore, OwnProcess.cpuNanos() - cpuBefore);
        int threads = ManagementFactory.getThreadMXBean().getPeakThreadCount() - threadsBefore;
        ThreadSwitches.Count switches = ThreadSwitches.now().since(switchesBefore);
        subject.close();
        return new Measurement(
                1,
                Double.NaN,
                (OwnProcess.cpuNanos() - cpuBefore) / 1e6,
                threads,
                switches.voluntary(),
                switches.involuntary(),
                0,
                0,
                0,
                foreign,
                behind,
                quiet);
    }

    /** The delay of each of {@code ticks} tasks from its submit to its start, in nanoseconds; returns when all ran. */
    private static long[] delays(KeyedExecutor executor, int keys, int ticks) throws InterruptedException {
        long[] delays = new long[ticks];
        CountDownLatch left = new CountDownLatch(ticks);
        long begin = System.nanoTime();
        for (int tick = 0; tick < ticks; tick++) {
            long due = begin + tick * PERIOD_NANOS;
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            int slot = tick;
            long submitted = System.nanoTime();
            executor.execute(1 + tick % (keys - 1), () -> {
                delays[slot] = System.nanoTime() - submitted;
                left.countDown();
            });
        }
        if (!left.await(60, TimeUnit.SECONDS)) {
            throw new StalledException(left.getCount() + " of " + ticks + " tasks had not run after 60 s");
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
