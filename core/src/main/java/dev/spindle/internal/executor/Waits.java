// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Activity;
import dev.spindle.WaitEdge;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WaitOrigin;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneGate;
import dev.spindle.internal.lane.LaneSpace;
import dev.spindle.internal.report.ActivityView;
import dev.spindle.internal.report.WaitView;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the waits of a spindle and finds the cycles among them. Used by one thread. */
public final class Waits implements WaitList {
    private final long now;
    private final List<Found> found = new ArrayList<>();
    private final IdentityHashMap<Object, Object> parties =
            new IdentityHashMap<>(); // from a lane, strand or thread to the party that it acts for
    private final IdentityHashMap<Object, Node> nodes = new IdentityHashMap<>();
    private @Nullable List<WaitEdge> edges; // not null once edges() was called

    /** A wait that began at {@code since}; {@code limit} is its time limit in nanoseconds, or 0 for no limit. */
    private record Found(Object from, Object to, WaitEdge.Kind kind, long limit, long since) {}

    private record Edge(Node from, Node to, Found found) {}

    /** A party that waits, or for which another party waits. */
    private static final class Node {
        private final ActivityView party;
        private final List<Node> next = new ArrayList<>();
        private final List<Node> previous = new ArrayList<>();
        private boolean visited;
        private int component = -1;

        Node(ActivityView party) {
            this.party = party;
        }
    }

    /** Returns this object. A caller that has only the interface loads no class of reports when it is verified. */
    WaitList asList() {
        return this;
    }

    /**
     * @param now the start of the collection, by the clock of the spindle
     */
    Waits(long now) {
        this.now = now;
    }

    // ---------------------------------------------------------------- collect

    @Override
    public long now() {
        return now;
    }

    @Override
    public void room(Object from, Object to, long since) {
        found.add(new Found(from, to, WaitEdge.Kind.ROOM, 0, since));
    }

    @Override
    public void value(Object from, Object to, long since) {
        found.add(new Found(from, to, WaitEdge.Kind.VALUE, 0, since));
    }

    /** Adds the wait of {@code from} for the result of a task of {@code to}. */
    void result(Object from, Object to, long limit, long since) {
        found.add(new Found(from, to, WaitEdge.Kind.RESULT, limit, since));
    }

    /** Adds the wait of a lane for the stage of its async task. */
    void stage(LaneCore lane, LaneGate.@Nullable OpenTask task, long since) {
        Object awaited = task == null ? null : task.awaited();
        Object to = awaited == null
                ? new ActivityView(Activity.Kind.ASYNC, "the stage of its async task", null, null)
                : awaited;
        found.add(new Found(lane, to, WaitEdge.Kind.STAGE, task == null ? 0 : task.limitNanos(), since));
    }

    @Override
    public void actsFor(Object part, Object party) {
        parties.put(part, party);
    }

    // ---------------------------------------------------------------- return

    /**
     * Returns {@code view}, an activity of {@code part}, a lane or a thread, under the name of the party for which
     * {@code part} acts, such as an actor.
     */
    public ActivityView named(Object part, ActivityView view) {
        LaneOwner owner = part instanceof LaneCore lane ? LaneOwner.of(lane.key()) : null;
        Object party = parties.get(owner == null ? part : owner.strand());
        return party == null ? view : view.as(activity(party));
    }

    /** Returns the longest wait of {@code party} among the collected waits, or null. */
    public @Nullable WaitEdge waitOf(Object party) {
        ActivityView from = node(party).party;
        for (WaitEdge edge : edges()) {
            if (edge.from() == from) {
                return edge;
            }
        }
        return null;
    }

    /** Returns the collected waits, the longest first. */
    List<WaitEdge> edges() {
        List<WaitEdge> known = edges;
        if (known == null) {
            known = findEdges();
            edges = known;
        }
        return known;
    }

    private List<WaitEdge> findEdges() {
        List<Edge> edges = new ArrayList<>();
        for (Found wait : found) {
            Edge edge = new Edge(node(wait.from), node(wait.to), wait);
            if (wait.limit == 0) { // a wait with a limit ends, so it closes no cycle
                edge.from.next.add(edge.to);
                edge.to.previous.add(edge.from);
            }
            edges.add(edge);
        }
        findCycles(edges);
        List<WaitEdge> all = new ArrayList<>();
        for (Edge edge : edges) {
            Found wait = edge.found;
            all.add(new WaitView(
                    edge.from.party,
                    edge.to.party,
                    wait.kind,
                    Duration.ofNanos(Math.max(0, now - wait.since)),
                    wait.limit == 0 ? null : Duration.ofNanos(wait.limit),
                    wait.limit == 0 && edge.from.component == edge.to.component));
        }
        all.sort(Comparator.comparing(WaitEdge::age).reversed());
        return all;
    }

    private Node node(Object any) {
        if (any instanceof WaitOrigin origin) {
            return node(origin);
        }
        LaneOwner owner = any instanceof LaneCore lane ? LaneOwner.of(lane.key()) : null;
        Object own = owner == null ? any : owner.strand();
        Object party = parties.getOrDefault(own, own);
        Node known = nodes.get(party);
        if (known == null) {
            known = new Node(activity(party));
            nodes.put(party, known);
        }
        return known;
    }

    private Node node(WaitOrigin origin) {
        ReadyEntry turn = origin.turn();
        LaneCore lane = turn instanceof LaneCore l ? l : null;
        Thread thread = origin.thread();
        if (thread != null) {
            return node(lane != null ? lane : thread);
        }
        if (lane != null && lane.isAsyncOpen()) {
            return node(lane); // the open async task is assumed to wait for the stage
        }
        String in = lane == null ? "" : " in a task of " + LaneOwner.describe(lane);
        return new Node(new ActivityView(Activity.Kind.HANDLER, origin.call() + in, null, null));
    }

    private ActivityView activity(Object party) {
        if (party instanceof ActivityView view) {
            return view;
        }
        if (party instanceof LaneCore lane) {
            return LaneOwner.activity(lane, now, null, () -> waitOf(lane));
        }
        if (party instanceof Thread thread) {
            return new ActivityView(Activity.Kind.TASK, "thread " + thread.getName(), null, thread);
        }
        boolean executor = party instanceof LogicalExecutors.Member || party instanceof LaneSpace;
        Activity.Kind kind = executor ? Activity.Kind.EXECUTOR : Activity.Kind.HANDLER;
        return new ActivityView(kind, party.toString(), null, null);
    }

    // ---------------------------------------------------------------- cycles

    /**
     * Numbers the strongly connected components by the algorithm of Kosaraju and Sharir: a depth-first search, then a
     * search along the reversed edges.
     */
    private static void findCycles(List<Edge> edges) {
        List<Node> finished = new ArrayList<>();
        for (Edge edge : edges) {
            visit(edge.from, finished);
            visit(edge.to, finished);
        }
        int component = 0;
        for (int i = finished.size() - 1; i >= 0; i--) {
            ArrayDeque<Node> open = new ArrayDeque<>(List.of(finished.get(i)));
            component++;
            for (Node node = open.poll(); node != null; node = open.poll()) {
                if (node.component < 0) {
                    node.component = component;
                    open.addAll(node.previous);
                }
            }
        }
    }

    /**
     * Appends {@code start} and the nodes reachable from it in the post-order of a depth-first search; skips visited
     * nodes.
     */
    private static void visit(Node start, List<Node> finished) {
        record Step(Node node, @Nullable ArrayDeque<Node> rest) {}
        ArrayDeque<Step> path = new ArrayDeque<>();
        path.push(new Step(start, null));
        while (!path.isEmpty()) {
            Step step = path.pop();
            Node node = step.node;
            ArrayDeque<Node> rest = step.rest;
            if (rest == null) {
                if (node.visited) {
                    continue;
                }
                node.visited = true;
                rest = new ArrayDeque<>(node.next);
            }
            Node next = rest.poll();
            if (next == null) {
                finished.add(node);
            } else {
                path.push(new Step(node, rest));
                path.push(new Step(next, null));
            }
        }
    }
}
