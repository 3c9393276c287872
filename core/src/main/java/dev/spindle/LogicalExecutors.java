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
 * The logical executors of a spindle, for its shutdown, and what they take from it. One that has work is reachable from
 * the scheduler, a timer or a submitter's stack, so they are held weakly here: one that is no longer used needs no
 * shutdown.
 *
 * <p>Whoever adds an executor reads {@code closed} afterwards; the shutdown sets it and then looks at all of them. So
 * each is shut down by one of the two. An executor leaves when it has terminated: the spindle may end when none is
 * left.
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

    /** Returns how many workers there may be. */
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

    /** Shuts all down, but for their delayed tasks. */
    void shutdown() {
        closed = true;
        for (Reference<? extends LogicalExecutor> held : all.inOrder()) {
            LogicalExecutor executor = held.get();
            if (executor != null) {
                executor.shutdownWithSpindle();
            } else {
                boolean unusedResult = all.remove(held); // it was idle
            }
        }
    }

    /** Takes away what waits in all of them, and adds it to {@code taken}. */
    void takeAll(List<Runnable> taken) {
        for (Reference<? extends LogicalExecutor> held : all.inOrder()) {
            LogicalExecutor executor = held.get();
            if (executor != null) {
                executor.takeAll(taken);
            }
        }
    }

    /** Adds those who wait at a bound of an executor. */
    void listWaits(WaitList list) {
        for (Reference<? extends LogicalExecutor> held : all.inOrder()) {
            LogicalExecutor executor = held.get();
            if (executor != null) {
                executor.listWaits(list);
            }
        }
    }

    /** Returns about how many tasks wait in all of them. */
    long estimatedQueued() {
        long sum = 0;
        for (Reference<? extends LogicalExecutor> held : all.inOrder()) {
            LogicalExecutor executor = held.get(); // null: it had no work
            sum += executor == null ? 0 : executor.estimatedQueued();
        }
        return sum;
    }

    /** Returns whether none is left; to be asked after {@link #shutdown}. */
    boolean isEmpty() {
        return all.isEmpty();
    }
}
