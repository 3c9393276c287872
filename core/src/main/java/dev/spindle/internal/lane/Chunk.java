// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node for several tasks, made when tasks come faster than they are run: neighbours in a lane are then neighbours in
 * memory, which is what makes a backlog cheap.
 */
final class Chunk extends Node {
    /*
     * field     writers                                   readers    mode
     * tasks[i]  producers: null -> task;                  all        read-modify-write by all
     *           who takes: task -> null;
     *           addBounded, append: task -> GONE
     * closed    who takes the node out of the mailbox,    producers  volatile, only to true
     *           who puts another on it
     * hint      producers                                 producers  release write, acquire read: the slots before it
     *                                                                were filled
     * next      owner                                     all        opaque: the slots before it were taken
     *
     * Chunk-1  Until the node is closed, slots are filled from the left, and none becomes empty again: a producer comes
     *     to a slot after it has seen itself, or learned from the hint, that all before it were filled.
     * Chunk-2  Only the newest node of a mailbox takes appends. A node is full or closed before another is put on it,
     *     and closed, full or not, before a task is taken from it. A producer first fills a slot and then looks whether
     *     the node is closed; who takes closes the node first and then swaps the slots, from the left to the first
     *     empty one. So either the producer sees the close, and takes its task back unless it was taken; or the task is
     *     found. An append that succeeded therefore has an owner who has not given up the lane (LaneCore-2), and comes
     *     before whatever its producer pushes later (LaneCore-3). An append to an empty slot that was taken before
     *     always sees the close.
     * Chunk-3  A task leaves its slot by one read-modify-write, so it is taken by one. A canceller takes all to the
     *     last slot: so an owner that finds a slot empty which the canceller was faster to empty may leave the rest to
     *     him.
     * Chunk-4  A task costs its producer and its owner one read-modify-write each, on lines that the other is not
     *     using. What is taken is replaced by null, which no collector has to note.
     * Chunk-5  A producer that loses a slot to another, or finds the slot filled that the hint names, which means that
     *     another is between its slot and the hint, pauses, longer each time. So the other fills several slots before
     *     their line comes to this processor: where they took turns, each slot was a transfer. Nobody waits for a
     *     producer that has stopped, and a producer alone never pauses.
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

    @SuppressWarnings("UnusedVariable") // through HINT
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
        for (int i = hint(); i < tasks.length; i = firstEmpty(Math.max(i, hint()))) {
            if (at(i) == null && swap(i, null, added)) {
                if (closed) {
                    return !swap(i, added, GONE); // else somebody has taken it
                }
                HINT.setRelease(this, i + 1);
                return true;
            }
            pauses = giveWay(pauses); // another fills slots just now
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

    /** Pauses so often, and returns how often the next time (Chunk-5). */
    private static int giveWay(int pauses) {
        for (int i = 0; i < pauses; i++) {
            Thread.onSpinWait();
        }
        return Math.min(2 * pauses, MOST_PAUSES);
    }

    @Override
    void close() {
        closed = true;
    }

    @Override
    int nextCapacity() {
        return Math.min(LARGEST, tasks.length * 2);
    }

    /** In one place, so that it is linked when the first task is appended (VarHandleWarmup). */
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
            Runnable task = (Runnable) SLOT.getAndSet(tasks, i, null);
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
