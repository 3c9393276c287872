// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The graph of turns that wait for lanes. Detects cycles, in which each turn would wait without end. */
public final class WaitGraph {
    /*
     * The worker of a waiting turn keeps the edge from that turn to the lane that it waits for.
     *
     * WaitGraph-1  A turn writes its edge before it reads the other edges, and each write and read is volatile. So of
     *     two turns that close a cycle at once, one sees the edge of the other (K6).
     * WaitGraph-2  A wait is refused only if, after the search, no edge of the cycle has ended, so all edges existed at
     *              one time.
     *
     * The search finds no cycles through plain tasks, no cycles through futures that no submit has returned, and no
     * cycles of more than 64 edges. A wait for the turn's own lane is refused even if it has a time limit; a longer
     * cycle is not refused if one of its waits has a limit, since that wait ends by itself.
     *
     * Tests: WaitGraphTest, WaitContractTest; jcstress WaitAgainstWait.
     */
    /** The maximum number of edges that a search follows. */
    private static final int MAX_HOPS = 64;

    private WaitGraph() {}

    /**
     * The wait of a turn of {@code own}, or of a task without a lane, for a turn of {@code target}, or for a plain
     * task, until {@code until} is done. Each wait has its own object, so a thread that has seen the object twice knows
     * that the wait lasted in between.
     */
    private record Edge(
            WorkerContext by,
            @Nullable LaneCore own,
            @Nullable LaneCore target,
            Future<?> until,
            boolean limited,
            long since)
            implements WorkerContext.Wait {
        boolean lasts() {
            return by.waiting() == this && !until.isDone();
        }
    }

    /**
     * Records that the thread of {@code waiter} is about to wait for {@code target}.
     *
     * @param target a lane, or null for a plain task, which closes no cycle
     * @param until a condition that is done when the wait is over
     * @throws IllegalStateException if the wait would never end, since the target waits for the lane of this thread
     */
    public static void begin(WorkerContext waiter, @Nullable LaneCore target, Future<?> until) {
        begin(waiter, target, until, false);
    }

    /** As above; a {@code limited} wait ends by itself, and is refused only if a turn waits for its own lane. */
    public static void begin(WorkerContext waiter, @Nullable LaneCore target, Future<?> until, boolean limited) {
        LaneCore own = LaneCore.of(waiter);
        Edge edge =
                new Edge(waiter, own, target, until, limited, waiter.scheduler().nanoTime());
        waiter.setWaiting(edge); // before the search: of two concurrent searches, one sees the edge of the other
        List<Edge> cycle = own == null ? List.of() : cycle(edge);
        boolean ends = cycle.size() > 1 && cycle.stream().anyMatch(Edge::limited);
        if (!cycle.isEmpty()
                && !ends
                && cycle.stream().allMatch(Edge::lasts) // WaitGraph-2
                && !until.isDone()) { // so all edges existed at one time
            waiter.setWaiting(null);
            throw new IllegalStateException("waiting here would never end, the turn waits for its own lane: "
                    + cycle.stream().map(e -> e.own + " -> ").collect(Collectors.joining()) + own
                    + "; use thenApply, whenComplete or an async task instead of waiting inside a turn");
        }
    }

    /** Follows the waits from {@code first}; returns the waits that lead back to its lane, or an empty list. */
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

    /** Returns the wait of the turn of {@code waiter}, or null. */
    private static @Nullable Edge edgeFrom(@Nullable LaneCore waiter) {
        WorkerContext worker = waiter == null ? null : waiter.worker();
        Edge edge = worker == null ? null : (Edge) worker.waiting(); // only begin() sets an edge
        return edge != null && edge.own == waiter && edge.lasts() ? edge : null; // the worker may run another turn now
    }

    /** Receives the waits that {@link #look} finds. */
    public interface Look {
        /** Receives a wait of {@code from}, a lane or a thread, for {@code to}, a lane or null for a plain task. */
        void waits(Object from, @Nullable LaneCore to, boolean limited, long since);
    }

    /** Passes the wait of {@code worker}, if there is one, to {@code look}. */
    public static void look(WorkerContext worker, Look look) {
        Edge edge = worker.waiting() instanceof Edge e && e.lasts() ? e : null;
        Object from = edge == null || edge.own == null ? worker.thread() : edge.own;
        if (edge != null && from != null) {
            look.waits(from, edge.target, edge.limited, edge.since);
        }
    }

    /** Ends the wait that {@link #begin} began. */
    public static void end(WorkerContext waiter) {
        waiter.setWaiting(null);
    }
}
