// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The workers that exist, and what all together have done, those that have ended included. Workers are added and removed
 * under the crew's lock; everything else may be called by anybody and is racy.
 */
final class Roster {
    private final ConcurrentHashMap<Worker, Worker> workers = new ConcurrentHashMap<>();
    private volatile Ended ended = new Ended(new Counters(), null);

    /** What all ended workers have counted, and which of them was the last, and is perhaps still among the workers. */
    record Ended(Counters counters, @Nullable Worker last) {}

    void add(Worker worker) {
        workers.put(worker, worker);
    }

    /** Removes a worker that could not be started. */
    void remove(Worker worker) {
        workers.remove(worker);
    }

    /** Removes a worker that ends, and keeps its counts. */
    void ended(Worker worker) {
        Ended sum = worker.ended;
        sum.counters().addAll(ended.counters());
        sum.counters().addAll(worker);
        ended = sum; // before the removal, for total()
        workers.remove(worker);
    }

    /** Returns what all have counted. No worker is counted twice or left out, whoever ends meanwhile. */
    Counters total() {
        for (; ; ) {
            Ended before = ended;
            Counters sum = new Counters();
            sum.addAll(before.counters());
            for (Worker w : workers.keySet()) {
                if (w != before.last()) {
                    sum.addAll(w);
                }
            }
            if (ended == before) {
                return sum; // else one that has ended may have been left out
            }
        }
    }

    /**
     * What the watcher sees of the workers.
     *
     * @param completed how many tasks have ended, in any way
     * @param allWait whether all workers that are awake are seen to wait for something
     * @param stalled how many workers at work wait and have ended no task since the last look; one that was woken and has
     *     not run yet still searches, and does not count
     */
    record Look(long completed, boolean allWait, int stalled) {}

    /** Looks at the workers. For the watcher, and whoever begins the watch. */
    Look look() {
        long sum = ended.counters().get(Counters.What.COMPLETED);
        boolean allWait = true;
        int stalled = 0;
        for (Worker w : workers.keySet()) {
            long completed = w.completed();
            boolean still = completed == w.completedAtLook;
            w.completedAtLook = completed;
            sum += completed;
            Thread thread = w.thread;
            if (w.state != Worker.AWAKE || thread == null) {
                continue;
            }
            if (thread.getState() == Thread.State.RUNNABLE) {
                allWait = false;
            } else if (still && !w.searching) {
                stalled++;
            }
        }
        return new Look(sum, allWait, stalled);
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
