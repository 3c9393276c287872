// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stuck;

import dev.spindle.Activity;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.executor.ExecutorKernel;
import dev.spindle.internal.executor.Waits;
import dev.spindle.internal.jfr.JfrEvents;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneSpace;
import dev.spindle.internal.limit.ConcurrencyLimiter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds tasks that run, async tasks that are open, and lanes and logical executors whose oldest task waits, for longer
 * than a limit. Tasks pay nothing for it: each look reads what workers, lanes and executors count in any case, and
 * compares it with the last look.
 */
public final class StuckWatch {
    /*
     * Only the thread that watches the clock looks, so all fields are plain, except `open` and `stalledNanos`, which
     * any thread may read.
     *
     * A worker whose number of steps has not changed runs the same task, or the same message of a task, as at the last
     * look; WorkerContext.mark holds the case that this will be. Lanes know the age of their oldest task; QueueAge
     * finds that of an executor. Each look at the lanes reads a slice of them, and the next follows after DUTY times
     * the duration of this one.
     *
     * StuckWatch-1  Each case is reported once: it is in `open` from its report until a walk, or a look at the workers,
     *     does not find it any more. A lane or executor whose case has become another one (late, or a later async
     *     task) is reported again.
     * StuckWatch-2  `open` holds at most MOST_CASES cases, and after a whole walk none that has ended. A watch that
     *     ends (WatchdogState-1) leaves it empty.
     *
     * Tests: StuckContractTest, QueueAgeTest, SimulationStuckTest.
     */
    /** The maximum number of lanes that one look reads. Not measured. */
    private static final int SLICE = 4_096;

    /**
     * The ratio of the time between two looks to the duration of a look. Looks at a million lanes took 0.4 % of a
     * processor; with 128, 0.7 to 1.5 %. Measured on a machine with much other work.
     */
    private static final int DUTY = 256;

    /** The maximum time between two looks, in periods: a look seems long if its thread is preempted. Not measured. */
    private static final int MOST_PERIODS = 4;

    /** The minimum time between two slices. Not measured. */
    private static final long LEAST_NANOS = 1_000_000;

    /** The maximum number of cases that are remembered. Not measured. */
    private static final int MOST_CASES = 10_000;

    private final ExecutorKernel kernel;
    private final Pool pool;
    private final long limit;
    private final long period;
    private final StuckReports reports;
    private final Map<Object, StuckCase> open = new ConcurrentHashMap<>();
    private final Map<ConcurrencyLimiter, QueueAge> ages = new WeakHashMap<>();
    private final Map<LaneSpace, Long> moved = new WeakHashMap<>(); // of spaces with a limit, their last step
    private final List<StuckCase> fresh = new ArrayList<>();
    private @Nullable Iterator<LaneCore> walk;
    private int walks;
    private int looks;
    private long lastLook; // at the workers
    private long now;
    private long steps;
    private long stepsBefore = -1;
    private long steppedAt; // the last look that has seen a step end
    private volatile long stalledNanos; // up to the last look
    private boolean restful; // no worker has worked since the walk began
    private boolean found; // this walk has found an async task that is open, or a task that runs
    private int excess; // the number of new cases of this walk for which `open` had no room
    private int excessBefore;

    /**
     * Creates a watch that has not looked yet.
     *
     * @param limit the time in nanoseconds after which work is stuck
     * @param period the time between two looks at the workers
     * @param handler the user's handler of reports, or null
     */
    public StuckWatch(ExecutorKernel kernel, long limit, long period, @Nullable Consumer<? super Activity> handler) {
        this.kernel = kernel;
        this.limit = limit;
        this.period = period;
        pool = kernel.pool();
        reports = new StuckReports(kernel, handler);
        lastLook = pool.nanoTime() - period;
        steppedAt = lastLook;
    }

    /** Looks once, as {@link dev.spindle.internal.PoolConfig.Host#lookForStuck} specifies. */
    public long look(long time, boolean used, boolean atRest) {
        now = time;
        JfrEvents.lookAside(pool);
        if (walk == null) {
            walks++;
            walk = kernel.table().lanes().iterator();
            restful = atRest;
            found = false;
            excess = 0;
            kernel.executors().forEach(this::lookAt);
        } else {
            restful &= atRest && !used;
        }
        if (now - lastLook >= period) {
            lookAtWorkers();
        }
        boolean ended = lookAtLanes(walk);
        reports.add(fresh, ended ? Math.max(0, excess - excessBefore) : 0, now);
        fresh.clear();
        long rest = Math.min(DUTY * Math.max(0, pool.nanoTime() - now), MOST_PERIODS * period);
        if (!ended) {
            return Math.max(LEAST_NANOS, rest);
        }
        walk = null;
        excessBefore = excess;
        open.values().removeIf(one -> !(one instanceof StuckCase.Run) && one.seen != walks); // StuckWatch-2
        if (restful && !found && open.isEmpty()) {
            reports.tellRest();
            stalledNanos = 0;
            ages.clear();
            return -1;
        }
        return Math.max(period, rest);
    }

    // ---------------------------------------------------------------- workers

    private void lookAtWorkers() {
        looks++;
        steps = 0;
        pool.forEachWorker(this::lookAt);
        long stalled = stalledNanos;
        boolean stalls = steps == stepsBefore && pool.hasReady();
        stalledNanos = stalls ? stalled + Math.min(now - lastLook, (MOST_PERIODS + 1) * period) : 0;
        if (steps != stepsBefore) {
            stepsBefore = steps;
            steppedAt = now;
        }
        lastLook = now;
        open.values().removeIf(one -> one instanceof StuckCase.Run && one.seen != looks); // StuckWatch-2
    }

    private void lookAt(WorkerContext worker) {
        long done = worker.steps();
        steps += done;
        if (!worker.runsTask()) {
            if (worker.mark() != null) {
                worker.setMark(null);
            }
            return;
        }
        found = true;
        StuckCase.Run run = worker.mark() instanceof StuckCase.Run known && known.isAt(done) ? known : null;
        if (run == null) {
            long read = worker.now(); // shortly before the task began, unless the task has had steps before
            boolean recent = read - now < 0 && (looks == 1 || read - lastLook > 0);
            run = new StuckCase.Run(worker, done, recent ? read : now);
            worker.setMark(run);
            moves(run.lane());
        }
        if (now - run.since >= limit) {
            found(run, run, looks);
        }
    }

    /** Records that a turn of a key space with a limit has begun or gone on, as far as this look can tell. */
    private void moves(@Nullable LaneCore lane) {
        if (lane != null && lane.space().maxConcurrency() != Integer.MAX_VALUE) {
            moved.put(lane.space(), now);
        }
    }

    /** Adds a case, or keeps a known one. */
    private void found(Object of, StuckCase one, int seen) {
        StuckCase known = open.get(of);
        if (known != null && known.isSame(one)) {
            known.seen = seen; // StuckWatch-1
            return;
        }
        if (known == null && open.size() >= MOST_CASES) {
            excess++;
            return;
        }
        one.seen = seen;
        open.put(of, one);
        fresh.add(one);
    }

    // ---------------------------------------------------------------- lanes

    /** Looks at a slice of the lanes. Returns whether the walk has ended. */
    private boolean lookAtLanes(Iterator<LaneCore> lanes) {
        for (int i = 0; i < SLICE && lanes.hasNext(); i++) {
            LaneCore lane = lanes.next();
            if (!lane.isFree()) {
                lookAt(lane);
            }
        }
        return !lanes.hasNext();
    }

    private void lookAt(LaneCore lane) {
        boolean async = lane.isAsyncOpen();
        if (async) {
            found = true;
            long hold = lane.estimatedHoldNanos(now);
            if (hold >= limit) {
                found(lane, new StuckCase.Open(lane, now, hold), walks);
                return;
            }
            moves(lane);
        } else if (lane.isPaused() || lane.space().maxConcurrency() == 0) {
            return; // as the user wants it
        }
        long age = lane.estimatedAgeMillis() * 1_000_000L;
        WorkerContext worker = lane.worker();
        if (age < limit || (worker != null && isStuck(worker))) {
            return; // the task that runs is the case, and the lane waits for it
        }
        boolean late = async || worker != null || now - servedAt(lane) < limit - period; // a look sees a step late
        found(lane, new StuckCase.Lane(lane, now - age, late), walks);
    }

    /** Returns when a step has last ended of those for which a lane without a worker may wait. */
    private long servedAt(LaneCore lane) {
        return lane.space().maxConcurrency() == Integer.MAX_VALUE
                ? steppedAt
                : moved.getOrDefault(lane.space(), now - limit);
    }

    private boolean isStuck(WorkerContext worker) {
        return worker.mark() instanceof StuckCase.Run run && run.lasts() && now - run.since >= limit;
    }

    // ---------------------------------------------------------------- logical executors

    private void lookAt(ConcurrencyLimiter executor) {
        if (executor.estimatedQueued() == 0 || executor.tokens() == 0) {
            if (!ages.isEmpty()) {
                ages.remove(executor);
            }
            return;
        }
        QueueAge age = ages.computeIfAbsent(executor, unused -> new QueueAge(limit));
        boolean still = age.isStill(executor.completed(), now, limit - period);
        long waited =
                age.look(executor.queue().estimatedBegin(), executor.queue().estimatedEnd(), now);
        if (waited >= limit) {
            found(executor, new StuckCase.Executor(executor, now - waited, !still), walks);
        }
    }

    // ---------------------------------------------------------------- seen from outside

    /** Returns for how long work has been ready at each look at the workers, and no step has ended. */
    public long stalledNanos() {
        return stalledNanos;
    }

    /** Returns the cases of the last looks, the longest first. */
    public List<Activity> stuck() {
        long time = pool.nanoTime();
        List<StuckCase> all = new ArrayList<>(open.values());
        all.sort(Comparator.comparingLong(one -> one.since - time));
        Waits waits = waits(all);
        List<Activity> views = new ArrayList<>();
        all.forEach(one -> views.add(one.view(kernel, time, waits)));
        return views;
    }

    private Waits waits(List<StuckCase> of) {
        return kernel.waitsOf(lanesOf(of));
    }

    /** Returns the lanes of {@code cases}. */
    static List<LaneCore> lanesOf(List<StuckCase> cases) {
        List<LaneCore> lanes = new ArrayList<>();
        for (StuckCase one : cases) {
            LaneCore lane = one.lane();
            if (lane != null && !lanes.contains(lane)) {
                lanes.add(lane);
            }
        }
        return lanes;
    }
}
