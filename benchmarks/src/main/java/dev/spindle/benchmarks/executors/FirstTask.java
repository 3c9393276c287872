// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.Spindle;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Creates an executor, waits for the result of one task, leaves the pool idle for 50 ms, and closes the executor. The
 * class uses no lambda and prints only after the measurement. A lambda or output before the measurement would make the
 * JVM load and link classes that the executor also needs.
 */
final class FirstTask {
    private static final int THREADS = 2;
    private static final int IDLE_MILLIS = 50;

    private FirstTask() {}

    /**
     * Prints the nanoseconds from the creation to the result, those of the close, and the processor time of this
     * process in nanoseconds.
     */
    public static void main(String[] arguments) throws Exception {
        Runnable task = new Nothing();
        long begin;
        long result;
        long idle;
        if (arguments[0].equals("spindle")) {
            begin = System.nanoTime();
            Spindle spindle = Spindle.create();
            spindle.keyed("keys").submit("key", task).get();
            result = System.nanoTime();
            Thread.sleep(IDLE_MILLIS);
            idle = System.nanoTime();
            spindle.close();
        } else {
            begin = System.nanoTime();
            ExecutorService pool = arguments[0].equals("fjp")
                    ? new ForkJoinPool(THREADS)
                    : new ThreadPoolExecutor(THREADS, THREADS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
            pool.submit(task).get();
            result = System.nanoTime();
            Thread.sleep(IDLE_MILLIS);
            idle = System.nanoTime();
            pool.shutdown();
            if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the pool did not end");
            }
        }
        long end = System.nanoTime();
        long cpu = ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElse(0L);
        System.out.println("@first " + (result - begin) + " " + (end - idle) + " " + cpu);
    }

    private static final class Nothing implements Runnable {
        @Override
        public void run() {}
    }
}
