// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a lane's mailbox: one task, or in a {@link Chunk} several. A node is pushed once and never used again. */
class Node {
    /*
     * field  writer                                   readers          mode
     * older  the pusher, before publication; walkers  owner, walkers   plain, published by the CAS of the lane's word
     * newer  whoever took the chain                   owner, walkers   plain, published by the release of lane.rest
     * task   constructor; whoever takes it            owner, walkers   getAndSet(null) decides who has it
     *
     * Node-1  A task leaves by a read-modify-write, so it is taken by one: the owner or a canceller.
     * Node-2  Walkers cut out nodes that hold no task any more (Droppable): `older` then skips them, and may come to
     *     point to one again, but never passes over a node with a task, so that a chain can be walked by anybody at any
     *     time.
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

    /** Appends a task if there is room and nobody has taken this node out of the mailbox. By anybody. */
    boolean append(Runnable added) {
        return false;
    }

    /** Lets nothing more be appended. Before another node is put on this one, and before a task is taken from it. */
    void close() {}

    /** Returns how many tasks the next node has room for. */
    int nextCapacity() {
        return Chunk.SMALLEST;
    }

    /**
     * Returns the task of a node of one that this thread alone can reach, null when it was withdrawn. Writes nothing,
     * which would take the node's line from the producers.
     */
    @Nullable
    Runnable single() {
        return task;
    }

    /** Takes the oldest task; null when none is left. */
    @Nullable
    Runnable take() {
        return (Runnable) TASK.getAndSet(this, null);
    }

    /** Takes {@code first}, which {@link #first} returned; false when another was faster. */
    boolean take(Runnable first) {
        return TASK.compareAndSet(this, first, null);
    }

    /** Takes all that are left, and adds them to {@code taken}. */
    void takeAll(List<Runnable> taken) {
        Runnable one = take();
        if (one != null) {
            taken.add(one);
        }
    }

    /**
     * Closes all nodes of a taken chain, of which this is the newest, links them from old to new; returns the oldest.
     */
    final Node oldest() {
        Node node = this;
        for (Node next = node.older; next != null; next = node.older) {
            node.close();
            next.newer = node;
            node = next;
        }
        node.close(); // all of them: a late producer may look at any (Chunk-2)
        return node;
    }

    /** Takes all of a list of nodes, linked from old to new, and adds it to {@code taken}. */
    static void takeList(@Nullable Node oldest, List<Runnable> taken) {
        for (Node n = oldest; n != null; n = n.newer) {
            n.takeAll(taken);
        }
    }

    /** Returns the oldest task without taking it; null when none is left. */
    @Nullable
    Runnable first() {
        return (Runnable) TASK.getAcquire(this);
    }

    /** Returns whether nothing is left. */
    boolean isSpent() {
        return first() == null;
    }

    /** Returns about how many tasks wait. */
    int estimatedDepth() {
        Runnable one = first();
        return one != null && isPending(one) ? 1 : 0;
    }

    /** Adds the tasks that count against a bound to {@code to}, and forgets those that were dropped. By anybody. */
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

    /** Cuts the nodes that are spent out of a chain (Node-2), or a stuck lane would fill with them. By anybody. */
    static void cutOutSpent(@Nullable Node newest) {
        Node previous = null;
        for (Node n = newest; n != null; n = n.older) {
            if (previous != null && n.isSpent()) {
                previous.older = n.older;
            } else {
                previous = n;
            }
        }
    }
}
