// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Activity;
import dev.spindle.SpindleStats;
import dev.spindle.Stats;
import dev.spindle.internal.Counters;
import dev.spindle.internal.Counters.What;
import dev.spindle.internal.Pool;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.jfr.JfrEvents;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneSpace;
import dev.spindle.internal.lane.LaneTable;
import dev.spindle.internal.lane.WaitGraph;
import dev.spindle.internal.limit.CountedPermits;
import dev.spindle.internal.report.ActivityView;
import dev.spindle.internal.report.PoolFigures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts rejected, dropped and withdrawn tasks, and assembles the statistics of a spindle. Thread-safe. */
public final class Statistics {
    private final String name;
    private final Pool pool;
    private final LaneTable table;
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong(); // the largest number returned so far

    /** Creates the statistics of a spindle. */
    public Statistics(String name, Pool pool, LaneTable table) {
        this.name = name;
        this.pool = pool;
        this.table = table;
    }

    /**
     * Counts a rejection by a logical executor, or by the spindle if {@code executor} is null, and returns its
     * exception.
     */
    public RejectedExecutionException rejected(@Nullable String executor, @Nullable Object key, String message) {
        rejected.incrementAndGet();
        JfrEvents.rejected(name, executor, key, message);
        return new RejectedExecutionException(message);
    }

    /** Counts a task that was dropped to make room. */
    public void dropped() {
        dropped.incrementAndGet();
    }

    /** Counts tasks without a lane that were withdrawn before they ran. */
    public void withdrawn(int count) {
        table.countWithdrawn(count);
    }

    /** Collects the current waits. */
    Waits waits(LogicalExecutors executors, @Nullable Bounds bounds) {
        Waits waits = waits(executors, bounds, table.lanes());
        table.listWaits(waits.asList());
        return waits;
    }

    /** Collects the current waits, but of the lanes only those of {@code lanes}. */
    Waits waits(LogicalExecutors executors, @Nullable Bounds bounds, Collection<LaneCore> lanes) {
        long now = pool.nanoTime();
        Waits waits = new Waits(now);
        WaitList list = waits.asList();
        pool.parts().listWaits(list);
        for (LaneCore lane : lanes) {
            CountedPermits places = lane.places();
            if (places != null) {
                places.listWaits(lane, list);
            }
            if (lane.isAsyncOpen()) {
                waits.stage(lane, lane.openTask(), now - lane.estimatedHoldNanos(now));
            }
        }
        if (bounds != null) {
            bounds.listWaits(new ActivityView(Activity.Kind.EXECUTOR, "spindle " + name, null, null), list);
        }
        executors.listWaits(list);
        pool.forEachWorker(worker -> WaitGraph.look(
                worker, (from, to, limit, since) -> waits.result(from, to == null ? plainTask() : to, limit, since)));
        return waits;
    }

    /** Returns the parties for which lanes and threads act, without the waits of this spindle itself. */
    Waits parties() {
        Waits parties = new Waits(pool.nanoTime());
        pool.parts().listWaits(parties.asList());
        return parties;
    }

    private static ActivityView plainTask() {
        return new ActivityView(Activity.Kind.TASK, "a plain task", null, null);
    }

    /**
     * Returns the current counts.
     *
     * <p>The number of accepted tasks is the sum of the tasks that have left the queues and the waiting tasks, read in
     * this order. A task that leaves a queue between the two reads is missed, so the sum may be too low, but is never
     * too high.
     */
    public SpindleStats read(LogicalExecutors executors, @Nullable Bounds bounds, FailureReport failures) {
        return read(executors, bounds, failures, table::taskCounts);
    }

    private SpindleStats read(
            LogicalExecutors executors,
            @Nullable Bounds bounds,
            FailureReport failures,
            Supplier<LaneTable.TaskCounts> counting) {
        Pool.Counts c = pool.counts();
        Counters all = c.all();
        long gone = dropped.get();
        LaneTable.TaskCounts lanes = counting.get();
        long superseded = all.get(What.SUPERSEDED) + lanes.superseded();
        long left = all.get(What.STARTED) + superseded + gone + lanes.withdrawn();
        long pending = lanes.waiting() + pool.estimatedPlain() + executors.estimatedQueued();
        long completed = all.get(What.COMPLETED);
        int max = pool.maxThreads();
        return new PoolFigures(
                        name,
                        accepted.accumulateAndGet(left + pending, Math::max),
                        completed,
                        all.get(What.FAILED),
                        rejected.get(),
                        gone,
                        superseded,
                        0,
                        pending,
                        (int) Math.max(0, all.get(What.STARTED) - completed),
                        bounds == null ? Integer.MAX_VALUE : bounds.capacity(),
                        max,
                        c.threads(),
                        c.idle(),
                        blockedThreads(),
                        c.peakThreads(),
                        c.core(),
                        max,
                        c.ready(),
                        table.size(),
                        c.wakeUps(),
                        all.get(What.STOLEN),
                        c.growthEpisodes(),
                        failures.handlerFailures())
                .asStats();
    }

    /**
     * Adds the current counts, those of each key space, and those of the logical executors to {@code list}.
     *
     * @param reading returns the counts of the lanes of a key space as the counts of the space
     */
    void listFigures(
            SpindlePart.FigureList list,
            BiFunction<LaneSpace, LaneSpace.Counts, Stats> reading,
            LogicalExecutors executors,
            @Nullable Bounds bounds,
            FailureReport failures) {
        List<Stats> spaces = new ArrayList<>();
        Object whole = read(
                executors,
                bounds,
                failures,
                () -> table.taskCounts((space, counts) -> spaces.add(reading.apply(space, counts))));
        list.add(SpindlePart.Kind.SPINDLE, null, (Stats) whole); // a cast: the verification loads no class of reports
        for (int i = 0; i < spaces.size(); i++) { // the strands have the first space
            list.add(i == 0 ? SpindlePart.Kind.STRANDS : SpindlePart.Kind.KEYS, name, spaces.get(i));
        }
        executors.listFigures(name, list);
    }

    private int blockedThreads() {
        AtomicInteger blocked = new AtomicInteger();
        pool.forEachWorker(worker -> {
            Thread thread = worker.thread();
            if (thread == null || !worker.runsTask()) {
                return;
            }
            Thread.State state = thread.getState();
            // The task may have ended before the state was read, which is then that of an idle worker.
            if (state != Thread.State.RUNNABLE && worker.runsTask()) {
                blocked.incrementAndGet();
            }
        });
        return blocked.get();
    }
}
