// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.OrderedSet;
import dev.spindle.internal.WaitList;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;

/**
 * The logical executors of a spindle, for its shutdown, and their access to the spindle. They are held weakly: one with
 * work is reachable from the scheduler, a timer or a submitter's stack, and an unused one needs no shutdown.
 *
 * <p>A thread that adds an executor then reads {@code closed}; a shutdown sets it and then iterates over the executors.
 * So one of the two shuts each executor down. An executor is removed when it has terminated, and the spindle may
 * terminate when none is left.
 */
final class LogicalExecutors {
    private final Spindle spindle;
    private final int max;
    private final OrderedSet<Reference<? extends LogicalExecutor>> all = new OrderedSet<>();
    private final ReferenceQueue<LogicalExecutor> unused = new ReferenceQueue<>();
    private volatile boolean closed;

    LogicalExecutors(Spindle spindle, int max) {
        this.spindle = spindle;
        this.max = max;
    }

    Spindle spindle() {
        return spindle;
    }

    /** Returns the maximum number of workers. */
    int max() {
        return max;
    }

    void add(LogicalExecutor executor) {
        for (Reference<? extends LogicalExecutor> r = unused.poll(); r != null; r = unused.poll()) {
            boolean unusedResult = all.remove(r);
        }
        Reference<LogicalExecutor> held = new WeakReference<>(executor, unused);
        executor.onTermination(() -> remove(held));
        all.add(held);
        if (closed) {
            executor.shutdownWithSpindle();
        }
    }

    private void remove(Reference<LogicalExecutor> held) {
        boolean unusedResult = all.remove(held);
        if (closed) {
            spindle.pool().tryTerminate();
        }
    }

    /** Shuts down all executors, but keeps their delayed tasks. */
    void shutdown() {
        closed = true;
        for (Reference<? extends LogicalExecutor> held : all.inOrder()) {
            LogicalExecutor executor = held.get();
            if (executor != null) {
                executor.shutdownWithSpindle();
            } else {
                boolean unusedResult = all.remove(held); // collected: it was idle
            }
        }
    }

    /** Removes all waiting tasks of the executors and adds them to {@code taken}. */
    void takeAll(List<Runnable> taken) {
        for (Reference<? extends LogicalExecutor> held : all.inOrder()) {
            LogicalExecutor executor = held.get();
            if (executor != null) {
                executor.takeAll(taken);
            }
        }
    }

    /** Adds the submitters that wait at a bound of an executor. */
    void listWaits(WaitList list) {
        for (Reference<? extends LogicalExecutor> held : all.inOrder()) {
            LogicalExecutor executor = held.get();
            if (executor != null) {
                executor.listWaits(list);
            }
        }
    }

    /** Returns an estimate of the number of waiting tasks of all executors. */
    long estimatedQueued() {
        long sum = 0;
        for (Reference<? extends LogicalExecutor> held : all.inOrder()) {
            LogicalExecutor executor = held.get(); // null if collected: it had no work
            sum += executor == null ? 0 : executor.estimatedQueued();
        }
        return sum;
    }

    /** Returns true if no executor is left. Called after {@link #shutdown}. */
    boolean isEmpty() {
        return all.isEmpty();
    }
}
