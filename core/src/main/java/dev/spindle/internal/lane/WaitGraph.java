// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The graph of turns that wait for lanes: detects cycles, which would never end. */
public final class WaitGraph {
    /*
     * The edge from a waiting turn to the lane that it waits for is kept by the worker of the turn. It is written
     * before the others are read, and each write and read is volatile: of two turns that close a cycle at once, one
     * sees the other.
     *
     * Tests: WaitGraphTest, WaitContractTest; jcstress WaitAgainstWait.
     */
    /** How far a chain of waits is followed. */
    private static final int MAX_HOPS = 64;

    private WaitGraph() {}

    /**
     * The wait of a turn of {@code own}, or of a task without a lane, for something that a turn of {@code target}, or
     * another plain task, has to do, until {@code until} is done. One object for each wait, so that a thread that has
     * seen it twice knows that it lasted in between.
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
     * Notes that the thread of {@code waiter} is about to wait for something that {@code target} has to do.
     *
     * @param target a lane, or null for a plain task, which closes no cycle
     * @param until done when the wait is over
     * @throws IllegalStateException if that can never happen, since the target's turns wait for this thread's lane
     */
    public static void begin(WorkerContext waiter, @Nullable LaneCore target, Future<?> until) {
        begin(waiter, target, until, false);
    }

    /** The same for a wait that ends by itself if it is {@code limited}; it closes no cycle but with its own lane. */
    public static void begin(WorkerContext waiter, @Nullable LaneCore target, Future<?> until, boolean limited) {
        LaneCore own = LaneCore.of(waiter);
        Edge edge =
                new Edge(waiter, own, target, until, limited, waiter.scheduler().nanoTime());
        waiter.setWaiting(edge); // before the look: of two that close a cycle at once, one sees the other
        List<Edge> cycle = own == null ? List.of() : cycle(edge);
        boolean ends = cycle.size() > 1 && cycle.stream().anyMatch(Edge::limited);
        if (!cycle.isEmpty()
                && !ends
                && cycle.stream().allMatch(Edge::lasts)
                && !until.isDone()) { // all lasted at one time
            waiter.setWaiting(null);
            throw new IllegalStateException("waiting here would never end, the turn waits for its own lane: "
                    + cycle.stream().map(e -> e.own + " -> ").collect(Collectors.joining()) + own
                    + "; use thenApply, whenComplete or an async task instead of waiting inside a turn");
        }
    }

    /** Follows the waits from {@code first} on; returns those that lead back to where it began, or none. */
    private static List<Edge> cycle(Edge first) {
        List<Edge> path = new ArrayList<>();
        for (Edge edge = first; edge != null && path.size() < MAX_HOPS; edge = edgeFrom(edge.target)) {
            path.add(edge);
            if (edge.target == first.own) {
                return path;
            }
        }
        return List.of();
    }

    /** Returns what the turn of {@code waiter} waits for, or null. */
    private static @Nullable Edge edgeFrom(@Nullable LaneCore waiter) {
        WorkerContext worker = waiter == null ? null : waiter.worker();
        Edge edge = worker == null ? null : (Edge) worker.waiting(); // nobody else sets one
        return edge != null && edge.own == waiter && edge.lasts() ? edge : null; // it may be in another turn by now
    }

    /** Takes the waits of one look. */
    public interface Look {
        /** Takes a wait of {@code from}, a lane or a thread, for {@code to}, a lane or null for a plain task. */
        void waits(Object from, @Nullable LaneCore to, boolean limited, long since);
    }

    /** Tells {@code look} what {@code worker} waits for, if anything. */
    public static void look(WorkerContext worker, Look look) {
        Edge edge = worker.waiting() instanceof Edge e && e.lasts() ? e : null;
        Object from = edge == null || edge.own == null ? worker.thread() : edge.own;
        if (edge != null && from != null) {
            look.waits(from, edge.target, edge.limited, edge.since);
        }
    }

    /** Ends what {@link #begin} began. */
    public static void end(WorkerContext waiter) {
        waiter.setWaiting(null);
    }
}
