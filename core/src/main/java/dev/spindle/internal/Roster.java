// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The workers that exist, and what all together have done, those that have ended included. Workers are added and removed
 * under the crew's lock; everything else may be called by anybody and is racy.
 */
final class Roster {
    private final ConcurrentHashMap<Worker, Worker> workers = new ConcurrentHashMap<>();
    private volatile long endedCompleted;
    private volatile long endedFailed;

    void add(Worker worker) {
        workers.put(worker, worker);
    }

    /** Removes a worker that could not be started. */
    void remove(Worker worker) {
        workers.remove(worker);
    }

    /** Removes a worker that ends, and keeps its counts. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the crew's lock
    void ended(Worker worker) {
        endedCompleted += worker.completed();
        endedFailed += worker.failed();
        workers.remove(worker);
    }

    /** Returns how many tasks ended, in any way. */
    long completed() {
        long sum = endedCompleted;
        for (Worker w : workers.keySet()) {
            sum += w.completed();
        }
        return sum;
    }

    /** Returns how many tasks threw to the failure handler. */
    long failed() {
        long sum = endedFailed;
        for (Worker w : workers.keySet()) {
            sum += w.failed();
        }
        return sum;
    }

    /** Returns whether all workers that are awake are seen to wait for something. */
    boolean allWait() {
        for (Worker w : workers.keySet()) {
            Thread thread = w.thread;
            if (w.state == Worker.AWAKE && thread != null && thread.getState() == Thread.State.RUNNABLE) {
                return false;
            }
        }
        return true;
    }

    void forEach(Consumer<Runner> action) {
        workers.keySet().forEach(action);
    }

    /** Interrupts every worker that is awake. */
    void interruptAwake() {
        for (Worker w : workers.keySet()) {
            Thread thread = w.thread;
            if (thread != null && w.state == Worker.AWAKE) {
                thread.interrupt();
            }
        }
    }
}
