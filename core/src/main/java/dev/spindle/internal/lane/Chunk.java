// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node for several tasks, created when tasks arrive faster than they run. Tasks that are adjacent in the lane are
 * then adjacent in memory, which saves cache misses.
 */
final class Chunk extends Node {
    /*
     * field     writers                                   readers    mode
     * tasks[i]  producers: null -> task;                  all        read-modify-write by all
     *           a taker: task -> null;
     *           addBounded, append: task -> GONE
     * closed    the taker of the node, the pusher of      producers  volatile, only to true
     *           another node on it
     * hint      producers                                 producers  plain: the slots before it were filled
     * next      owner                                     all        plain: the slots before it were taken
     *
     * Chunk-1  Until the node is closed, the slots are filled from left to right, and no slot is emptied. A producer
     *     fills a slot only after it has found all earlier slots filled, by reading them or `hint`.
     * Chunk-2  A node is full or closed before another node is pushed on it, and closed before a task is taken from it.
     *     A producer fills a slot and then reads `closed`; a taker writes `closed` and then swaps the slots from left
     *     to right, up to the first empty slot. So the taker finds the task, or the producer sees the close and tries
     *     to take its task back.
     * Chunk-3  A task leaves its slot by a read-modify-write, so one thread takes the task. A canceller takes the tasks
     *     of all slots, so an owner that finds a slot emptied leaves the later slots to the canceller.
     * Chunk-4  A producer that finds its slot filled by another producer pauses, longer each time. So the other
     *     producer fills several slots before their cache line moves. The pauses are bounded, so no producer waits for
     *     a stopped producer; a single producer never pauses.
     *
     * So at a successful append the lane has an owner (LaneCore-2), and the task precedes all tasks that its producer
     * submits later (LaneCore-3). A producer that fills a slot after a taker has found that slot empty sees the close.
     *
     * `hint` and `next` are plain. Each is written after a read-modify-write of the slot before it. A thread that reads
     * an old value begins at an earlier slot. If a producer reads `hint` before the slot that it tells of appears
     * filled to the taker, the taker has closed the node, and the producer takes its task back (Chunk-2).
     *
     * A task costs one read-modify-write of its producer and one of the owner. In a backlog, the two threads use
     * different cache lines. A taker writes null to the slot, since a write of null is cheap for garbage collectors.
     *
     * Tests: ChunkTest, LaneLincheckTest; jcstress AppendAgainstAppend (Chunk-1), AppendAgainstTake, CancelAgainstTake.
     */
    /** The minimum capacity of a chunk, in tasks. Not measured. */
    static final int SMALLEST = 4;

    /**
     * The maximum capacity of a chunk, in tasks. Measured on two processors: a task of one of 16 keys cost as much with
     * 32, and 0.93 times as much with 128 (the spread of a control was 0.75 to 1.30).
     */
    static final int LARGEST = 64;

    /**
     * The number of spins of a producer that has lost a slot for the first time, in which another producer fills
     * several slots. Not measured.
     */
    private static final int FEWEST_PAUSES = 128;

    /** The maximum number of spins of a producer that loses slots again and again. Not measured. */
    private static final int MOST_PAUSES = 1_024;

    private static final Runnable GONE = new Sentinel();
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    private final @Nullable Object[] tasks; // objects, since the JVM checks each store into an array of an interface
    private int hint = 1;

    private int next;
    private volatile boolean closed;

    /** Creates a chunk with a first task. */
    Chunk(Runnable first, int capacity) {
        super(null);
        tasks = new Object[capacity];
        tasks[0] = first;
    }

    @Override
    boolean append(Runnable added) {
        if (closed) {
            return false;
        }
        int pauses = FEWEST_PAUSES;
        for (int i = hint; i < tasks.length; i = firstEmpty(Math.max(i, hint))) { // Chunk-4
            if (tasks[i] == null && swap(i, null, added)) { // Chunk-1
                if (closed) { // Chunk-2
                    return !swap(i, added, GONE); // true if a taker has taken the task
                }
                hint = i + 1;
                return true;
            }
            pauses = giveWay(pauses);
        }
        return false;
    }

    private int firstEmpty(int from) {
        int i = from;
        while (i < tasks.length && at(i) != null) {
            i++;
        }
        return i;
    }

    /** Spins {@code pauses} times, and returns the number for the next call (Chunk-4). */
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

    private boolean swap(int i, @Nullable Object from, @Nullable Object to) {
        return SLOT.compareAndSet(tasks, i, from, to);
    }

    private @Nullable Object at(int i) {
        return SLOT.getAcquire(tasks, i);
    }

    @Override
    @Nullable
    Runnable take() {
        for (int i = next; i < tasks.length; i++) {
            Object task = SLOT.getAndSet(tasks, i, null); // Chunk-3
            if (task == null) {
                return null;
            }
            next = i + 1;
            if (task != GONE) {
                return (Runnable) task;
            }
        }
        return null;
    }

    /**
     * Takes and returns the oldest task if another task follows in this chunk and the task is not a
     * {@link DeferredTask}; else returns null.
     */
    @Nullable
    Runnable takePlain() {
        int i = next;
        if (i + 1 >= tasks.length || tasks[i + 1] == null) {
            return null;
        }
        Object task = tasks[i];
        if (task == null || task == GONE || task instanceof DeferredTask) {
            return null;
        }
        Object taken = SLOT.getAndSet(tasks, i, null); // Chunk-3
        if (taken == null) {
            return null;
        }
        next = i + 1;
        return (Runnable) taken;
    }

    @Override
    boolean take(Runnable first) {
        for (int i = next; i < tasks.length; i++) {
            if (at(i) != GONE) {
                boolean taken = swap(i, first, null);
                next = taken ? i + 1 : i;
                return taken;
            }
        }
        return false;
    }

    @Override
    void takeAll(List<Runnable> taken) {
        for (int i = next; i < tasks.length; i++) {
            Object task = at(i) == null ? null : SLOT.getAndSet(tasks, i, null);
            if (task != null && task != GONE) {
                taken.add((Runnable) task);
            }
        }
    }

    @Override
    @Nullable
    Runnable first() {
        for (int i = next; i < tasks.length; i++) {
            Object task = at(i);
            if (task != GONE) {
                return (Runnable) task;
            }
        }
        return null;
    }

    @Override
    boolean isSpent() {
        for (int i = next; i < tasks.length; i++) {
            Object task = tasks[i]; // plain, since only null and GONE are asked for
            if (task != GONE) {
                return task == null;
            }
        }
        return true;
    }

    @Override
    int estimatedDepth() {
        int depth = 0;
        for (int i = next; i < tasks.length; i++) {
            Object task = at(i);
            depth += task != null && task != GONE && isPending((Runnable) task) ? 1 : 0;
        }
        return depth;
    }

    @Override
    void addBounded(List<BoundedTask> to) {
        for (int i = next; i < tasks.length; i++) {
            Object task = at(i);
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
