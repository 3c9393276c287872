// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import dev.spindle.internal.Padding;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A worker's own queue: first in, first out, bounded. Its worker adds and polls; others may take entries as well. Each
 * entry carries a stamp of its worker's, so that the worker can tell what is older, this entry or one of the shared
 * queue. Before all these come those of the batch that the worker holds, if it does.
 */
public final class RunQueue extends Padding {
    /*
     * A ring of slots: what is in a slot is in the queue.
     *
     * field      writers                     readers  mode
     * slots[i]   owner: null -> entry        all      release write, acquire or volatile read
     *            whoever takes: entry -> null          CAS, or the owner's getAndSet
     * stamps[i]  owner                       all      opaque; others may see that of a later entry in the same slot
     * head       owner                       all      opaque: where to begin to look
     * left       others                      others   opaque: a later place to begin, past what others have taken
     * tail       owner                       all      release write after the slot's, acquire read
     * held       owner                       all      volatile: the batch that it took last, until nothing is left
     * polled     owner                       all      opaque: how many entries came from batches
     *
     * RunQueue-1  Only the owner fills slots, and only empty ones, so an entry leaves its slot by one
     *     read-modify-write: it is taken once.
     * RunQueue-2  All entries are in the slots from head to tail, as the owner sees the two. It moves head past empty
     *     slots only, and never lets tail go round to head.
     * RunQueue-3  Others read head and tail racy. One who has an old head finds slots empty, or newer entries than the
     *     first: he takes what is in the queue, if not the oldest. One who reads tail after the owner's add was
     *     published to him, in whatever way, finds that entry or somebody has taken it.
     * RunQueue-4  A slot before tail that was seen empty has been taken, for good: the owner fills it again under a
     *     later number. So `left` may be behind, by as much as it likes, and never too far ahead: numbers are of 64
     *     bits and do not wrap.
     *
     * Tests: RunQueueTest; jcstress PollAgainstSteal, OwnSignalAgainstPark.
     */
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle STAMP = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle LEFT;
    private static final VarHandle POLLED;

    static {
        try {
            var lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(RunQueue.class, "head", long.class);
            TAIL = lookup.findVarHandle(RunQueue.class, "tail", long.class);
            LEFT = lookup.findVarHandle(RunQueue.class, "left", long.class);
            POLLED = lookup.findVarHandle(RunQueue.class, "polled", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Object[] slots;
    private final long[] stamps;
    private final int mask;
    private long head;
    private long tail;

    @SuppressWarnings("UnusedVariable") // through LEFT
    private long left;

    private long polled;
    private volatile @Nullable Batch held;

    @SuppressWarnings("unused")
    private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;

    /**
     * Creates an empty queue.
     *
     * @throws IllegalArgumentException if {@code capacity} is not a power of two
     */
    public RunQueue(int capacity) {
        this(capacity, 0);
    }

    /** Creates an empty queue that numbers its entries from {@code first} on, so that tests come to large numbers. */
    RunQueue(int capacity, long first) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity must be a power of two, is " + capacity);
        }
        slots = new Object[capacity];
        stamps = new long[capacity];
        mask = capacity - 1;
        head = first;
        tail = first;
    }

    /** Appends {@code entry}, or returns false when the queue is full. For the owner. */
    public boolean offer(Object entry, long stamp) {
        long t = tail;
        if (t - head > mask) {
            return false;
        }
        STAMP.setOpaque(stamps, at(t), stamp);
        SLOT.setRelease(slots, at(t), entry);
        TAIL.setRelease(this, t + 1);
        return true;
    }

    /** Holds {@code batch}, whose entries come next. For the owner, who holds none. */
    public void hold(Batch batch) {
        held = batch;
    }

    /** Returns whether entries may be left. For the owner. */
    public boolean mayHaveEntries() {
        return head != tail || held != null;
    }

    /** Returns whether there is an entry whose stamp is not above {@code stamp}, or of a batch. Racy. */
    public boolean hasStampUpTo(long stamp) {
        if (hasHeld()) {
            return true;
        }
        long t = (long) TAIL.getAcquire(this);
        long first = begin(t);
        return t - first > 0 && (long) STAMP.getOpaque(stamps, at(first)) - stamp <= 0;
    }

    /** Takes the oldest entry, or returns null when none is left. For the owner. */
    public @Nullable Object poll() {
        return poll(Long.MAX_VALUE); // stamps are places in a queue, counted from 0
    }

    /**
     * Takes the oldest entry if it is of a batch or its stamp is not above {@code stamp}, else returns null. For the
     * owner.
     */
    public @Nullable Object poll(long stamp) {
        Batch batch = held;
        if (batch != null) {
            Object entry = batch.poll();
            if (entry != null) {
                POLLED.setOpaque(this, polled + 1);
                return entry;
            }
            held = null;
        }
        long t = tail;
        for (long h = head; h != t; ) {
            boolean left = SLOT.getOpaque(slots, at(h)) != null;
            if (left && stamps[at(h)] - stamp > 0) {
                return null;
            }
            Object entry = left ? SLOT.getAndSet(slots, at(h), null) : null;
            HEAD.setOpaque(this, ++h);
            if (entry != null) {
                return entry;
            }
        }
        return null;
    }

    /**
     * Takes an entry that {@code wanted} accepts, the oldest if nothing else happens. Returns null when none is left of
     * those that had been added before the call. By anybody.
     */
    public @Nullable Object take(Predicate<Object> wanted) {
        Batch batch = held;
        Object first = batch == null ? null : batch.take(wanted);
        if (first != null) {
            return first;
        }
        long t = (long) TAIL.getAcquire(this);
        for (long h = begin(t); t - h > 0; h++) {
            Object entry = SLOT.getAcquire(slots, at(h));
            if (entry != null && wanted.test(entry) && SLOT.compareAndSet(slots, at(h), entry, null)) {
                return entry;
            }
        }
        return null;
    }

    /** Takes all entries that {@code wanted} accepts and there is memory for in {@code to}. By anybody. */
    @SuppressWarnings("NonApiType") // whose capacity is ensured first
    void takeAll(Predicate<Object> wanted, ArrayList<Object> to) {
        for (boolean more = true; more; ) {
            try {
                to.ensureCapacity(to.size() + 1);
            } catch (OutOfMemoryError e) {
                return;
            }
            Object entry = take(wanted);
            more = entry != null && to.add(entry);
        }
    }

    /** Returns the number of the first slot before {@code t} that may be full, or {@code t}. By anybody. */
    private long begin(long t) {
        long h = firstSlot();
        long known = (long) LEFT.getOpaque(this);
        if (known - h > 0) {
            h = known;
        }
        long first = h;
        while (t - first > 0 && SLOT.getVolatile(slots, at(first)) == null) {
            first++;
        }
        if (first != h) {
            LEFT.setOpaque(this, first);
        }
        return first;
    }

    /** Returns whether none is left of the entries that had been added before the call. By anybody. */
    public boolean isEmpty() {
        long t = (long) TAIL.getVolatile(this);
        return t - begin(t) <= 0 && !hasHeld();
    }

    private boolean hasHeld() {
        Batch batch = held;
        return batch != null && !batch.isEmpty();
    }

    /** Returns whether more than so many may be left of the entries that had been added before the call. By anybody. */
    public boolean mayHaveMore(int entries) {
        long t = (long) TAIL.getVolatile(this);
        return t - begin(t) > entries || hasHeld();
    }

    /** Returns a number that changes when the owner takes an entry. Racy. */
    public long head() {
        return firstSlot() + (long) POLLED.getOpaque(this);
    }

    private long firstSlot() {
        return (long) HEAD.getOpaque(this);
    }

    /** Returns about how many of the entries {@code wanted} accepts; takes time in proportion to their number. */
    public long estimatedCount(Predicate<Object> wanted) {
        Batch batch = held;
        long count = batch == null ? 0 : batch.estimatedCount(wanted);
        long t = (long) TAIL.getAcquire(this);
        for (long h = begin(t); t - h > 0; h++) {
            Object entry = SLOT.getAcquire(slots, at(h));
            count += entry != null && wanted.test(entry) ? 1 : 0;
        }
        return count;
    }

    /** Returns about how many entries are in the queue, or have been taken by others since the owner looked. */
    public int span() {
        Batch batch = held;
        return ownSpan() + (batch == null ? 0 : batch.span());
    }

    /** Returns the same without those of a batch. */
    int ownSpan() {
        return (int) Math.max(0, (long) TAIL.getOpaque(this) - firstSlot());
    }

    private int at(long number) {
        return (int) number & mask;
    }
}
