// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Counters;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The workers that exist, and what all together have done, those that have ended included. Workers end under the worker
 * set's lock; everything else may be called by anybody and is racy. Only {@link #add}, {@link #total} and {@link #look}
 * need memory: who wakes a worker must not, for memory may be what the tasks that wait will free.
 */
final class WorkerRegistry {
    // Longer ones replace it, with the same workers in the same places; written under this object's monitor.
    private volatile AtomicReferenceArray<@Nullable Worker> workers = new AtomicReferenceArray<>(4);
    private volatile Ended ended = new Ended(new Counters(), null);

    /** The counts of all ended workers, and the last of them, which is perhaps still among the workers. */
    record Ended(Counters counters, @Nullable Worker last) {}

    synchronized void add(Worker worker) {
        AtomicReferenceArray<@Nullable Worker> all = workers;
        for (int i = 0; i < all.length(); i++) {
            if (all.get(i) == null) {
                all.set(i, worker);
                return;
            }
        }
        AtomicReferenceArray<@Nullable Worker> longer = new AtomicReferenceArray<>(2 * all.length());
        for (int i = 0; i < all.length(); i++) {
            longer.set(i, all.get(i));
        }
        longer.set(all.length(), worker);
        workers = longer;
    }

    /** Removes a worker that could not be started. */
    synchronized void remove(Worker worker) {
        AtomicReferenceArray<@Nullable Worker> all = workers;
        for (int i = 0; i < all.length(); i++) {
            if (all.get(i) == worker) {
                all.set(i, null);
            }
        }
    }

    /** Removes a worker that ends, and keeps its counts. */
    void ended(Worker worker) {
        Ended sum = worker.ended;
        sum.counters().addAll(ended.counters());
        worker.addTo(sum.counters());
        ended = sum; // before the removal, for total()
        remove(worker);
    }

    /** Returns what all have counted. No worker is counted twice or left out, whoever ends meanwhile. */
    Counters total() {
        for (; ; ) {
            Ended before = ended;
            Counters sum = new Counters();
            sum.addAll(before.counters());
            forEach(
                    w -> { // after `ended`: none that it counts is left, but the last
                        if (w != before.last()) {
                            w.addTo(sum);
                        }
                    });
            if (ended == before) {
                return sum; // else one that has ended may have been left out
            }
        }
    }

    /**
     * A sample of all workers, for the watcher.
     *
     * @param completed how many tasks have ended, in any way
     * @param allWait whether all workers that are awake are seen to wait for something
     * @param stalled how many workers at work wait and have ended no task since the last look; one that was woken and
     *     has not run yet still searches, and does not count
     */
    record Look(long completed, boolean allWait, int stalled) {}

    /** Begins to look at the workers: returns how many tasks have ended, and sets down where each of them stands. */
    long beginLooking() {
        long sum = ended.counters().get(Counters.What.COMPLETED);
        AtomicReferenceArray<@Nullable Worker> all = workers;
        for (int i = 0; i < all.length(); i++) {
            Worker w = all.get(i);
            if (w != null) {
                w.completedAtLook = w.completed();
                sum += w.completedAtLook;
            }
        }
        return sum;
    }

    /** Looks at the workers. For the watcher. */
    Look look() {
        long sum = ended.counters().get(Counters.What.COMPLETED);
        boolean allWait = true;
        int stalled = 0;
        AtomicReferenceArray<@Nullable Worker> all = workers;
        for (int i = 0; i < all.length(); i++) {
            Worker w = all.get(i);
            if (w == null) {
                continue;
            }
            long completed = w.completed();
            boolean still = completed == w.completedAtLook;
            w.completedAtLook = completed;
            sum += completed;
            Thread thread = w.thread;
            if (w.state != Worker.AWAKE || w.coming || thread == null) {
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

    void forEach(Consumer<? super Worker> action) {
        AtomicReferenceArray<@Nullable Worker> all = workers;
        for (int i = 0; i < all.length(); i++) {
            Worker w = all.get(i);
            if (w != null) {
                action.accept(w);
            }
        }
    }

    /** Interrupts every worker that is awake. */
    void interruptAwake() {
        forEach(w -> {
            Thread thread = w.thread;
            if (thread != null && w.state == Worker.AWAKE) {
                thread.interrupt();
            }
        });
    }
}
