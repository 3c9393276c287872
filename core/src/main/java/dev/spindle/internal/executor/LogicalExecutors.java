// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Stats;
import dev.spindle.internal.OrderedSet;
import dev.spindle.internal.Pool;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.limit.ConcurrencyLimiter;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The logical executors of a spindle, which a shutdown of the spindle shuts down. The references to them are weak. An
 * executor with work is reachable from the scheduler, a timer or a submitter's stack; an executor without work needs no
 * shutdown.
 *
 * <p>A thread that adds an executor reads {@code closed} after the add; a shutdown sets {@code closed} and then
 * iterates over the executors. So each executor is shut down, by the thread that added it or by the shutdown. An
 * executor is removed when it has terminated. The spindle terminates only when no executor is left.
 */
public final class LogicalExecutors {
    /** A logical executor. */
    public interface Member {
        /** Stops accepting tasks, and keeps the delayed tasks, which the spindle ends. */
        void shutdownWithSpindle();

        /**
         * Stops accepting tasks, and passes the waiting tasks with their owner to {@code to}, except delayed tasks that
         * are not due.
         */
        void takeAll(BiConsumer<@Nullable Object, Runnable> to);

        /** Adds the submitters that wait for a permit to {@code list}. */
        void listWaits(WaitList list);

        /** Returns the core of the executor. */
        ConcurrencyLimiter core();

        /** Returns the current counts. */
        Stats stats();
    }

    private final Pool pool;
    private final OrderedSet<Reference<? extends Member>> all = new OrderedSet<>();
    private final ReferenceQueue<Member> unused = new ReferenceQueue<>();
    private volatile boolean closed;
    private volatile boolean used; // true once an executor was added

    /** Creates the set of a spindle that has none yet. */
    public LogicalExecutors(Pool pool) {
        this.pool = pool;
    }

    /**
     * Adds {@code executor}, which is removed when {@code terminated} completes.
     *
     * @param followsMax true if as many tasks of the executor run at once as the pool has threads at most
     */
    public void add(Member executor, CompletableFuture<?> terminated, boolean followsMax) {
        for (Reference<? extends Member> r = unused.poll(); r != null; r = unused.poll()) {
            boolean unusedResult = all.remove(r);
        }
        used = true;
        Reference<Member> held = new WeakReference<>(executor, unused);
        CompletableFuture<?> unusedStage = terminated.thenRun(() -> remove(held));
        all.add(held); // D1
        if (followsMax) {
            executor.core().follow(pool::maxThreads); // reads the maximum after the add
        }
        if (closed) {
            executor.shutdownWithSpindle();
        }
    }

    private void remove(Reference<Member> held) {
        boolean unusedResult = all.remove(held);
        if (closed) {
            pool.tryTerminate();
        }
    }

    /** Returns true if the calling thread runs a task that it has submitted to an executor of {@code spindle}. */
    public boolean haveCaller(Object spindle) {
        return used && CallerRun.isOf(spindle);
    }

    /** Shuts down all executors, but keeps their delayed tasks. */
    public void shutdown() {
        closed = true;
        for (Reference<? extends Member> held : all.inOrder()) {
            Member executor = held.get();
            if (executor != null) {
                executor.shutdownWithSpindle();
            } else {
                boolean unusedResult = all.remove(held); // the idle executor was garbage collected
            }
        }
    }

    /** Removes all waiting tasks of the executors and passes them with their owner to {@code taken}. */
    public void takeAll(BiConsumer<@Nullable Object, Runnable> taken) {
        for (Reference<? extends Member> held : all.inOrder()) {
            Member executor = held.get();
            if (executor != null) {
                executor.takeAll(taken);
            }
        }
    }

    /** Adds the submitters that wait for a permit of an executor to {@code list}. */
    void listWaits(WaitList list) {
        for (Reference<? extends Member> held : all.inOrder()) {
            Member executor = held.get();
            if (executor != null) {
                executor.listWaits(list);
            }
        }
    }

    /** Passes the cores of the executors to {@code action}. Takes time in proportion to their number. */
    public void forEach(Consumer<ConcurrencyLimiter> action) {
        if (!used) {
            return;
        }
        for (Reference<? extends Member> held : all.inOrder()) {
            Member executor = held.get();
            if (executor != null) {
                action.accept(executor.core());
            }
        }
    }

    /** Gives the executors without a limit of their own the new maximum of the pool, which was set before the call. */
    public void maxChanged() {
        forEach(ConcurrencyLimiter::follow);
    }

    /** Adds the counts of all executors to {@code list}. */
    void listFigures(String spindle, SpindlePart.FigureList list) {
        for (Reference<? extends Member> held : all.inOrder()) {
            Member executor = held.get();
            if (executor != null) {
                list.add(SpindlePart.Kind.EXECUTOR, spindle, executor.stats());
            }
        }
    }

    /** Returns an estimate of the number of waiting tasks of all executors. */
    long estimatedQueued() {
        long sum = 0;
        for (Reference<? extends Member> held : all.inOrder()) {
            Member executor = held.get(); // null if the idle executor was garbage collected
            sum += executor == null ? 0 : executor.core().estimatedQueued();
        }
        return sum;
    }

    /** Returns true if no executor is left. Called after {@link #shutdown}. */
    public boolean isEmpty() {
        return all.isEmpty();
    }
}
