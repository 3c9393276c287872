// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that a lane's owner has taken out of the mailbox at once, oldest first, until they have all begun. The owner
 * takes them one by one; cancellers take all that are left.
 */
final class Batch {
    /*
     * field     writers                       readers   mode
     * tasks[i]  owner: fill; null once taken  all       plain, published by the release of the lane's batch
     * next      owner, cancellers             all       getAndAdd, getAndSet, CAS: who moves it past i has tasks[i]
     *
     * B1  `next` only grows. So each task is taken by one: the owner or a canceller.
     * B2  The owner writes nothing that producers or the owners of other lanes write: a task costs one read-modify-write
     *     on a line of its own.
     *
     * Tests: BatchTest; jcstress CancelAgainstTake.
     */
    private static final int LARGE = 1_000;
    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(Batch.class, "next", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Runnable[] tasks;
    private volatile int next;

    /** Returns an empty batch for a chain whose newest node is given, and for some more nodes: pushes go on. */
    static Batch withRoomFor(Node newest) {
        int depth = newest.depth;
        if (depth > LARGE && newest.isBounded()) { // counted, since most of the nodes may have been cut out
            depth = 0;
            for (Node n = newest; n != null; n = n.older) {
                depth++;
            }
        }
        return new Batch(depth + depth / 8 + 1);
    }

    /** Creates a batch that can hold {@code size} tasks. */
    Batch(int size) {
        tasks = new Runnable[size];
    }

    /** Returns whether a chain of this depth finds room for certain. */
    boolean hasRoomFor(int depth) {
        return depth <= tasks.length;
    }

    /** Puts the tasks of a chain in, whose newest node is given; before publication. */
    void fill(Node newest) {
        int i = tasks.length;
        for (Node n = newest; n != null && i > 0; n = n.older) {
            tasks[--i] = n.content();
        }
        NEXT.set(this, i);
    }

    /** Takes the oldest task, or node; null when none is left. For the owner. */
    @Nullable
    Runnable take() {
        for (; ; ) {
            int i = (int) NEXT.getAndAdd(this, 1);
            if (i >= tasks.length) {
                return null;
            }
            Runnable task = tasks[i];
            if (task != null) {
                tasks[i] = null; // for the collector
                return task;
            }
        }
    }

    /** Returns whether nothing is left. */
    boolean isSpent() {
        return next >= tasks.length;
    }

    /** Returns the oldest task, or node, without taking it; null when none is left. For the owner. */
    @Nullable
    Runnable first() {
        for (; ; ) {
            int i = next;
            if (i >= tasks.length) {
                return null;
            }
            Runnable task = tasks[i];
            if (task != null) {
                return task;
            }
            NEXT.compareAndSet(this, i, i + 1);
        }
    }

    /** Takes {@code first}, which {@link #first} returned; false when a canceller was faster. For the owner. */
    boolean take(Runnable first) {
        int i = next;
        return i < tasks.length && tasks[i] == first && NEXT.compareAndSet(this, i, i + 1);
    }

    /** Takes all that are left, for a canceller, and adds them to {@code taken}. */
    void takeAll(List<Runnable> taken) {
        for (int i = (int) NEXT.getAndSet(this, tasks.length); i < tasks.length; i++) {
            Runnable task = tasks[i];
            if (task != null) {
                taken.add(task);
            }
        }
    }

    /** Withdraws the oldest task that counts against a bound; null when there is none. */
    @Nullable
    Runnable dropOldest() {
        for (int i = next; i < tasks.length; i++) {
            Runnable dropped = tasks[i] instanceof LateNode node && node.isBounded() ? node.withdraw() : null;
            if (dropped != null) {
                return dropped;
            }
        }
        return null;
    }

    /** Returns whether the oldest that is left keeps the lane from going on, that is, is neither news nor withdrawn. */
    boolean isFirstPending() {
        for (int i = next; i < tasks.length; i++) {
            Runnable task = tasks[i];
            if (task != null) {
                return isPending(task);
            }
        }
        return false;
    }

    /** Returns about how many tasks wait. */
    int estimatedDepth() {
        int depth = 0;
        for (int i = next; i < tasks.length; i++) {
            Runnable task = tasks[i];
            depth += task != null && isPending(task) ? 1 : 0;
        }
        return depth;
    }

    private static boolean isPending(Runnable task) {
        return !(task instanceof LateNode node) || node.isPending();
    }
}
