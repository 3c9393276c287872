// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stuck;

import dev.spindle.Activity;
import dev.spindle.WaitEdge;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.executor.ExecutorKernel;
import dev.spindle.internal.executor.Lanes;
import dev.spindle.internal.executor.Waits;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.limit.ConcurrencyLimiter;
import dev.spindle.internal.report.ActivityText;
import dev.spindle.internal.report.ActivityView;
import dev.spindle.internal.report.WaitView;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task, an async task, or a waiting task that has lasted for longer than the limit. */
abstract class StuckCase {
    /** The time since which the case lasts, by the clock of the pool, as far as looks can tell. */
    final long since;

    /** Whether tasks of the same lane or executor go on ending. */
    final boolean late;

    /** The number of the last walk, or look at the workers, that has found the case. Used by the thread that looks. */
    int seen;

    StuckCase(long since, boolean late) {
        this.since = since;
        this.late = late;
    }

    /** Returns whether the case is still the one that was found. */
    boolean lasts() {
        return true;
    }

    /** Returns whether {@code later}, a case of the same lane, executor or worker, is this case. */
    boolean isSame(StuckCase later) {
        return later.getClass() == getClass() && later.late == late;
    }

    /** Returns the lane of the case, or null. */
    @Nullable
    LaneCore lane() {
        return null;
    }

    /** Returns the current state of the party, under the name of the party for which it acts. */
    abstract ActivityView view(ExecutorKernel kernel, long now, Waits waits);

    /** Returns the known wait of the party, or null. */
    abstract @Nullable WaitEdge edge(ActivityView view, Waits waits);

    /** Describes the case in half a sentence. */
    abstract String text(ActivityView view);

    private static Duration passed(long since, long now) {
        return Duration.ofNanos(Math.max(0, now - since));
    }

    private static WaitEdge room(Activity from, Activity to, Duration age) {
        return new WaitView(from, to, WaitEdge.Kind.ROOM, age, null, false);
    }

    private static String waiting(ActivityView view, boolean late) {
        return (late ? "its tasks go on ending, but the oldest of " : "the oldest of ") + view.pending()
                + " pending has waited for " + ActivityText.time(view.oldestAge());
    }

    /** The run of a task, or of a part of a task, on a worker: what a worker does until its next step ends. */
    static final class Run extends StuckCase {
        private final WorkerContext worker;
        private final @Nullable ReadyEntry turn;
        private final long steps;

        Run(WorkerContext worker, long steps, long since) {
            super(since, false);
            this.worker = worker;
            this.steps = steps;
            turn = worker.turn();
        }

        /** Returns whether the worker has ended no step since then. */
        boolean isAt(long stepsNow) {
            return steps == stepsNow;
        }

        @Override
        boolean lasts() {
            return worker.runsTask() && isAt(worker.steps());
        }

        @Override
        @Nullable
        LaneCore lane() {
            return turn instanceof LaneCore lane ? lane : null;
        }

        private @Nullable Object part() {
            LaneCore lane = lane();
            return lane == null ? worker.thread() : lane;
        }

        @Override
        ActivityView view(ExecutorKernel kernel, long now, Waits waits) {
            LaneCore lane = lane();
            Object part = part();
            ActivityView view = lane == null
                    ? Lanes.outsideLanes(
                            kernel.pool(), worker, turn instanceof ConcurrencyLimiter executor ? executor : null)
                    : kernel.activity(lane);
            view = view.with(passed(since, now), false, () -> part == null ? null : kernel.waitOf(part));
            return part == null ? view : waits.named(part, view);
        }

        @Override
        @Nullable
        WaitEdge edge(ActivityView view, Waits waits) {
            Object part = part();
            return part == null ? null : waits.waitOf(part);
        }

        @Override
        String text(ActivityView view) {
            Duration running = view.runningFor();
            return (view.kind() == Activity.Kind.TASK ? "a plain task" : "its task") + " has run"
                    + (running == null ? "" : " for " + ActivityText.time(running));
        }
    }

    /** An open async task. */
    static final class Open extends StuckCase {
        private final LaneCore lane;
        private final int sinceMillis;

        Open(LaneCore lane, long now, long hold) {
            super(now - hold, false);
            this.lane = lane;
            sinceMillis = startMillis(now, hold);
        }

        private static int startMillis(long now, long hold) {
            return (int) (now / 1_000_000 - hold / 1_000_000); // as the lane counts
        }

        @Override
        boolean lasts() {
            return lane.isAsyncOpen();
        }

        @Override
        boolean isSame(StuckCase later) {
            return later instanceof Open open && open.sinceMillis == sinceMillis;
        }

        @Override
        LaneCore lane() {
            return lane;
        }

        @Override
        ActivityView view(ExecutorKernel kernel, long now, Waits waits) {
            return waits.named(lane, kernel.activity(lane));
        }

        @Override
        @Nullable
        WaitEdge edge(ActivityView view, Waits waits) {
            return waits.waitOf(lane);
        }

        @Override
        String text(ActivityView view) {
            Duration open = view.runningFor();
            return "its async task has been open" + (open == null ? "" : " for " + ActivityText.time(open));
        }
    }

    /** A lane whose oldest pending task waits. */
    static final class Lane extends StuckCase {
        private final LaneCore lane;

        Lane(LaneCore lane, long since, boolean late) {
            super(since, late);
            this.lane = lane;
        }

        @Override
        boolean lasts() {
            return lane.estimatedDepth() > 0;
        }

        @Override
        LaneCore lane() {
            return lane;
        }

        @Override
        ActivityView view(ExecutorKernel kernel, long now, Waits waits) {
            ActivityView view = waits.named(lane, kernel.activity(lane));
            return view.with(
                    view.runningFor(),
                    late,
                    () -> isUnserved() ? room(view, awaited(kernel), view.oldestAge()) : kernel.waitOf(lane));
        }

        /** Returns whether the lane waits for a worker, or for a turn of its space. */
        private boolean isUnserved() {
            return lane.worker() == null && !lane.isAsyncOpen();
        }

        private Activity awaited(ExecutorKernel kernel) {
            boolean limited = lane.space().maxConcurrency() != Integer.MAX_VALUE;
            String owner = limited
                    ? lane.space().toString()
                    : "a worker of spindle " + kernel.pool().name();
            return new ActivityView(Activity.Kind.EXECUTOR, owner, null, null);
        }

        @Override
        @Nullable
        WaitEdge edge(ActivityView view, Waits waits) {
            return isUnserved() ? view.waitsFor() : waits.waitOf(lane);
        }

        @Override
        String text(ActivityView view) {
            return waiting(view, late);
        }
    }

    /** A logical executor whose oldest pending task waits. */
    static final class Executor extends StuckCase {
        private final ConcurrencyLimiter executor;

        Executor(ConcurrencyLimiter executor, long since, boolean late) {
            super(since, late);
            this.executor = executor;
        }

        @Override
        boolean lasts() {
            return executor.estimatedQueued() > 0;
        }

        @Override
        ActivityView view(ExecutorKernel kernel, long now, Waits waits) {
            Duration age = passed(since, now);
            ActivityView view = new ActivityView(
                    Activity.Kind.EXECUTOR,
                    () -> "executor " + executor.name(),
                    null,
                    null,
                    null,
                    null,
                    null,
                    executor.estimatedQueued(),
                    age,
                    0,
                    false,
                    ActivityView::noWait);
            return view.with(null, late, () -> {
                List<Activity> running = Lanes.running(kernel.pool(), executor);
                return running.isEmpty() ? null : room(view, running.get(0), age);
            });
        }

        @Override
        @Nullable
        WaitEdge edge(ActivityView view, Waits waits) {
            return view.waitsFor();
        }

        @Override
        String text(ActivityView view) {
            return waiting(view, late);
        }
    }
}
