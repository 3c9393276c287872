// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An element of a lane's mailbox. A plain node has one task, and a {@link Chunk} has several tasks. A node is pushed
 * once.
 */
class Node {
    /*
     * field  writer                                   readers          mode
     * older  the pusher, before publication; walkers  owner, walkers   plain, published by the CAS of the lane's word
     * newer  the taker of the chain                   owner, walkers   plain, published by the release of lane.rest
     * task   constructor; a taker                     owner, walkers   getAndSet(null) decides which thread gets it
     *
     * Node-1  A task leaves by a read-modify-write, so only one thread, the owner or a canceller, takes the task.
     * Node-2  Walkers (Droppable) cut out nodes without a task, so `older` skips these nodes; a concurrent walker may
     *     undo this. `older` never skips a node with a task, so any thread can walk a chain at any time.
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

    /** Appends a task. Returns false if this node is full or closed. Called by any thread. */
    boolean append(Runnable added) {
        return false;
    }

    /**
     * Prevents further appends. Called before a task is taken from a node of a taken chain, and before another node is
     * pushed on a node that is not full.
     */
    void close() {}

    /** Returns the capacity of the chunk to push after this node. */
    int nextCapacity() {
        return Chunk.SMALLEST;
    }

    /**
     * Returns the task of a node that only the calling thread can reach, or null if the task was withdrawn. Does not
     * write to the node, since a write would take the cache line of the node from the producers.
     */
    @Nullable
    Runnable single() {
        return task;
    }

    /** Takes and returns the oldest task, or returns null if no task is left. */
    @Nullable
    Runnable take() {
        return (Runnable) TASK.getAndSet(this, null); // Node-1
    }

    /** Takes {@code first}, a result of {@link #first}. Returns false if another thread has taken that task. */
    boolean take(Runnable first) {
        return TASK.compareAndSet(this, first, null);
    }

    /** Takes all remaining tasks, and adds them to {@code taken}. */
    void takeAll(List<Runnable> taken) {
        Runnable one = take();
        if (one != null) {
            taken.add(one);
        }
    }

    /**
     * Closes the nodes of a taken chain, of which this is the newest, links them from old to new, and returns the
     * oldest.
     */
    final Node oldest() {
        Node node = this;
        for (Node next = node.older; next != null; next = node.older) {
            node.close();
            next.newer = node; // LaneCore-3
            node = next;
        }
        node.close(); // each node is closed, since a late producer may append to any node (Chunk-2)
        return node;
    }

    /** Takes the tasks of a list of nodes, linked from old to new, and adds them to {@code taken}. */
    static void takeList(@Nullable Node oldest, List<Runnable> taken) {
        for (Node n = oldest; n != null; n = n.newer) {
            n.takeAll(taken);
        }
    }

    /** Returns the oldest task, which stays in this node, or null if no task is left. */
    @Nullable
    Runnable first() {
        return (Runnable) TASK.getAcquire(this);
    }

    /** Returns the oldest task of a list of nodes, linked from old to new, or null. */
    static @Nullable Runnable firstOf(@Nullable Node oldest) {
        Runnable first = null;
        for (Node n = oldest; n != null && first == null; n = n.newer) {
            first = n.first();
        }
        return first;
    }

    /**
     * Returns an estimate of the number of waiting tasks of a list of nodes, linked from old to new, and of a chain.
     * The count ends when it has reached {@code enough}.
     */
    static int estimatedDepth(@Nullable Node oldest, @Nullable Node newest, int enough) {
        int depth = 0;
        for (Node n = oldest; n != null && depth < enough; n = n.newer) {
            depth += n.estimatedDepth();
        }
        for (Node n = newest; n != null && depth < enough; n = n.older) {
            depth += n.estimatedDepth();
        }
        return depth;
    }

    /** Returns whether no task is left. */
    boolean isSpent() {
        return first() == null;
    }

    /** Returns an estimate of the number of waiting tasks. */
    int estimatedDepth() {
        Runnable one = first();
        return one != null && isPending(one) ? 1 : 0;
    }

    /**
     * Adds the pending tasks that hold permits to {@code to}, and removes the bounded tasks that are not pending.
     * Called by any thread.
     */
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

    /**
     * Cuts spent nodes out of a chain (Node-2), so that they do not accumulate in a lane that makes no progress. Called
     * by any thread.
     */
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
