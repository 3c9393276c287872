// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The graph of the waits of turns for lanes. A wait that closes a cycle without a time limit is refused, since it would
 * never end.
 */
public final class WaitGraph {
    /*
     * The worker of a waiting turn keeps the edge from that turn to the lane for which the turn waits.
     *
     * WaitGraph-1  A turn writes its edge before it reads the other edges, and each write and read is volatile. So if
     *     two turns close a cycle at the same time, at least one of them sees the edge of the other (K6).
     * WaitGraph-2  A wait is refused only if, after the search, no edge of the cycle has ended, so all edges existed at
     *              one time.
     *
     * The search finds no cycle through a plain task, none through a future that no submit has returned, and none of
     * more than 64 edges. A wait for the turn's own lane is refused even if the wait has a time limit. A longer cycle
     * is refused only if none of its waits has a time limit, since a wait with a time limit ends by itself.
     *
     * Tests: WaitGraphTest, WaitContractTest; jcstress WaitAgainstWait.
     */
    /** The maximum number of edges that a search follows. Not measured. */
    private static final int MAX_HOPS = 64;

    private WaitGraph() {}

    /**
     * A wait of the thread of {@code by} until {@code until} is done. The thread runs a turn of {@code own}, or a task
     * without a lane if {@code own} is null. The thread waits for a task of the lane {@code target}, or for a plain
     * task if {@code target} is null. Each wait has its own object, so a thread that reads the same object twice knows
     * that the wait has lasted in between.
     */
    private record Edge(
            WorkerContext by,
            @Nullable LaneCore own,
            @Nullable LaneCore target,
            Future<?> until,
            long limit,
            long since)
            implements WorkerContext.Wait {
        boolean isLimited() {
            return limit != 0;
        }

        boolean lasts() {
            return by.waiting() == this && !until.isDone();
        }
    }

    /**
     * Records that the thread of {@code waiter} is about to wait for {@code target}.
     *
     * @param target the lane of the awaited task, or null for a plain task, which closes no cycle
     * @param until the awaited future
     * @throws IllegalStateException if the wait would never end: {@code target} is the lane of this turn, or waits for
     *     that lane, perhaps through other lanes
     */
    public static void begin(WorkerContext waiter, @Nullable LaneCore target, Future<?> until) {
        begin(waiter, target, until, 0);
    }

    /**
     * Records a wait like {@link #begin(WorkerContext, LaneCore, Future)}. A wait with a time limit ends by
     * itself, and is refused only if a turn waits for its own lane.
     *
     * @param limit the time limit in nanoseconds, or 0 for none
     */
    public static void begin(WorkerContext waiter, @Nullable LaneCore target, Future<?> until, long limit) {
        LaneCore own = LaneCore.of(waiter);
        Edge edge =
                new Edge(waiter, own, target, until, limit, waiter.scheduler().nanoTime());
        waiter.setWaiting(edge); // before the search, so that one of two concurrent searches sees the edge of the other
        List<Edge> cycle = own == null ? List.of() : cycle(edge);
        boolean ends = cycle.size() > 1 && cycle.stream().anyMatch(Edge::isLimited);
        if (!cycle.isEmpty()
                && !ends
                && cycle.stream().allMatch(Edge::lasts) // WaitGraph-2
                && !until.isDone()) { // no edge has ended, so all edges existed at one time
            waiter.setWaiting(null);
            throw new IllegalStateException("waiting here would never end, the turn waits for its own lane: "
                    + cycle.stream().map(e -> e.own + " -> ").collect(Collectors.joining()) + own
                    + "; use thenApply, whenComplete or an async task instead of waiting inside a turn");
        }
    }

    /**
     * Follows at most {@link #MAX_HOPS} waits, from {@code first}. Returns the waits that lead back to the lane of
     * {@code first}, or an empty list.
     */
    private static List<Edge> cycle(Edge first) {
        List<Edge> path = new ArrayList<>();
        for (Edge edge = first; edge != null && path.size() < MAX_HOPS; edge = edgeFrom(edge.target)) {
            path.add(edge);
            if (edge.target == first.own) { // K6
                return path;
            }
        }
        return List.of();
    }

    /** Returns the wait of the running turn of {@code waiter}, or null. */
    private static @Nullable Edge edgeFrom(@Nullable LaneCore waiter) {
        WorkerContext worker = waiter == null ? null : waiter.worker();
        Edge edge = worker == null ? null : (Edge) worker.waiting(); // only begin() sets an edge
        return edge != null && edge.own == waiter && edge.lasts() ? edge : null;
    }

    /** Receives the waits that {@link #look} finds. */
    public interface Look {
        /**
         * Receives a wait of {@code from}, which is a lane or a thread, for the lane {@code to}, or for a plain task if
         * {@code to} is null.
         */
        void waits(Object from, @Nullable LaneCore to, long limit, long since);
    }

    /** Passes the wait of {@code worker}, if there is one, to {@code look}. */
    public static void look(WorkerContext worker, Look look) {
        Edge edge = worker.waiting() instanceof Edge e && e.lasts() ? e : null;
        Object from = edge == null || edge.own == null ? worker.thread() : edge.own;
        if (edge != null && from != null) {
            look.waits(from, edge.target, edge.limit, edge.since);
        }
    }

    /** Ends the wait that {@link #begin} began. */
    public static void end(WorkerContext waiter) {
        waiter.setWaiting(null);
    }
}
