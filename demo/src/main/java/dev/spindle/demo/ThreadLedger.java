// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates the threads of one run and counts their context switches. This class is thread-safe.
 *
 * <p>The kernel discards the count of a thread that ends, so each thread adds its own count as its last action. The
 * compiler and garbage collector threads of the JVM are not included. The totals are final after {@link #join()} has
 * returned.
 */
final class ThreadLedger implements ThreadFactory {

    // All fields below are guarded by this.
    private final List<Thread> threads = new ArrayList<>();
    private final Set<Path> live = new HashSet<>();
    private boolean unknown;
    private int running;
    private int peak;
    private long endedSwitches;
    private int virtual;
    private int virtualPeak;
    private @Nullable CarrierThreads carriers;
    private long failures;
    private @Nullable Throwable firstFailure;

    @Override
    public synchronized Thread newThread(Runnable body) {
        Thread thread = new Thread(() -> run(body), "demo-" + threads.size());
        thread.setUncaughtExceptionHandler((failed, failure) -> failed(failure));
        threads.add(thread);
        running++;
        peak = Math.max(peak, running);
        return thread;
    }

    /** Includes the carriers of virtual threads from this call on. */
    synchronized void countCarriers() {
        carriers = CarrierThreads.fromNow();
    }

    synchronized void virtualBegins() {
        virtual++;
        virtualPeak = Math.max(virtualPeak, virtual);
    }

    synchronized void virtualEnds() {
        virtual--;
    }

    /** Counts a failed task, and keeps the first failure for the report. */
    synchronized void failed(Throwable failure) {
        failures++;
        if (firstFailure == null) {
            firstFailure = failure;
        }
    }

    /** Waits until every thread created so far has ended. */
    void join() throws InterruptedException {
        List<Thread> all;
        synchronized (this) {
            all = List.copyOf(threads);
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    /** Returns the peak number of live platform threads. */
    synchronized int peakThreads() {
        return carriers == null ? peak : peak + carriers.count();
    }

    synchronized int virtualPeak() {
        return virtualPeak;
    }

    /** Returns the context switches of all threads so far, or {@link ContextSwitches#UNKNOWN} if a count is missing. */
    synchronized long switches() {
        if (unknown || ContextSwitches.currentTask() == null) {
            return ContextSwitches.UNKNOWN;
        }
        long sum = carriers == null ? endedSwitches : endedSwitches + carriers.switches();
        for (Path task : live) {
            sum += Math.max(0, ContextSwitches.of(task));
        }
        return sum;
    }

    synchronized long failures() {
        return failures;
    }

    synchronized @Nullable Throwable firstFailure() {
        return firstFailure;
    }

    private void run(Runnable body) {
        Path task = ContextSwitches.currentTask();
        begin(task);
        try {
            body.run();
        } finally {
            end(task, task == null ? ContextSwitches.UNKNOWN : ContextSwitches.of(task));
        }
    }

    private synchronized void begin(@Nullable Path task) {
        if (task != null) {
            live.add(task);
        }
    }

    private synchronized void end(@Nullable Path task, long switches) {
        running--;
        unknown |= switches == ContextSwitches.UNKNOWN;
        endedSwitches += Math.max(0, switches);
        if (task != null) {
            live.remove(task);
        }
    }
}
