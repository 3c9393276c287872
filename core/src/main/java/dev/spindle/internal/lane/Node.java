// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One element of a lane's mailbox, with one task or, in a {@link Chunk}, several. A node is pushed once and not reused.
 */
class Node {
    /*
     * field  writer                                   readers          mode
     * older  the pusher, before publication; walkers  owner, walkers   plain, published by the CAS of the lane's word
     * newer  the taker of the chain                   owner, walkers   plain, published by the release of lane.rest
     * task   constructor; a taker                     owner, walkers   getAndSet(null) decides which thread gets it
     *
     * Node-1  A task leaves by a read-modify-write, so either the owner or a canceller takes it.
     * Node-2  Walkers cut out nodes without a task (Droppable): `older` then skips these nodes, and may point to one of
     *     them again later. `older` never skips a node with a task, so any thread can walk a chain at any time.
     */
    private static final VarHandle TASK;

    static {
        try {
            TASK = MethodHandles.lookup().findVarHandle(Node.class, "task", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Nullable
    Node older;

    @Nullable
    Node newer;

    private @Nullable Runnable task;

    Node(@Nullable Runnable task) {
        this.task = task;
    }

    /** Appends a task; false if there is no room, or this node was taken out of the mailbox. For any thread. */
    boolean append(Runnable added) {
        return false;
    }

    /**
     * Prevents further appends. Called before another node is pushed on this node, and before a task is taken from this
     * node.
     */
    void close() {}

    /** Returns the capacity for the next node. */
    int nextCapacity() {
        return Chunk.SMALLEST;
    }

    /**
     * Returns the task of a node that the calling thread alone can reach; null if it was withdrawn. Does not write to
     * the node, since a write would take its cache line from the producers.
     */
    @Nullable
    Runnable single() {
        return task;
    }

    /** Takes the oldest task; null if no task is left. */
    @Nullable
    Runnable take() {
        return (Runnable) TASK.getAndSet(this, null); // Node-1
    }

    /** Takes {@code first}, which {@link #first} returned; false if another thread took it. */
    boolean take(Runnable first) {
        return TASK.compareAndSet(this, first, null);
    }

    /** Takes all tasks that are left, and adds them to {@code taken}. */
    void takeAll(List<Runnable> taken) {
        Runnable one = take();
        if (one != null) {
            taken.add(one);
        }
    }

    /**
     * Closes all nodes of a taken chain, whose newest node is this, links them from old to new, and returns the oldest.
     */
    final Node oldest() {
        Node node = this;
        for (Node next = node.older; next != null; next = node.older) {
            node.close();
            next.newer = node; // LaneCore-3
            node = next;
        }
        node.close(); // all nodes, since a late producer may append to any of them (Chunk-2)
        return node;
    }

    /** Takes the tasks of a list of nodes, linked from old to new, and adds them to {@code taken}. */
    static void takeList(@Nullable Node oldest, List<Runnable> taken) {
        for (Node n = oldest; n != null; n = n.newer) {
            n.takeAll(taken);
        }
    }

    /** Returns the oldest task without taking it; null if no task is left. */
    @Nullable
    Runnable first() {
        return (Runnable) TASK.getAcquire(this);
    }

    /** Returns whether no task is left. */
    boolean isSpent() {
        return first() == null;
    }

    /** Returns an estimate of the number of tasks that wait. */
    int estimatedDepth() {
        Runnable one = first();
        return one != null && isPending(one) ? 1 : 0;
    }

    /** Adds the tasks that count against a bound to {@code to}, and removes those that were dropped. For any thread. */
    void addBounded(List<BoundedTask> to) {
        Runnable first = first();
        if (first instanceof BoundedTask bounded && !addIfPending(bounded, to)) {
            boolean unused = take(first);
        }
    }

    static boolean addIfPending(BoundedTask task, List<BoundedTask> to) {
        return task.isPending() && to.add(task);
    }

    static boolean isPending(Runnable task) {
        DeferredTask late = DeferredTask.of(task);
        return late == null || late.isPending();
    }

    /** Cuts spent nodes out of a chain (Node-2), so that a stuck lane does not fill with them. For any thread. */
    static void cutOutSpent(@Nullable Node newest) {
        Node previous = null;
        for (Node n = newest; n != null; n = n.older) {
            if (previous != null && n.isSpent()) { // Node-2
                previous.older = n.older;
            } else {
                previous = n;
            }
        }
    }
}
