// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import dev.spindle.internal.Padding;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The bounded FIFO queue of one worker, its owner. The owner adds and polls; other threads may take entries. The owner
 * gives each entry a stamp, which shows whether the entry is older than an entry of the injection queue. If the owner
 * holds a batch, the entries of the batch come first. Any thread may call the methods that are not said to be called by
 * the owner.
 */
public final class RunQueue extends Padding {
    /*
     * The queue is a ring of slots. Entries have ascending numbers, and the entry with number n is in the slot with
     * index n modulo the capacity.
     *
     * field      writers                 readers  mode
     * slots[i]   owner: null -> entry    all      plain write after a release fence; acquire read by a taker, plain
     *            a taker: entry -> null           read for null; CAS, or the owner's getAndSet
     * stamps[i]  owner                   all      plain; others may see the stamp of a later entry in the same slot
     * head       owner                   all      plain: where a scan begins; others read `tail` or `held` before
     * left       others                  others   volatile: a later place where a scan may begin
     * tail       owner                   all      volatile, after the slot
     * held       owner                   all      volatile: the last batch that the owner took, until it is empty
     * polled     owner                   all      plain: the number of entries taken from batches
     * vacant     RunQueues               same     plain, under the lock of the RunQueues
     * lost       RunQueues               owner    volatile; written under the lock of the RunQueues
     *
     * RunQueue-1  Only the owner puts entries into slots, and only into empty slots. An entry leaves its slot by a
     *     read-modify-write, so it is taken once.
     * RunQueue-2  All entries have numbers from head, inclusive, to tail, exclusive, as the owner reads these fields.
     *     The owner moves head past empty slots only, and tail - head is at most the capacity.
     * RunQueue-3  Another thread may read an old value of head, and then finds empty slots or newer entries, so it may
     *     take an entry that is not the oldest. If the owner's add happens-before another thread's read of tail, that
     *     thread finds the entry, unless the entry was taken.
     * RunQueue-4  After the slot of a number below tail was seen empty, no entry gets that number, since the next entry
     *     in the slot has a later number. So no entry has a number below `left`; numbers have 64 bits and do not wrap.
     * RunQueue-5  The last step of an add is a volatile write of tail. So a thread that adds an entry and then reads a
     *     volatile field needs no fence between them.
     *
     * Tests: RunQueueTest; jcstress PollAgainstSteal, OwnSignalAgainstPark.
     */
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    private final @Nullable Object[] slots;
    private final long[] stamps;
    private final int mask;
    private long head;
    private volatile long tail; // RunQueue-5
    private volatile long left;
    private long polled;
    private volatile @Nullable Batch held;
    private volatile boolean lost;
    private boolean vacant;

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

    /** Creates an empty queue whose first entry gets the number {@code first}. Tests use high numbers. */
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

    /** Appends {@code entry}. Returns false if the queue is full. Called by the owner. */
    public boolean offer(Object entry, long stamp) {
        long t = tail;
        if (t - head > mask) { // RunQueue-2
            return false;
        }
        stamps[at(t)] = stamp;
        VarHandle.releaseFence(); // a scan may find the entry before it sees the new tail
        slots[at(t)] = entry; // RunQueue-4
        tail = t + 1;
        return true;
    }

    /**
     * Removes the entry that the owner added last. Returns false if another thread has taken this entry. Called by the
     * owner.
     */
    boolean takeBack(Object entry) {
        return SLOT.compareAndSet(slots, at(tail - 1), entry, null);
    }

    /** Takes the queue from its owner, which adds no further entry after it has read {@link #isLost}. */
    void lose() {
        lost = true;
    }

    /** Returns whether the queue was taken from its owner. */
    boolean isLost() {
        return lost;
    }

    /** Sets whether the queue has no owner. Called under the lock of the RunQueues. */
    void setVacant(boolean now) {
        vacant = now;
    }

    /** Returns whether the queue has no owner. Called under the lock of the RunQueues. */
    boolean isVacant() {
        return vacant;
    }

    /**
     * Makes the owner the holder of {@code batch}, whose entries come next. Called by the owner, which must hold no
     * batch with entries.
     */
    public void hold(@Nullable Batch batch) {
        held = batch;
    }

    /** Returns whether entries may be left. Called by the owner. */
    public boolean mayHaveEntries() {
        return head != tail || held != null;
    }

    /** Returns whether there is an entry of a batch, or an entry whose stamp is at most {@code stamp}. Racy. */
    public boolean hasStampUpTo(long stamp) {
        if (hasHeld()) {
            return true;
        }
        long t = tail;
        long first = begin(t);
        return t - first > 0 && stamps[at(first)] - stamp <= 0;
    }

    /** Takes the oldest entry, or returns null if no entry is left. Called by the owner. */
    public @Nullable Object poll() {
        return poll(Long.MAX_VALUE); // not below any stamp
    }

    /**
     * Takes the oldest entry if it is in a batch, or if its stamp is at most {@code stamp}; otherwise returns null.
     * Called by the owner.
     */
    public @Nullable Object poll(long stamp) {
        Batch batch = held;
        if (batch != null) {
            Object entry = batch.poll();
            if (entry != null) {
                polled++;
                return entry;
            }
            held = null;
        }
        long t = tail;
        for (long h = head; h != t; ) {
            boolean left = slots[at(h)] != null;
            if (left && stamps[at(h)] - stamp > 0) {
                return null;
            }
            Object entry = left ? SLOT.getAndSet(slots, at(h), null) : null;
            head = ++h;
            if (entry != null) {
                return entry;
            }
        }
        return null;
    }

    /**
     * Takes an entry that {@code wanted} accepts: the oldest, unless another thread takes entries at the same time.
     * Returns null if no such entry is left that was added before the call.
     */
    public @Nullable Object take(Predicate<Object> wanted) {
        Batch batch = held;
        Object first = batch == null ? null : batch.take(wanted);
        if (first != null) {
            return first;
        }
        long t = tail;
        for (long h = begin(t); t - h > 0; h++) {
            Object entry = SLOT.getAcquire(slots, at(h));
            if (entry != null && wanted.test(entry) && SLOT.compareAndSet(slots, at(h), entry, null)) { // RunQueue-1
                return entry;
            }
        }
        return null;
    }

    /** Takes all entries that {@code wanted} accepts, and adds them to {@code to}. */
    void takeAll(Predicate<Object> wanted, List<Object> to) {
        for (Object entry = take(wanted); entry != null; entry = take(wanted)) {
            to.add(entry);
        }
    }

    /** Returns the lowest number below {@code t} whose slot may be full, or {@code t}. */
    private long begin(long t) {
        long h = head;
        long known = left;
        if (known - h > 0) {
            h = known;
        }
        long first = h;
        while (t - first > 0 && slots[at(first)] == null) {
            first++;
        }
        if (first != h) {
            left = first;
        }
        return first;
    }

    /** Returns true if no entry is left that was added before the call. */
    public boolean isEmpty() {
        long t = tail;
        return (t - head <= 0 || t - begin(t) <= 0) && (held == null || !hasHeld()); // ReadyQueue-2, RunQueue-3
    }

    /** Returns true if no entry is left that was added before the call, and the owner's batch gets no more. */
    boolean isSpent() {
        Batch batch = held;
        return isEmpty() && (batch == null || batch.close()); // Batch-2
    }

    private boolean hasHeld() {
        Batch batch = held;
        return batch != null && !batch.isEmpty();
    }

    /**
     * Returns whether more than {@code entries} of the entries added before the call may be left, or an entry of a
     * batch is left.
     */
    public boolean mayHaveMore(int entries) {
        long t = tail;
        return (t - head > entries && t - begin(t) > entries) || (held != null && hasHeld());
    }

    /** Returns a number that changes when the owner takes an entry. Racy. */
    public long head() {
        return head + polled;
    }

    /** Returns an estimate of the number of entries that {@code wanted} accepts, in time proportional to the length. */
    public long estimatedCount(Predicate<Object> wanted) {
        Batch batch = held;
        long count = batch == null ? 0 : batch.estimatedCount(wanted);
        long t = tail;
        for (long h = begin(t); t - h > 0; h++) {
            Object entry = SLOT.getAcquire(slots, at(h));
            count += entry != null && wanted.test(entry) ? 1 : 0;
        }
        return count;
    }

    /**
     * Returns an estimate of the number of entries, including entries that other threads took since the owner's last
     * poll.
     */
    public int span() {
        Batch batch = held;
        return ownSpan() + (batch == null ? 0 : batch.span());
    }

    /** Returns {@link #span} without the entries of a batch. */
    int ownSpan() {
        return (int) Math.max(0, tail - head);
    }

    private int at(long number) {
        return (int) number & mask;
    }
}
