// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import dev.spindle.internal.Counters;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The injection queue: an unbounded FIFO queue for many producers and many consumers. Its elements are entries (lanes
 * with work, plain tasks) and batches of entries, never null. Removals and counts look into the batches.
 *
 * <p>An {@link #offer} happens-before the return of the {@link #poll} that takes its entry.
 */
public final class InjectionQueue {
    /*
     * The queue is a linked list of segments. A segment is an array whose slots are used once. A producer claims the
     * next slot by an increment of `enqueued`, and puts its entry into the slot by CAS. A consumer claims the next slot
     * by an increment of `dequeued`, and swaps TAKEN into the slot. This is the FAA array queue of Correia and
     * Ramalhete with two differences: entries can be removed from the middle, and a segment that the head has passed is
     * cut off (InjectionQueue-5).
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
     * segment.stamps    the producer of the slot the taker  plain, ordered by the slot: when the entry of every
     *                                                       `sampleOneIn`th slot was put there
     * waits             takers of these slots    all        atomic
     *
     * InjectionQueue-1  A slot goes null -> entry -> TAKEN or null -> TAKEN, and never leaves TAKEN. Slots and segments
     *     are not reused, so there is no ABA.
     * InjectionQueue-2  If a slot is claimed by a producer but still empty when a consumer swaps TAKEN into it, the CAS
     *     of the producer fails, and the producer claims a later slot. The queue preserves the order of two entries if
     *     the offer of the first returns before the offer of the second starts.
     * InjectionQueue-3  From the return of offer(e) until a consumer claims e, isEmpty() returns false on every thread
     *     (WorkerSet-2), since offer increments `enqueued` by a read-modify-write before it writes the slot. `dequeued`
     *     passes a slot only if a poll claims the slot, or if the slot holds TAKEN.
     * InjectionQueue-4  A segment is spent when `dequeued` has passed all its slots. The head moves past spent segments
     *     only, and the tail moves past a segment before the head does, so each producer reaches the last segment from
     *     the tail.
     * InjectionQueue-5  After the head has passed a segment, `next` of the segment refers to the segment itself, so an
     *     unreachable segment in the old generation keeps no later segment alive. A walk that comes to such a segment
     *     continues at the head, since all segments before the head are spent.
     * InjectionQueue-6  A removal moves `dequeued` past TAKEN slots and unlinks spent segments, so that later removals
     *     skip them. A segment that is unlinked in the middle keeps its `next`; if two neighbours are unlinked at the
     *     same time, one of them may stay in the list, and later walks skip its slots.
     * InjectionQueue-7  A stamp is written before the CAS that puts the entry into its slot, or that links the segment
     *     of the entry, and is read after the swap that takes the entry. So the taker reads the stamp of its entry.
     *
     * Tests: InjectionQueueTest, InjectionQueueLincheckTest, InjectionQueueRemovalLincheckTest; jcstress
     * OfferAgainstPoll, PollAgainstPoll, RemoveAgainstPoll, LookAgainstPoll, StampAgainstTake (InjectionQueue-7).
     */
    /** The number of slots of a segment. Not measured. */
    private static final int SEGMENT = 1_024;

    private static final Object TAKEN = new Object();
    private static final long[] NONE = {};
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    private final int segmentSize;
    private final @Nullable LongSupplier clock; // null if no wait is measured
    private final int sampledMask; // a slot is sampled if its position has all of these bits: see `sampled`
    private final long sampled; // the value of these bits of a sampled position; -1 if no slot is sampled
    private final int stampsShift;
    private final AtomicLongArray waits;
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
        this(SEGMENT);
    }

    /**
     * Creates an empty queue that measures the wait of each entry in every {@code sampleOneIn}th slot.
     *
     * @param sampleOneIn a power of two, or 0 to measure nothing
     */
    InjectionQueue(LongSupplier clock, int sampleOneIn) {
        this(SEGMENT, clock, sampleOneIn);
    }

    /**
     * Creates an empty queue with the given number of slots per segment.
     *
     * @throws IllegalArgumentException if {@code segmentSize} is below 1
     */
    public InjectionQueue(int segmentSize) {
        this(segmentSize, null, 0);
    }

    InjectionQueue(int segmentSize, @Nullable LongSupplier clock, int sampleOneIn) {
        if (segmentSize < 1) {
            throw new IllegalArgumentException("segmentSize must be at least 1, is " + segmentSize);
        }
        this.segmentSize = segmentSize;
        this.clock = clock;
        sampledMask = sampleOneIn == 0 ? 0 : sampleOneIn - 1;
        sampled = sampleOneIn == 0 ? -1 : sampledMask; // the last of each group, so that a first task is not sampled
        stampsShift = sampleOneIn == 0 ? 31 : Integer.numberOfTrailingZeros(sampleOneIn);
        waits = new AtomicLongArray(sampleOneIn == 0 ? 0 : Counters.TIMES);
        Segment first = newSegment(0);
        head = first;
        tail = first;
    }

    private Segment newSegment(long base) {
        return new Segment(segmentSize, base, clock == null ? NONE : new long[1 + ((segmentSize - 1) >> stampsShift)]);
    }

    /** Appends {@code entry}. If this method throws, the entry was not added. */
    public void offer(Object entry) {
        for (; ; ) {
            Segment last = tail;
            long index = (long) Segment.ENQUEUED.getAndAdd(last, 1L);
            if (index < segmentSize) {
                if ((last.base + index & sampledMask) == sampled) { // InjectionQueue-7
                    stamp(last, index);
                }
                if (SLOT.compareAndSet(last.slots, (int) index, null, entry)) { // InjectionQueue-2
                    return;
                }
                continue; // a consumer has taken the slot (InjectionQueue-2)
            }
            if (appendSegment(last, entry)) {
                return;
            }
        }
    }

    /**
     * Links a new segment that holds {@code entry}. Returns false, without adding the entry, if another producer has
     * linked a segment.
     */
    private boolean appendSegment(Segment last, Object entry) {
        Segment next = last.next;
        if (next == null) {
            Segment fresh = newSegment(last.base + segmentSize);
            if ((fresh.base & sampledMask) == sampled) { // InjectionQueue-7
                stamp(fresh, 0);
            }
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

    /** Takes the oldest entry, or returns null if the queue was empty at some time during the call. */
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
                if ((first.base + index & sampledMask) == sampled) {
                    measure(first, index);
                }
                return entry;
            }
        }
    }

    private void stamp(Segment s, long index) {
        if (clock != null) {
            s.stamps[(int) index >> stampsShift] = clock.getAsLong();
        }
    }

    /** Measures the wait of an entry that was taken. */
    private void measure(Segment s, long index) {
        if (clock != null) {
            long nanos = clock.getAsLong() - s.stamps[(int) index >> stampsShift];
            waits.getAndIncrement(Counters.bucket(nanos));
            waits.getAndAdd(Counters.TOTAL, Math.max(0, nanos));
        }
    }

    /** Returns the waits that were measured, as {@link Counters#bucket} describes; empty if none are. */
    long[] waits() {
        long[] all = new long[waits.length()];
        for (int i = 0; i < all.length; i++) {
            all[i] = waits.get(i);
        }
        return all;
    }

    /**
     * Takes the oldest entry like {@link #poll}, but takes entries out of a batch, which keeps its slot until it has no
     * entry and gets none. So the other entries of the batch stay in their place in the queue.
     */
    public @Nullable Object pollSingle() {
        for (; ; ) {
            Segment first = head;
            long index = first.dequeued;
            if (index >= Math.min(first.enqueued, segmentSize)) {
                Segment next = first.next;
                if (next == null) {
                    return null;
                }
                if (index >= segmentSize) {
                    pass(first, next);
                }
                continue;
            }
            Object entry = SLOT.getVolatile(first.slots, (int) index);
            Object one = entry instanceof Batch batch ? batch.takeOrClose() : null;
            if (one != null) {
                return one;
            }
            if (entry == TAKEN || SLOT.compareAndSet(first.slots, (int) index, entry, TAKEN)) {
                Segment.DEQUEUED.compareAndSet(first, index, index + 1);
                if (entry != null && entry != TAKEN && !(entry instanceof Batch)) {
                    if ((first.base + index & sampledMask) == sampled) {
                        measure(first, index);
                    }
                    return entry;
                }
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
        advance(first, next); // the tail moves before the head (InjectionQueue-4)
        if (HEAD.compareAndSet(this, first, next)) {
            Segment.NEXT.setRelease(first, first); // InjectionQueue-5
        }
    }

    /** Returns the next segment of a walk (InjectionQueue-5), or null. */
    private @Nullable Segment after(Segment s) {
        Segment next = s.next;
        return next == s ? head : next; // InjectionQueue-3
    }

    /** Returns true if the queue was empty at some time during the call. */
    public boolean isEmpty() {
        Segment next;
        for (Segment s = head; s != null; s = next == s ? head : next) { // as in after()
            int end = (int) Math.min(s.enqueued, segmentSize);
            for (int i = (int) Math.min(s.dequeued, end); i < end; i++) {
                // A slot that a producer has claimed and not yet written is treated as full, since a wrong result of
                // false does no harm.
                if (s.slots[i] != TAKEN) { // InjectionQueue-1: plain, since a slot that was seen TAKEN stays so
                    return false;
                }
            }
            next = s.next;
        }
        return true;
    }

    /**
     * Returns an estimate of the position of the next entry. The positions number the slots, from 0 for the first slot
     * of the first segment. Every entry whose offer has returned before the call has a lower position.
     */
    public long estimatedEnd() {
        Segment last = tail;
        return last.base + Math.min(last.enqueued, segmentSize);
    }

    /** Returns an estimate of the position of the oldest entry, numbered as in {@link #estimatedEnd}. */
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
     * Removes and returns the oldest entry that {@code wanted} accepts, or returns null. Considers every entry whose
     * {@link #offer} has returned before the call. {@code wanted} must not run user code. Takes time proportional to
     * the number of entries before the returned entry.
     */
    public @Nullable Object removeFirst(Predicate<Object> wanted) {
        return remove(wanted, null);
    }

    /**
     * Removes and returns the oldest entry that {@code wanted} accepts, or returns null. Unlike {@link #removeFirst},
     * does not test entries again that an earlier call has rejected. A call takes amortised constant time, and one step
     * for each segment before the entry. All calls must pass the same {@code wanted}, which must accept no entry of a
     * batch.
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
     * Removes all entries that {@code wanted} accepts, in order, and adds them to {@code to}. Considers every entry
     * whose {@link #offer} has returned before the call. {@code wanted} must not run user code. Takes time proportional
     * to the length of the queue.
     */
    public void removeAll(Predicate<Object> wanted, List<Object> to) {
        Object unused = remove(wanted, to);
    }

    /**
     * Removes all entries that {@code wanted} accepts, adds them to {@code to}, and returns null. If {@code to} is
     * null, removes and returns only the first such entry.
     */
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
                first = remove(batch, wanted, to); // the batch keeps its slot, even if the batch is empty
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
            // has the effect of polls that find TAKEN (InjectionQueue-6)
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

    /** Removes a spent segment from the list, unless the segment is the last one or the head has passed it. */
    private void unlink(@Nullable Segment before, Segment spent) {
        Segment next = spent.next;
        if (next == null) {
            return;
        }
        if (spent == head) {
            pass(spent, next);
        } else if (before != null) {
            advance(spent, next); // the tail moves first, as in pass()
            link(before, spent, next);
        }
    }

    // The fields of a superclass precede those of its subclass in memory. So the fields that all threads read, the
    // field that producers write, and the field that consumers write are on different cache lines.

    private abstract static class SegmentLinks {
        final Object[] slots;
        final long base; // the number of slots in all segments before this segment
        final long[] stamps;
        volatile @Nullable Segment next;

        SegmentLinks(int size, long base, long[] stamps) {
            slots = new Object[size];
            this.base = base;
            this.stamps = stamps;
        }
    }

    @SuppressWarnings("unused") // the padding
    private abstract static class SegmentTail extends SegmentLinks {
        long p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
        volatile long enqueued;
        long q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;

        SegmentTail(int size, long base, long[] stamps) {
            super(size, base, stamps);
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

        Segment(int size, long base, long[] stamps) {
            super(size, base, stamps);
        }
    }
}
