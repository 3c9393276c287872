// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.SpindleStats;
import dev.spindle.WaitEdge;
import dev.spindle.internal.HandedContext;
import dev.spindle.internal.Initialization;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.OrderedSet;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneTable;
import dev.spindle.internal.report.ActivityView;
import dev.spindle.internal.timer.Timers;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The parts that all executors on one pool share. */
public final class ExecutorKernel {
    static {
        Initialization.of(MethodHandles.lookup(), TaskFuture.class);
    }

    private final Pool pool;
    private final Timers timers;
    private final LaneTable table;
    private final @Nullable UnaryOperator<Runnable> taskDecorator;
    private final FailureReport failures;
    private final Statistics statistics;
    private final @Nullable Bounds bounds;
    private final long closeNanos;
    private final Timers.Group ownTimers = new Timers.Group();
    private final LogicalExecutors executors;
    private final OrderedSet<LaneOwner> awaited = new OrderedSet<>();
    private final TerminationFuture terminated;
    private volatile boolean told; // set by terminate() before it notifies the awaited strands

    /**
     * Creates a kernel.
     *
     * @param max the maximum number of threads of the pool
     * @param capacity the maximum number of waiting tasks in all, or 0 for no bound
     * @param onFull the policy at that bound; null without a bound
     * @param closeNanos the maximum time of a close without a limit of its own
     */
    public ExecutorKernel(
            Pool pool,
            int max,
            Timers timers,
            LaneTable table,
            @Nullable UnaryOperator<Runnable> taskDecorator,
            FailureReport failures,
            int capacity,
            Admission.@Nullable Policy onFull,
            long closeNanos) {
        this.pool = pool;
        this.closeNanos = closeNanos;
        terminated = new TerminationFuture(pool);
        this.timers = timers;
        this.table = table;
        this.taskDecorator = taskDecorator;
        this.failures = failures;
        executors = new LogicalExecutors(pool, max);
        statistics = new Statistics(pool.name(), max, pool, table);
        bounds = onFull == null ? null : new Bounds(pool, capacity, onFull, 0, onFull, this::reportDropped);
    }

    /** Returns the pool, which also has the clock. */
    public Pool pool() {
        return pool;
    }

    /** Returns the timers of the pool. */
    public Timers timers() {
        return timers;
    }

    /** Returns the group of the timers that belong to no strand and no logical executor. */
    public Timers.Group ownTimers() {
        return ownTimers;
    }

    /** Returns the table of lanes. */
    public LaneTable table() {
        return table;
    }

    /** Returns the user's task decorator, or null if there is none. */
    public @Nullable UnaryOperator<Runnable> taskDecorator() {
        return taskDecorator;
    }

    /**
     * Returns {@code task} with the context of the calling thread, or {@code task} itself if there is no decorator. No
     * class of contexts is loaded without a decorator.
     */
    public Runnable decorated(Runnable task) {
        return taskDecorator == null ? task : ContextTask.of(taskDecorator, task);
    }

    /** Returns the context of the calling thread, or null if there is no decorator. */
    @Nullable
    HandedContext capture() {
        return taskDecorator == null ? null : HandedContext.capture(taskDecorator);
    }

    /** Returns the reporter of task failures. */
    public FailureReport failures() {
        return failures;
    }

    /** Returns the logical executors. */
    public LogicalExecutors executors() {
        return executors;
    }

    /** Returns the maximum time of a close without a limit of its own. */
    public long closeNanos() {
        return closeNanos;
    }

    /** Returns the current counts. */
    public SpindleStats stats() {
        return statistics.read(executors, bounds, failures);
    }

    /** Returns the statistics. */
    public Statistics statistics() {
        return statistics;
    }

    /** Returns the current waits, the longest first. */
    public List<WaitEdge> waits() {
        return statistics.waits(executors, bounds).edges();
    }

    /** Reads the activity of {@code lane}. */
    ActivityView activity(LaneCore lane) {
        return LaneOwner.activity(lane, pool.nanoTime(), null, () -> waitOf(lane));
    }

    /** Returns the longest current wait of {@code party}, or null. */
    public @Nullable WaitEdge waitOf(Object party) {
        return statistics.waits(executors, bounds).waitOf(party);
    }

    /** Returns the bounds of the spindle, or null if the spindle has no bounds. */
    public @Nullable Bounds bounds() {
        return bounds;
    }

    /** Returns the bounds of a strand with a capacity of its own; with 0, those of the spindle, or null. */
    public @Nullable Bounds strandBounds(int capacity, Admission.Policy onFull) {
        return capacity == 0 || bounds == null ? keyBounds(capacity, onFull) : bounds.forStrand(capacity, onFull);
    }

    /** Returns the bounds of the keys of a space with a capacity; with 0, those of the spindle, or null. */
    @Nullable
    Bounds keyBounds(int capacity, Admission.Policy onFull) {
        if (capacity == 0) {
            return bounds;
        }
        return bounds == null
                ? new Bounds(pool, 0, onFull, capacity, onFull, this::reportDropped)
                : bounds.forKeys(capacity, onFull);
    }

    /** Refuses the submitters that wait for a permit of the spindle and whose executor has been shut down. */
    public void refuseShut() {
        if (bounds != null) {
            bounds.refuse();
        }
    }

    /** Counts and reports a task that was dropped to make room. */
    public void reportDropped(@Nullable LaneName lane, Runnable task, String bound) {
        statistics.dropped();
        failures.dropped(lane, task, bound);
    }

    /** Returns the strands that have not terminated and whose termination a caller awaits. */
    public OrderedSet<LaneOwner> awaited() {
        return awaited;
    }

    /**
     * Registers {@code strand} to be notified of the termination of the spindle, and notifies the strand at once if the
     * spindle has terminated.
     */
    public void addAwaited(LaneOwner strand) {
        awaited.add(strand);
        if (told) { // read after the add; terminate() writes `told` before it reads the set
            tellAwaited();
        }
    }

    /** Removes {@code strand}, which has terminated, so that the spindle no longer refers to it. */
    public void removeAwaited(LaneOwner strand) {
        boolean unused = awaited.remove(strand);
    }

    private void tellAwaited() {
        List<LaneOwner> strands = List.copyOf(awaited.inOrder());
        for (LaneOwner strand : strands) {
            removeAwaited(strand);
            strand.listener().termination().complete();
        }
        for (LaneOwner strand : strands) {
            strand.listener().termination().tell(); // last, since dependents of users may block
        }
    }

    /**
     * Completes {@link #terminated} and the terminations of the awaited strands. {@link #addAwaited} completes the
     * termination of a strand that is added later.
     */
    public void terminate() {
        terminated.complete();
        told = true;
        tellAwaited();
        terminated.tell();
    }

    /** Returns the future that completes when the pool has terminated. */
    public TerminationFuture terminated() {
        return terminated;
    }

    /** A timer whose turn removes the keys that have been idle for the key keep-alive. */
    public static final class Sweep extends Timers.Timer {
        private final ExecutorKernel kernel;

        private Sweep(ExecutorKernel kernel) {
            super(kernel.ownTimers());
            this.kernel = kernel;
        }

        /** Schedules a sweep over the lanes of {@code kernel}, after {@code nanos}. */
        public static void schedule(ExecutorKernel kernel, long nanos) {
            Pool pool = kernel.pool();
            boolean unused = kernel.timers().add(new Sweep(kernel), pool.nanoTime() + nanos, pool);
        }

        @Override
        public void turn(WorkerContext r) {
            if (!kernel.table().sweep()) {
                kernel.pool().ready(this); // the sweep continues after other ready work
            }
        }
    }
}
