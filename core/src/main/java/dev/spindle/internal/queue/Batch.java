// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A group of entries that occupies one slot of the injection queue. The <i>maker</i> of a batch is a worker that
 * creates the batch because its run queue is full, and then adds further entries. The <i>holder</i> is the worker that
 * polls the batch from the injection queue, and then polls its entries. Any thread may call the methods that are not
 * said to be called by the maker or the holder.
 */
public final class Batch {
    /*
     * field     writers                   readers  mode
     * slots[i]  maker: null -> entry      all      CAS, or the holder's getAndSet; acquire read
     *           a taker: entry -> TAKEN
     *           holder: null -> TAKEN
     * added     maker                     maker    plain
     * next      holder                    all      opaque: the slots before it are taken
     *
     * Batch-1  The maker fills the slots in the order of their indices, and adds no entry after an add has failed.
     * Batch-2  The holder polls in the same order, and swaps TAKEN into the first empty slot: so the holder finds an
     *     entry, or the CAS of the maker fails, and the maker puts its entry elsewhere. After this swap the batch has
     *     no entry and gets none, and the holder gives it up.
     * Batch-3  An entry leaves its slot by a read-modify-write, so it is taken once. Threads other than the holder swap
     *     TAKEN for an entry, or into the first empty slot as the holder does, so no slot before an entry is empty.
     *
     * An entry costs the maker and the holder one read-modify-write each, on cache lines that other threads rarely use.
     * The read-modify-writes of the injection queue, on lines that all workers use, are made once for a batch.
     *
     * Tests: BatchTest, ReadyQueueTest; jcstress AddAgainstHold.
     */
    /** The minimum capacity of a batch, in entries. Not measured. */
    static final int SMALLEST = 4;

    /**
     * The maximum capacity of a batch, in entries. With such batches, a tree of a million tasks takes 48 ns for each
     * task; without batches, 84 (ADR 0005); measured again, 146 and 246 ns of processor time. With 32 and 128, tasks
     * that tasks submit cost 1.21 and 0.95 times as much, measured on two processors (a control 1.02).
     */
    static final int LARGEST = 64;

    private static final Object TAKEN = new Object();
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(Batch.class, "next", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Object[] slots;
    private int added = 1;
    private int next;

    /** Creates a batch with a first entry. */
    public Batch(Object first, int capacity) {
        slots = new Object[capacity];
        slots[0] = first;
    }

    /**
     * Adds an entry at the end. Returns false if the batch is full, or if the holder has given it up. Called by the
     * maker.
     */
    public boolean add(Object entry) {
        if (added == slots.length || !swap(added, null, entry)) {
            return false;
        }
        added++;
        return true;
    }

    /**
     * Returns the capacity of the maker's next batch: twice that of this batch if this batch is full, and half if not,
     * from SMALLEST to LARGEST. Called by the maker.
     */
    int nextCapacity() {
        return added == slots.length ? Math.min(LARGEST, 2 * added) : Math.max(SMALLEST, slots.length / 2);
    }

    /** Takes the oldest entry, or returns null if no entry is left and none will be added. Called by the holder. */
    public @Nullable Object poll() {
        for (int i = next; i < slots.length; i++) {
            Object entry = SLOT.getAndSet(slots, i, TAKEN); // Batch-2
            NEXT.setOpaque(this, entry == null ? slots.length : i + 1);
            if (entry != TAKEN) {
                return entry;
            }
        }
        return null;
    }

    /** Takes the oldest entry, or returns null if no entry is left and none will be added. */
    @Nullable
    Object takeOrClose() {
        for (int i = next(); i < slots.length; ) {
            Object entry = at(i);
            if (entry == TAKEN) {
                i++;
            } else if (swap(i, entry, TAKEN)) {
                return entry;
            }
        }
        return null;
    }

    /** Gives the batch up if it has no entry, so that none will be added. Returns false if it has an entry. */
    boolean close() {
        int i = next();
        while (i < slots.length && at(i) == TAKEN) {
            i++;
        }
        return i == slots.length || swap(i, null, TAKEN);
    }

    /** Takes the oldest entry that {@code wanted} accepts, or returns null. */
    public @Nullable Object take(Predicate<Object> wanted) {
        for (int i = next(); i < slots.length; i++) {
            Object entry = at(i);
            if (entry == null) {
                return null;
            }
            if (entry != TAKEN && wanted.test(entry) && swap(i, entry, TAKEN)) {
                return entry;
            }
        }
        return null;
    }

    /** Returns true if no entry is left that was added before the call. */
    boolean isEmpty() {
        int i = next();
        while (i < slots.length && at(i) == TAKEN) {
            i++;
        }
        return i == slots.length || at(i) == null;
    }

    /** Returns an estimate of the number of entries that {@code wanted} accepts. */
    int estimatedCount(Predicate<Object> wanted) {
        int count = 0;
        for (int i = next(); i < slots.length; i++) {
            Object entry = at(i);
            count += entry != null && entry != TAKEN && wanted.test(entry) ? 1 : 0;
        }
        return count;
    }

    /** Returns an upper bound of the number of entries that are left. */
    int span() {
        return slots.length - next();
    }

    private int next() {
        return (int) NEXT.getOpaque(this);
    }

    private boolean swap(int i, @Nullable Object from, Object to) {
        return SLOT.compareAndSet(slots, i, from, to);
    }

    private @Nullable Object at(int i) {
        return SLOT.getVolatile(slots, i);
    }
}
