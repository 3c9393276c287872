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
     * The wait of a turn of {@code own} for something that a turn of {@code target} has to do, until {@code until} is
     * done. One object for each wait, so that a thread that has seen it twice knows that it lasted in between.
     */
    private record Edge(WorkerContext by, LaneCore own, LaneCore target, Future<?> until)
            implements WorkerContext.Wait {
        boolean lasts() {
            return by.waiting() == this && !until.isDone();
        }
    }

    /**
     * Notes that the thread of {@code waiter} is about to wait, inside a turn, for something that {@code target} has to
     * do.
     *
     * @param until done when the wait is over
     * @throws IllegalStateException if that can never happen, since the target's turns wait for this thread's lane
     */
    public static void begin(WorkerContext waiter, LaneCore target, Future<?> until) {
        if (!(waiter.turn() instanceof LaneCore own)) {
            return;
        }
        Edge edge = new Edge(waiter, own, target, until);
        waiter.setWaiting(edge); // before the look: of two that close a cycle at once, one sees the other
        List<Edge> cycle = cycle(edge);
        if (!cycle.isEmpty() && cycle.stream().allMatch(Edge::lasts) && !until.isDone()) { // all lasted at one time
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
    private static @Nullable Edge edgeFrom(LaneCore waiter) {
        WorkerContext worker = waiter.worker();
        Edge edge = worker != null && worker.waiting() instanceof Edge e ? e : null;
        return edge != null && edge.own == waiter && edge.lasts() ? edge : null; // it may be in another turn by now
    }

    /** Ends what {@link #begin} began. */
    public static void end(WorkerContext waiter) {
        waiter.setWaiting(null);
    }
}
