// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node for several tasks, made when tasks come faster than they are run. Neighbours in a lane are then neighbours in
 * memory, which makes a backlog cheap.
 */
final class Chunk extends Node {
    /*
     * field     writers                                   readers    mode
     * tasks[i]  producers: null -> task;                  all        read-modify-write by all
     *           a taker: task -> null;
     *           addBounded, append: task -> GONE
     * closed    the taker of the node, the pusher of      producers  volatile, only to true
     *           another node on it
     * hint      producers                                 producers  release write, acquire read: the slots before it
     *                                                                were filled
     * next      owner                                     all        opaque: the slots before it were taken
     *
     * Chunk-1  Until the node is closed, slots are filled from the left, and none becomes empty again. A producer uses
     *     a slot only after it has seen itself, or learned from the hint, that all slots before it were filled.
     * Chunk-2  Only the newest node of a mailbox takes appends: a node is full or closed before another is pushed on
     *     it, and closed before a task is taken from it. A producer fills a slot and then reads `closed`; a taker
     *     writes `closed` and then swaps the slots from the left to the first empty slot. So the taker finds the task,
     *     or the producer sees the close and takes back its task if that is still there.
     * Chunk-3  A task leaves its slot by a read-modify-write, so it is taken once. A canceller takes all tasks up to
     *     the last slot, so an owner that finds an emptied slot may leave the remaining slots to the canceller.
     * Chunk-4  A producer that loses a slot to another producer, or finds the slot of the hint filled, pauses, longer
     *     each time, so that the other producer fills several slots before their cache line moves. No producer waits
     *     for a stopped producer, and a single producer never pauses.
     *
     * So a successful append has an owner that has not given the lane up (LaneCore-2), and precedes whatever its
     * producer pushes later (LaneCore-3). An append to a slot that a taker found empty always sees the close.
     *
     * A task costs its producer and its owner one read-modify-write each, on cache lines that the other thread does not
     * use. A taken task is replaced by null, which is cheap for collectors.
     *
     * Tests: ChunkTest, LaneLincheckTest; jcstress AppendAgainstAppend (Chunk-1), AppendAgainstTake, CancelAgainstTake.
     */
    static final int SMALLEST = 4;
    static final int LARGEST = 64;

    private static final int FEWEST_PAUSES = 128;
    private static final int MOST_PAUSES = 1_024;

    private static final Runnable GONE = new Sentinel();
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Runnable[].class);
    private static final VarHandle HINT;
    private static final VarHandle NEXT;

    static {
        try {
            HINT = MethodHandles.lookup().findVarHandle(Chunk.class, "hint", int.class);
            NEXT = MethodHandles.lookup().findVarHandle(Chunk.class, "next", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Runnable[] tasks;

    @SuppressWarnings("UnusedVariable") // read through HINT
    private int hint = 1;

    private int next;
    private volatile boolean closed;

    /** Creates a chunk with a first task. */
    Chunk(Runnable first, int capacity) {
        super(null);
        tasks = new Runnable[capacity];
        tasks[0] = first;
    }

    @Override
    boolean append(Runnable added) {
        if (closed) {
            return false;
        }
        int pauses = FEWEST_PAUSES;
        for (int i = hint(); i < tasks.length; i = firstEmpty(Math.max(i, hint()))) { // Chunk-4
            if (at(i) == null && swap(i, null, added)) { // Chunk-1
                if (closed) { // Chunk-2
                    return !swap(i, added, GONE); // false if the entry was taken
                }
                HINT.setRelease(this, i + 1);
                return true;
            }
            pauses = giveWay(pauses); // another producer is filling slots
        }
        return false;
    }

    private int hint() {
        return (int) HINT.getAcquire(this);
    }

    private int firstEmpty(int from) {
        int i = from;
        while (i < tasks.length && at(i) != null) {
            i++;
        }
        return i;
    }

    /** Pauses {@code pauses} times, and returns the number for the next time (Chunk-4). */
    private static int giveWay(int pauses) {
        for (int i = 0; i < pauses; i++) {
            Thread.onSpinWait();
        }
        return Math.min(2 * pauses, MOST_PAUSES);
    }

    @Override
    void close() {
        closed = true; // Chunk-2
    }

    @Override
    int nextCapacity() {
        return Math.min(LARGEST, tasks.length * 2);
    }

    private boolean swap(int i, @Nullable Runnable from, @Nullable Runnable to) {
        return SLOT.compareAndSet(tasks, i, from, to);
    }

    private @Nullable Runnable at(int i) {
        return (Runnable) SLOT.getAcquire(tasks, i);
    }

    @Override
    @Nullable
    Runnable take() {
        for (int i = next; i < tasks.length; i++) {
            Runnable task = (Runnable) SLOT.getAndSet(tasks, i, null); // Chunk-3
            if (task == null) {
                return null;
            }
            NEXT.setOpaque(this, i + 1);
            if (task != GONE) {
                return task;
            }
        }
        return null;
    }

    @Override
    boolean take(Runnable first) {
        for (int i = next; i < tasks.length; i++) {
            if (at(i) != GONE) {
                boolean taken = swap(i, first, null);
                NEXT.setOpaque(this, taken ? i + 1 : i);
                return taken;
            }
        }
        return false;
    }

    @Override
    void takeAll(List<Runnable> taken) {
        for (int i = (int) NEXT.getOpaque(this); i < tasks.length; i++) {
            Runnable task = at(i) == null ? null : (Runnable) SLOT.getAndSet(tasks, i, null);
            if (task != null && task != GONE) {
                taken.add(task);
            }
        }
    }

    @Override
    @Nullable
    Runnable first() {
        for (int i = (int) NEXT.getOpaque(this); i < tasks.length; i++) {
            Runnable task = at(i);
            if (task != GONE) {
                return task;
            }
        }
        return null;
    }

    @Override
    int estimatedDepth() {
        int depth = 0;
        for (int i = (int) NEXT.getOpaque(this); i < tasks.length; i++) {
            Runnable task = at(i);
            depth += task != null && task != GONE && isPending(task) ? 1 : 0;
        }
        return depth;
    }

    @Override
    void addBounded(List<BoundedTask> to) {
        for (int i = (int) NEXT.getOpaque(this); i < tasks.length; i++) {
            Runnable task = at(i);
            if (task instanceof BoundedTask bounded && !addIfPending(bounded, to)) {
                swap(i, task, GONE);
            }
        }
    }

    private static final class Sentinel implements Runnable {
        @Override
        public void run() {
            throw new AssertionError("a mark is never run");
        }
    }
}
