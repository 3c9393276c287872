// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Activity;
import dev.spindle.SpindleStats;
import dev.spindle.Stats;
import dev.spindle.Unfinished;
import dev.spindle.WaitEdge;
import dev.spindle.internal.HandedContext;
import dev.spindle.internal.Initialization;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.OrderedSet;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneSpace;
import dev.spindle.internal.lane.LaneTable;
import dev.spindle.internal.report.ActivityView;
import dev.spindle.internal.stage.Origin;
import dev.spindle.internal.timer.Timers;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The parts that all executors on one pool share. */
public final class ExecutorKernel implements PoolConfig.Closes {
    static {
        Initialization.of(MethodHandles.lookup(), TaskFuture.class);
    }

    private final Pool pool;
    private final Timers timers;
    private final LaneTable table;
    private final @Nullable UnaryOperator<Runnable> taskDecorator;
    private final FailureReport failures;
    private final Statistics statistics;
    volatile @Nullable Bounds bounds; // of the spindle, if it has a capacity; read on the way of each task
    private Bounds.@Nullable Total total; // guarded by this
    private final long closeNanos;
    private final Timers.Group ownTimers = new Timers.Group();
    private final LogicalExecutors executors;
    private final OrderedSet<LaneOwner> awaited = new OrderedSet<>();
    private final TerminationFuture terminated;
    private final Set<Reference<? extends Origin>> origins = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Origin> unusedOrigins = new ReferenceQueue<>();
    private final Origin origin;
    private volatile boolean told; // set by terminate() before it notifies the awaited strands

    /**
     * Creates a kernel.
     *
     * @param capacity the maximum number of waiting tasks in all, or 0 for no bound
     * @param onFull the policy at that bound; null without a bound
     * @param closeNanos the maximum time of a close without a limit of its own
     */
    public ExecutorKernel(
            Pool pool,
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
        origin = newOrigin("spindle " + pool.name(), pool.lifetime(), null, null);
        this.timers = timers;
        this.table = table;
        this.taskDecorator = taskDecorator;
        this.failures = failures;
        executors = new LogicalExecutors(pool);
        statistics = new Statistics(pool.name(), pool, table);
        if (onFull != null) {
            setCapacity(capacity, onFull);
        }
    }

    /** Returns the pool, which also has the clock. */
    public Pool pool() {
        return pool;
    }

    /** Returns the origin of the futures of plain tasks. */
    public Origin origin() {
        return origin;
    }

    /**
     * Makes an origin, which ends when the spindle has terminated. The parameters are those of the constructor. The
     * reference to the origin is weak, since an executor without tasks and futures needs no end.
     */
    public Origin newOrigin(String name, Lifetime lifetime, @Nullable LaneSpace space, @Nullable Object strand) {
        for (Reference<? extends Origin> r = unusedOrigins.poll(); r != null; r = unusedOrigins.poll()) {
            origins.remove(r);
        }
        Origin fresh = new Origin(name, pool, lifetime, space, strand);
        origins.add(new WeakReference<>(fresh, unusedOrigins));
        if (told) { // read after the add; terminate() writes `told` before it reads the set
            fresh.end();
        }
        return fresh;
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

    @Override
    public long closeNanos() {
        return closeNanos;
    }

    @Override
    public void closed(String closed, Unfinished<?> left) {
        failures.closed(closed, left);
    }

    @Override
    public void closing(String closed, List<Activity> running) {
        failures.closing(closed, running);
    }

    /** Returns the current counts. */
    public SpindleStats stats() {
        return statistics.read(executors, bounds, failures);
    }

    /**
     * Adds the current counts, those of each key space, and those of the logical executors to {@code list}.
     *
     * @param reading returns the counts of the lanes of a key space as the counts of the space
     */
    public void listFigures(SpindlePart.FigureList list, BiFunction<LaneSpace, LaneSpace.Counts, Stats> reading) {
        statistics.listFigures(list, reading, executors, bounds, failures);
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
    public ActivityView activity(LaneCore lane) {
        return LaneOwner.activity(lane, pool.nanoTime(), null, () -> waitOf(lane));
    }

    /** Returns the longest current wait of {@code party}, or null. */
    public @Nullable WaitEdge waitOf(Object party) {
        return statistics.waits(executors, bounds).waitOf(party);
    }

    /** Collects the current waits, but of the lanes only those of {@code lanes}. */
    public Waits waitsOf(Collection<LaneCore> lanes) {
        return statistics.waits(executors, bounds, lanes);
    }

    /** Returns the bounds of the spindle, or null if the spindle has no bounds. */
    public @Nullable Bounds bounds() {
        return bounds;
    }

    private synchronized Bounds.Total total() {
        total = total == null ? new Bounds.Total() : total;
        return total;
    }

    /** Changes the maximum number of waiting tasks in all, and the policy at that bound. */
    public void setCapacity(int capacity, Admission.Policy onFull) {
        Bounds.Total all = total();
        all.set(capacity, onFull);
        if (bounds == null) {
            bounds = new Bounds(pool, all, this::reportDropped);
        }
    }

    /** Returns the bounds of a strand with a capacity of its own, or null if {@code capacity} is 0. */
    public @Nullable Bounds strandBounds(int capacity, Admission.Policy onFull) {
        return capacity == 0 ? null : new Bounds(pool, total(), onFull, capacity, onFull, this::reportDropped);
    }

    /** Returns the bounds of the keys of a space with a capacity, or null if {@code capacity} is 0. */
    @Nullable
    Bounds keyBounds(int capacity, Admission.Policy onFull) {
        return capacity == 0 ? null : new Bounds(pool, total(), null, capacity, onFull, this::reportDropped);
    }

    /** Refuses the submitters that wait for a permit of the spindle and whose executor has been shut down. */
    public void refuseShut() {
        Bounds known = bounds;
        if (known != null) {
            known.refuse();
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
        for (Reference<? extends Origin> each : origins) {
            Origin one = each.get();
            if (one != null) {
                one.end(); // U3
            }
        }
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
