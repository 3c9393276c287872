// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The injection queue: an unbounded FIFO queue for many producers and many consumers. Its elements are entries (lanes
 * with work, plain tasks) and batches of entries, never null. Removals and counts look into the batches.
 *
 * <p>An {@link #offer} whose entry is found by a {@link #poll} happens-before the return of that poll.
 */
public final class InjectionQueue {
    /*
     * A linked list of segments. A segment is an array whose slots are used once: a producer claims the next slot by
     * adding to `enqueued` and puts its entry there by CAS; a consumer claims the next slot by adding to `dequeued` and
     * swaps TAKEN into it. Derived from the FAA array queue of Correia and Ramalhete. This queue differs in that
     * entries can be removed from the middle, the first and the last segment are padded apart by plain holder objects,
     * and segments that the head has passed are cut off.
     *
     * field             writers                  readers    mode
     * head              consumers                all        volatile read, CAS forward
     * tail              producers                all        volatile read, CAS forward
     * segment.enqueued  producers                all        getAndAdd
     * segment.dequeued  consumers                all        getAndAdd, CAS forward
     * segment.slots[i]  one producer, consumers  all        CAS null -> entry, getAndSet TAKEN
     * segment.next      one producer,            all        CAS null -> segment, CAS past a spent one,
     *                   the mover of the head               release write of the segment itself: it is passed
     * passed            removeOldest             same       volatile, racy: each earlier slot is written, and
     *                                                       holds no entry that removeOldest looks for
     *
     * InjectionQueue-1  A slot goes null -> entry -> TAKEN or null -> TAKEN, and never leaves TAKEN. Slots and segments
     *     are not reused, so there is no ABA.
     * InjectionQueue-2  A consumer that finds a claimed slot empty swaps TAKEN into it, so the CAS of the producer
     *     fails and the producer claims a later slot. Until the producer's offer returns, the order of its entry is not
     *     promised.
     * InjectionQueue-3  Once offer(e) has returned, and until e is taken, isEmpty() is false for every thread
     *     (WorkerSet-2): `enqueued` is raised by a read-modify-write before the slot is written. `dequeued` passes a
     *     slot only for a poll that will swap it, or when it holds TAKEN.
     * InjectionQueue-4  A segment is spent when `dequeued` has passed all its slots; a spent segment has a successor,
     *     or gets no more entries. The head moves past spent segments only, and the tail moves past a segment before
     *     the head does, so that producers always find a way on.
     * InjectionQueue-5  A segment that the head has passed is linked to itself, so an old segment keeps no later
     *     segment reachable in a generational collector. A walk that comes to such a segment continues at the head: the
     *     segments between are spent.
     * InjectionQueue-6  A removal moves `dequeued` past TAKEN slots and unlinks spent segments, so that later removals
     *     need not pass them. A segment unlinked in the middle keeps its own link, so when two neighbours are unlinked
     *     at once, at worst one of them stays in the list and is passed.
     *
     * Tests: InjectionQueueTest, InjectionQueueLincheckTest, InjectionQueueRemovalLincheckTest; jcstress
     * OfferAgainstPoll, PollAgainstPoll, RemoveAgainstPoll, LookAgainstPoll.
     */
    private static final Object TAKEN = new Object();
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    private final int segmentSize;
    private volatile Segment head;
    private volatile Segment tail;
    private volatile long passed;

    static {
        try {
            var lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(InjectionQueue.class, "head", Segment.class);
            TAIL = lookup.findVarHandle(InjectionQueue.class, "tail", Segment.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Creates an empty queue. */
    public InjectionQueue() {
        this(1024);
    }

    /**
     * Creates an empty queue with the given number of slots per segment; tests set it low to reach the ends of
     * segments.
     *
     * @throws IllegalArgumentException if {@code segmentSize} is below 1
     */
    public InjectionQueue(int segmentSize) {
        if (segmentSize < 1) {
            throw new IllegalArgumentException("segmentSize must be at least 1, is " + segmentSize);
        }
        this.segmentSize = segmentSize;
        Segment first = new Segment(segmentSize, 0);
        head = first;
        tail = first;
    }

    /** Appends {@code entry}; if this throws, the entry is not in the queue. */
    public void offer(Object entry) {
        for (; ; ) {
            Segment last = tail;
            long index = (long) Segment.ENQUEUED.getAndAdd(last, 1L);
            if (index < segmentSize) {
                if (SLOT.compareAndSet(last.slots, (int) index, null, entry)) { // InjectionQueue-2
                    return;
                }
                continue; // spoiled by a consumer (InjectionQueue-2)
            }
            if (appendSegment(last, entry)) {
                return;
            }
        }
    }

    /** Links a new segment that holds {@code entry}; false if another producer has linked one. */
    private boolean appendSegment(Segment last, Object entry) {
        Segment next = last.next;
        if (next == null) {
            Segment fresh = new Segment(segmentSize, last.base + segmentSize);
            fresh.slots[0] = entry; // published by the CAS of `next`
            fresh.enqueued = 1;
            if (link(last, null, fresh)) {
                advance(last, fresh);
                return true;
            }
            next = last.next;
        }
        advance(last, next);
        return false;
    }

    private void advance(Segment last, @Nullable Segment next) {
        TAIL.compareAndSet(this, last, next);
    }

    /** Takes the oldest entry; null if the queue was empty at a moment during the call. */
    public @Nullable Object poll() {
        for (; ; ) {
            Segment first = head;
            if (first.dequeued >= first.enqueued && first.next == null) {
                return null;
            }
            long index = (long) Segment.DEQUEUED.getAndAdd(first, 1L); // InjectionQueue-1
            if (index >= segmentSize) {
                Segment next = first.next;
                if (next == null) {
                    return null;
                }
                pass(first, next);
                continue;
            }
            Object entry = SLOT.getAndSet(first.slots, (int) index, TAKEN); // InjectionQueue-2
            if (entry != null && entry != TAKEN) {
                return entry;
            }
        }
    }

    private static boolean link(Segment s, @Nullable Segment from, Segment to) {
        return Segment.NEXT.compareAndSet(s, from, to);
    }

    /** Moves the head past a spent segment, and cuts that segment off (InjectionQueue-5). */
    private void pass(Segment first, Segment next) {
        if (next == first) {
            return; // another thread has moved the head
        }
        advance(first, next); // before the head (InjectionQueue-4)
        if (HEAD.compareAndSet(this, first, next)) {
            Segment.NEXT.setRelease(first, first); // InjectionQueue-5
        }
    }

    /** Returns the next segment of a walk (InjectionQueue-5), or null. */
    private @Nullable Segment after(Segment s) {
        Segment next = s.next;
        return next == s ? head : next; // InjectionQueue-3
    }

    /** Returns whether the queue was empty at a moment during the call. */
    public boolean isEmpty() {
        for (Segment s = head; s != null; s = after(s)) {
            int end = (int) Math.min(s.enqueued, segmentSize);
            for (int i = (int) Math.min(s.dequeued, end); i < end; i++) {
                // A slot that is claimed and not yet written counts as full, since a wrong `false` does no harm.
                if (SLOT.getVolatile(s.slots, i) != TAKEN) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Returns the position of the next entry, counted from the first entry. Every entry whose offer has returned has a
     * lower position.
     */
    public long estimatedEnd() {
        Segment last = tail;
        return last.base + Math.min(last.enqueued, segmentSize);
    }

    /** Returns an estimate of the position of the oldest entry, counted as in {@link #estimatedEnd}. */
    public long estimatedBegin() {
        Segment first = head;
        return first.base + Math.min(first.dequeued, segmentSize);
    }

    /** Returns an estimate of the number of entries that {@code wanted} accepts, in time proportional to the length. */
    public long estimatedCount(Predicate<Object> wanted) {
        long count = 0;
        for (Segment s = head; s != null; s = after(s)) {
            int end = (int) Math.min(s.enqueued, segmentSize);
            for (int i = (int) Math.min(s.dequeued, end); i < end; i++) {
                Object entry = SLOT.getVolatile(s.slots, i);
                if (entry instanceof Batch batch) {
                    count += batch.estimatedCount(wanted);
                } else {
                    count += entry != null && entry != TAKEN && wanted.test(entry) ? 1 : 0;
                }
            }
        }
        return count;
    }

    /**
     * Removes and returns the oldest entry that {@code wanted} accepts, or null. Misses no entry whose {@link #offer}
     * has returned before; {@code wanted} must not run user code. Takes time in proportion to the entries before the
     * returned entry.
     */
    public @Nullable Object removeFirst(Predicate<Object> wanted) {
        return remove(wanted, null);
    }

    /**
     * Removes and returns the oldest entry that {@code wanted} accepts, or null. As {@link #removeFirst}, but does not
     * look again at entries that it has passed over, so it takes amortised constant time, and one step for each segment
     * before the entry. All calls have to pass the same {@code wanted}, which accepts no entry in a batch.
     */
    public @Nullable Object removeOldest(Predicate<Object> wanted) {
        long to = passed;
        boolean passing = true;
        Segment before = null;
        for (Segment s = head; s != null; s = after(s)) {
            if (s.base + segmentSize > to) {
                int end = (int) Math.min(s.enqueued, segmentSize);
                for (int i = (int) Math.max(Math.min(s.dequeued, end), to - s.base); i < end; i++) {
                    Object entry = SLOT.getVolatile(s.slots, i);
                    passing &= entry != null; // null if a producer is about to write the slot
                    if (passing) {
                        to = s.base + i; // the next call looks at this slot again
                    }
                    if (entry != null && entry != TAKEN && wanted.test(entry) && take(s, i, entry)) {
                        passed = to;
                        return entry;
                    }
                }
                Object unused = remove(s, entry -> false, null); // InjectionQueue-6
            }
            if (s.dequeued < segmentSize) {
                before = s;
            } else {
                unlink(before, s);
            }
        }
        passed = to;
        return null;
    }

    private static boolean take(Segment s, int i, Object entry) {
        return SLOT.compareAndSet(s.slots, i, entry, TAKEN);
    }

    /**
     * Removes all entries that {@code wanted} accepts, in order, and adds them to {@code to}. Otherwise as
     * {@link #removeFirst}, in time proportional to the length of the queue.
     */
    public void removeAll(Predicate<Object> wanted, List<Object> to) {
        Object unused = remove(wanted, to);
    }

    /** Removes all accepted entries into {@code to}; if that is null, removes and returns the first. */
    private @Nullable Object remove(Predicate<Object> wanted, @Nullable List<Object> to) {
        Segment before = null;
        for (Segment s = head; s != null; s = after(s)) {
            Object first = remove(s, wanted, to); // InjectionQueue-4
            if (s.dequeued < segmentSize) {
                before = s;
            } else {
                unlink(before, s);
            }
            if (first != null) {
                return first;
            }
        }
        return null;
    }

    private @Nullable Object remove(Segment s, Predicate<Object> wanted, @Nullable List<Object> to) {
        long begin = s.dequeued;
        int end = (int) Math.min(s.enqueued, segmentSize);
        int spent = (int) Math.min(begin, end);
        Object first = null;
        for (int i = spent; i < end && first == null; i++) {
            Object entry = SLOT.getVolatile(s.slots, i);
            if (entry instanceof Batch batch) {
                first = remove(batch, wanted, to); // the batch keeps its slot, also when it is empty
            } else if (entry != null && entry != TAKEN && wanted.test(entry)) {
                if (take(s, i, entry)) {
                    if (to == null) {
                        first = entry;
                    } else {
                        to.add(entry);
                    }
                    entry = TAKEN;
                }
            }
            if (entry == TAKEN && spent == i) {
                spent++;
            }
        }
        if (spent > begin) { // InjectionQueue-6
            // has the effect of as many polls that find TAKEN (InjectionQueue-6)
            Segment.DEQUEUED.compareAndSet(s, begin, (long) spent);
        }
        return first;
    }

    private static @Nullable Object remove(Batch batch, Predicate<Object> wanted, @Nullable List<Object> to) {
        Object entry = batch.take(wanted);
        for (; to != null && entry != null; entry = batch.take(wanted)) {
            to.add(entry);
        }
        return entry;
    }

    /** Takes a spent segment out of the list unless it is the last. */
    private void unlink(@Nullable Segment before, Segment spent) {
        Segment next = spent.next;
        if (next == null) {
            return;
        }
        if (spent == head) {
            pass(spent, next);
        } else if (before != null) {
            advance(spent, next); // the head follows, as in pass()
            link(before, spent, next);
        }
    }

    // Fields of superclasses come first in memory. So fields that all threads read, that producers write and that
    // consumers write are on different cache lines.

    private abstract static class SegmentLinks {
        final Object[] slots;
        final long base; // the number of slots in all segments before this one
        volatile @Nullable Segment next;

        SegmentLinks(int size, long base) {
            slots = new Object[size];
            this.base = base;
        }
    }

    @SuppressWarnings("unused") // the padding
    private abstract static class SegmentTail extends SegmentLinks {
        long p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
        volatile long enqueued;
        long q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;

        SegmentTail(int size, long base) {
            super(size, base);
        }
    }

    @SuppressWarnings("unused") // the padding
    private static final class Segment extends SegmentTail {
        static final VarHandle ENQUEUED;
        static final VarHandle DEQUEUED;
        static final VarHandle NEXT;

        volatile long dequeued;
        long r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

        static {
            try {
                var lookup = MethodHandles.lookup();
                ENQUEUED = lookup.findVarHandle(Segment.class, "enqueued", long.class);
                DEQUEUED = lookup.findVarHandle(Segment.class, "dequeued", long.class);
                NEXT = lookup.findVarHandle(Segment.class, "next", Segment.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        Segment(int size, long base) {
            super(size, base);
        }
    }
}
