// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entry queue: unbounded, first in first out, for many producers and many consumers. It holds entries, that is
 * lanes with work and plain tasks, and never null.
 *
 * <p>An {@link #offer} whose entry is found by a {@link #poll} happens-before the return of that poll.
 */
public final class EntryQueue {
    /*
     * A linked list of segments. A segment is an array whose slots are used once: a producer claims the next slot by
     * adding to `enqueued` and puts its entry there by CAS; a consumer claims the next slot by adding to `dequeued` and
     * swaps TAKEN into it. After Correia and Ramalhete's FAA array queue; what differs is the removal from the middle
     * and that the first and the last segment are padded apart by plain holder objects.
     *
     * field             writers                  readers    mode
     * head              consumers                all        volatile read, CAS forward
     * tail              producers                all        volatile read, CAS forward
     * segment.enqueued  producers                all        getAndAdd
     * segment.dequeued  consumers                all        getAndAdd
     * segment.slots[i]  one producer, consumers  all        CAS null -> entry, getAndSet TAKEN
     * segment.next      one producer             all        CAS null -> segment
     *
     * Q1  A slot goes null -> entry -> TAKEN or null -> TAKEN, and never leaves TAKEN. So there is no ABA: slots and
     *     segments are never used again, and the collector frees them.
     * Q2  A consumer that comes to a claimed slot before its producer wrote it spoils the slot; the producer's CAS then
     *     fails and it takes a later slot. Its offer had not returned, so no order was promised yet.
     * Q3  When offer(e) has returned, and e was not taken, isEmpty() is false for every thread: `enqueued` was raised
     *     by a read-modify-write before the slot was written, and `dequeued` passes a slot only when it is TAKEN.
     *     The wake-up protocol (Crew, W2) rests on this.
     */
    private static final Object TAKEN = new Object();
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    private final int segmentSize;
    private volatile Segment head;
    private volatile Segment tail;

    static {
        try {
            var lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(EntryQueue.class, "head", Segment.class);
            TAIL = lookup.findVarHandle(EntryQueue.class, "tail", Segment.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Creates an empty queue. */
    public EntryQueue() {
        this(1024);
    }

    /**
     * Creates an empty queue with the given number of slots per segment, so that tests reach the ends of segments.
     *
     * @throws IllegalArgumentException if {@code segmentSize} is below 1
     */
    public EntryQueue(int segmentSize) {
        if (segmentSize < 1) {
            throw new IllegalArgumentException("segmentSize must be at least 1, is " + segmentSize);
        }
        this.segmentSize = segmentSize;
        Segment first = new Segment(segmentSize, 0);
        head = first;
        tail = first;
    }

    /**
     * Appends {@code entry}.
     *
     * @throws OutOfMemoryError if a new segment was needed and could not be had; the entry is then not in the queue
     */
    public void offer(Object entry) {
        for (; ; ) {
            Segment last = tail;
            long index = (long) Segment.ENQUEUED.getAndAdd(last, 1L);
            if (index < segmentSize) {
                if (SLOT.compareAndSet(last.slots, (int) index, null, entry)) {
                    return;
                }
                continue; // spoiled by a consumer (Q2)
            }
            if (appendSegment(last, entry)) {
                return;
            }
        }
    }

    /** Links a new segment that holds {@code entry}, unless another producer was faster. */
    private boolean appendSegment(Segment last, Object entry) {
        Segment next = last.next;
        if (next == null) {
            Segment fresh = new Segment(segmentSize, last.base + segmentSize);
            fresh.slots[0] = entry; // published by the CAS of `next`
            fresh.enqueued = 1;
            if (Segment.NEXT.compareAndSet(last, null, fresh)) {
                advance(last, fresh);
                return true;
            }
            next = last.next;
        }
        advance(last, next);
        return false;
    }

    /** In one place, so that it is linked when the first segment is appended (Rehearsal). */
    private void advance(Segment last, @Nullable Segment next) {
        TAIL.compareAndSet(this, last, next);
    }

    /** Takes the oldest entry, or returns null when there was a moment without any. */
    public @Nullable Object poll() {
        for (; ; ) {
            Segment first = head;
            if (first.dequeued >= first.enqueued && first.next == null) {
                return null;
            }
            long index = (long) Segment.DEQUEUED.getAndAdd(first, 1L);
            if (index >= segmentSize) {
                Segment next = first.next;
                if (next == null) {
                    return null;
                }
                HEAD.compareAndSet(this, first, next);
                continue;
            }
            Object entry = SLOT.getAndSet(first.slots, (int) index, TAKEN);
            if (entry != null && entry != TAKEN) {
                return entry;
            }
        }
    }

    /** Returns whether there was a moment during the call without any entry. */
    public boolean isEmpty() {
        for (Segment s = head; s != null; s = s.next) {
            int end = (int) Math.min(s.enqueued, segmentSize);
            for (int i = (int) Math.min(s.dequeued, end); i < end; i++) {
                // A slot that is claimed and not written yet counts: too full is safe, too empty is not.
                if (SLOT.getVolatile(s.slots, i) != TAKEN) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns where the next entry will be put, counted from the first; above every entry whose offer has returned. */
    public long estimatedEnd() {
        Segment last = tail;
        return last.base + Math.min(last.enqueued, segmentSize);
    }

    /** Returns about where the oldest entry is, counted as in {@link #estimatedEnd}. */
    public long estimatedBegin() {
        Segment first = head;
        return first.base + Math.min(first.dequeued, segmentSize);
    }

    /** Returns about how many entries are in the queue; takes time in proportion to its segments. */
    public int estimatedSize() {
        long size = 0;
        for (Segment s = head; s != null; s = s.next) {
            size += Math.max(0, Math.min(s.enqueued, segmentSize) - s.dequeued);
        }
        return (int) Math.min(Integer.MAX_VALUE, size);
    }

    /** Returns about how many entries {@code wanted} accepts; takes time in proportion to the length of the queue. */
    public long estimatedCount(Predicate<Object> wanted) {
        long count = 0;
        for (Segment s = head; s != null; s = s.next) {
            int end = (int) Math.min(s.enqueued, segmentSize);
            for (int i = (int) Math.min(s.dequeued, end); i < end; i++) {
                Object entry = SLOT.getVolatile(s.slots, i);
                count += entry != null && entry != TAKEN && wanted.test(entry) ? 1 : 0;
            }
        }
        return count;
    }

    /**
     * Removes and returns the oldest entry that {@code wanted} accepts, or null. Misses no entry whose {@link #offer} has
     * returned before; {@code wanted} must be ours.
     */
    public @Nullable Object removeFirst(Predicate<Object> wanted) {
        for (Segment s = head; s != null; s = s.next) {
            int end = (int) Math.min(s.enqueued, segmentSize);
            for (int i = (int) Math.min(s.dequeued, end); i < end; i++) {
                Object entry = SLOT.getVolatile(s.slots, i);
                if (entry != null
                        && entry != TAKEN
                        && wanted.test(entry)
                        && SLOT.compareAndSet(s.slots, i, entry, TAKEN)) {
                    return entry;
                }
            }
        }
        return null;
    }

    // Superclasses come first in memory: what all read, what producers write and what consumers write lie apart.

    private abstract static class SegmentLinks {
        final Object[] slots;
        final long base; // how many slots the segments before this one have
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
