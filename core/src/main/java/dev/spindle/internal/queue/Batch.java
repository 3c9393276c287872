// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A group of entries that takes one slot of the injection queue. The maker, a worker whose run queue is full, creates
 * it and goes on adding to it; the worker that takes it out of the injection queue holds it, and takes its entries.
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
     * Batch-1  The maker fills the slots from the left, and adds no entry once it has found a slot taken.
     * Batch-2  The holder takes from the left, and marks the first empty slot as taken: so the holder finds an entry,
     *     or the CAS of the maker fails and its entry goes to the injection queue. After the mark no entry is left, and
     *     the holder gives the batch up.
     * Batch-3  An entry leaves its slot by a read-modify-write, so it is taken once. Threads other than the holder take
     *     only full slots, and so leave no gap before an entry.
     *
     * An entry costs its maker and its holder one read-modify-write each, on lines that no other thread uses. The two
     * steps on lines that all workers share are paid once for a batch.
     *
     * Tests: BatchTest, ReadyQueueTest; jcstress AddAgainstHold.
     */
    static final int SMALLEST = 4;
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

    /** Adds an entry at the end; false if the batch is full or the holder has given it up. For the maker. */
    public boolean add(Object entry) {
        if (added == slots.length || !swap(added, null, entry)) {
            return false;
        }
        added++;
        return true;
    }

    /** Returns the capacity of the next batch, which is larger than this batch if this batch is full. For the maker. */
    int nextCapacity() {
        return added == slots.length ? Math.min(LARGEST, 2 * added) : Math.max(SMALLEST, slots.length / 2);
    }

    /** Takes the oldest entry, or returns null when none is left and none will be added. For the holder. */
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

    /** Takes the oldest entry that {@code wanted} accepts, or returns null. For any thread. */
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

    /** Returns whether none is left of the entries that had been added before the call. For any thread. */
    boolean isEmpty() {
        int i = next();
        while (i < slots.length && at(i) == TAKEN) {
            i++;
        }
        return i == slots.length || at(i) == null;
    }

    /** Returns an estimate of the number of entries that {@code wanted} accepts. For any thread. */
    int estimatedCount(Predicate<Object> wanted) {
        int count = 0;
        for (int i = next(); i < slots.length; i++) {
            Object entry = at(i);
            count += entry != null && entry != TAKEN && wanted.test(entry) ? 1 : 0;
        }
        return count;
    }

    /** Returns the most entries that may be left. For any thread. */
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
