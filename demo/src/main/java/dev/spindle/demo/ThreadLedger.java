// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the threads of one run and keeps the account of what they cost. Thread-safe.
 *
 * <p>The system forgets the counts of a thread when it ends, so each thread enters its own as the last thing it does:
 * whole, whether it ends at the shutdown or in the middle of the run, and without those of the compiler and the garbage
 * collector. The totals hold once {@link #join()} has returned.
 */
final class ThreadLedger implements ThreadFactory {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final String prefix;
    // All guarded by this.
    private final List<Thread> threads = new ArrayList<>();
    private int live;
    private int peak;
    private long cpuNanos;
    private @Nullable ContextSwitches switches = ContextSwitches.NONE;
    private long failures;
    private @Nullable Throwable firstFailure;

    ThreadLedger(String prefix) {
        this.prefix = prefix;
    }

    /** A thread that counts towards the peak. */
    @Override
    public Thread newThread(Runnable body) {
        return make(body, true);
    }

    /** The thread that feeds the events: in the account of costs, but not in the peak. */
    Thread newFeeder(Runnable body) {
        return make(body, false);
    }

    /** Enters a task that failed; the first one is kept for the report. */
    synchronized void failed(Throwable failure) {
        failures++;
        if (firstFailure == null) {
            firstFailure = failure;
        }
    }

    /** Waits until every thread made so far has ended. */
    void join() throws InterruptedException {
        List<Thread> all;
        synchronized (this) {
            all = List.copyOf(threads);
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    /** The most threads that lived at once, without the feeder. */
    synchronized int peakThreads() {
        return peak;
    }

    /** Processor time of all threads. */
    synchronized long cpuNanos() {
        return cpuNanos;
    }

    /** Context switches of all threads, or null where the system does not tell. */
    synchronized @Nullable ContextSwitches switches() {
        return switches;
    }

    synchronized long failures() {
        return failures;
    }

    synchronized @Nullable Throwable firstFailure() {
        return firstFailure;
    }

    private synchronized Thread make(Runnable body, boolean worker) {
        Thread thread = new Thread(() -> run(body, worker), prefix + "-" + threads.size());
        thread.setUncaughtExceptionHandler((failed, failure) -> failed(failure));
        threads.add(thread);
        return thread;
    }

    private void run(Runnable body, boolean worker) {
        if (worker) {
            begin();
        }
        try {
            body.run();
        } finally {
            end(worker, ContextSwitches.ofCurrentThread(), THREADS.getCurrentThreadCpuTime());
        }
    }

    private synchronized void begin() {
        live++;
        peak = Math.max(peak, live);
    }

    private synchronized void end(boolean worker, @Nullable ContextSwitches own, long ownCpuNanos) {
        if (worker) {
            live--;
        }
        cpuNanos += Math.max(0, ownCpuNanos);
        switches = switches == null || own == null ? null : switches.plus(own);
    }
}
