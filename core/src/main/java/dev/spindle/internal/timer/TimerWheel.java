// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.timer;

import dev.spindle.internal.timer.Timers.Timer;
import org.jspecify.annotations.Nullable;

/** A hierarchical timing wheel over the whole range of the clock. Not thread-safe: {@link Timers} guards it. */
final class TimerWheel {
    /*
     * The wheel is scheme 7 of Varghese and Lauck, "Hashed and hierarchical timing wheels" (1987). As in Tokio, the
     * level of a timer follows from the highest bit in which its time differs from `base`. The wheel differs from
     * scheme 7 in four points:
     *
     *   - The wheel does not tick. It turns only when a thread calls `step` or `turnTo`. A bitmap for each level leads
     *     to the next occupied slot, so a long time without timers costs nothing.
     *   - Due times are not rounded to ticks. The timers of the current tick are in a heap, in their exact order.
     *   - Each slot has the time of its earliest timer, so the next due time is known without turning the wheel.
     *   - A slot is emptied in pieces, and the lock may be released between two pieces.
     *
     * A time is the unsigned distance of a clock reading from `epoch`, so the order of times is total, even if the
     * clock passes Long.MAX_VALUE. Level l has 64 slots of 2^(TICK_BITS + 6 l) ns each. Group l of a time is the six
     * bits that select its slot in level l.
     *
     *   base: 0..0 | 01 | 10    due in the same tick       -> heap
     *              |    |       the lowest group differs   -> level 0, slot: the lowest group of the time
     *              |            the group above it differs -> level 1, slot: that group of the time
     *
     * TimerWheel-1  The time of a timer in slot s of level l agrees with `base` in the bits above group l, and s is
     *     greater than group l of `base`. So all timers of level l precede those of level l + 1, and timers of lower
     *     slots precede those of higher slots.
     * TimerWheel-2  A timer in the heap is not after the tick of `base`, so the timers in the heap precede those in
     *     slots.
     * TimerWheel-3  `base` never decreases, and passes neither a timer in a slot nor the start of an occupied slot,
     *     except `opened`, the slot that is being emptied. While a slot is being emptied, `base` does not change, so no
     *     timer is put into `opened`, and a timer that leaves `opened` is not before `base`.
     * TimerWheel-4  mins[i] is not after any timer in slots[i], and is the time of one of them unless i is marked in
     *     `stale`.
     * TimerWheel-5  A timer is in exactly one place, `where`: NOWHERE, a slot, or NEAR for the heap.
     *
     * No timer fires early: step(at) returns the first timer of the heap only if the time of that timer is not after
     * `at`. No timer is lost or late: `bound` is not after any timer (TimerWheel-1, TimerWheel-2, TimerWheel-4). While
     * `bound` is not after `at`, step(at) returns a timer, or moves timers to a lower level or to the heap, so a timer
     * is moved at most once for each level.
     *
     * No method allocates memory, so no method can fail halfway.
     */
    /** The place of a timer that is in no wheel. */
    static final int NOWHERE = -1;

    /**
     * A tick is 2^4 ns, so that ten levels cover all times of the clock. Measured: with 3 and 5, an add costs as much.
     */
    private static final int TICK_BITS = 4;

    /** A level has 2^6 slots, as many as a long has bits. Not measured. */
    private static final int LEVEL_BITS = 6;

    private static final int SLOTS = 1 << LEVEL_BITS;
    private static final int LEVELS = (Long.SIZE - TICK_BITS + LEVEL_BITS - 1) / LEVEL_BITS;
    private static final int NEAR = LEVELS * SLOTS;

    /** The {@link #bound} of a wheel without timers, which is after every time. */
    static final long NEVER = -1;

    private final long epoch;
    private final int piece;
    private final int scan;
    private final TimerHeap near;
    private final @Nullable Timer[] slots = new @Nullable Timer[LEVELS * SLOTS];
    private final long[] mins = new long[LEVELS * SLOTS];
    private final long[] occupied = new long[LEVELS];
    private final long[] stale = new long[LEVELS];
    private int occupiedLevels;
    private int opened = NOWHERE;
    private long base;
    private long size;
    private long numbers;

    /**
     * Creates an empty wheel.
     *
     * @param epoch the reading of the clock from which times are counted
     * @param base the initial time of the wheel, counted from {@code epoch}
     * @param piece the maximum number of timers that a step moves
     * @param scan the maximum number of timers that a search for the earliest timer of a slot reads
     */
    TimerWheel(long epoch, long base, int piece, int scan) {
        this.epoch = epoch;
        this.base = base;
        this.piece = piece;
        this.scan = scan;
        near = new TimerHeap(epoch);
    }

    long size() {
        return size;
    }

    /** Adds a timer that is in no wheel, at its due time. */
    void add(Timer timer) {
        timer.number = numbers++;
        size++;
        place(timer);
    }

    /** Removes {@code timer}. Returns false if the timer is not in this wheel. */
    boolean remove(Timer timer) {
        int where = timer.where;
        if (where == NOWHERE) {
            return false;
        }
        if (where == NEAR) {
            near.remove(timer);
        } else {
            unlink(timer, where);
        }
        timer.where = NOWHERE;
        size--;
        return true;
    }

    /**
     * Makes one step towards the timers that are due at {@code at}. If no slot is being emptied and the heap is not
     * empty, removes and returns the first timer of the heap, or returns null if that timer is not due. If the heap is
     * empty and the first slot may hold a due timer, begins to empty that slot. If a slot is being emptied, moves up to
     * {@code piece} of its timers, and returns null. The caller repeats the call while {@link #bound} is not after
     * {@code at}.
     */
    @Nullable
    Timer step(long at) {
        if (opened == NOWHERE) {
            Timer first = near.first();
            if (first != null) {
                return isAfter(at(first), at) ? null : takeFirst(first); // A2
            }
            if (occupiedLevels == 0) {
                return null;
            }
            int slot = firstSlot();
            if (isAfter(mins[slot], at)) {
                return null;
            }
            open(slot);
        }
        empty(opened);
        return null;
    }

    /**
     * Returns a time that is not after any timer, usually the time of the first timer. Returns {@link #NEVER} if there
     * are no timers.
     */
    long bound() {
        Timer first = near.first();
        long bound = first == null ? NEVER : at(first);
        if (opened != NOWHERE) {
            bound = earlier(bound, mins[opened]); // TimerWheel-3
            return occupiedLevels == 0 ? bound : earlier(bound, mins[firstSlot()]);
        }
        return first != null || occupiedLevels == 0 ? bound : earliest(firstSlot());
    }

    /**
     * Advances {@code base} to {@code at} if {@code at} is later, no slot is being emptied, and all occupied slots
     * start after {@code at}. Later adds then use low levels.
     */
    void turnTo(long at) {
        if (opened == NOWHERE && isAfter(at, base) && (occupiedLevels == 0 || isAfter(start(firstSlot()), at))) {
            base = at;
        }
    }

    // ---------------------------------------------------------------- slots

    private void place(Timer timer) {
        long at = at(timer);
        long differs = at ^ base; // TimerWheel-1
        if (differs >>> TICK_BITS == 0 || isAfter(base, at)) { // TimerWheel-2
            timer.where = NEAR;
            near.add(timer);
            return;
        }
        int level = (Long.SIZE - 1 - TICK_BITS - Long.numberOfLeadingZeros(differs)) / LEVEL_BITS;
        int index = (int) (at >>> shift(level)) & (SLOTS - 1);
        int slot = level * SLOTS + index;
        Timer head = slots[slot];
        timer.where = slot;
        timer.prev = null;
        timer.next = head;
        slots[slot] = timer;
        if (head == null) {
            mins[slot] = at;
            stale[level] &= ~(1L << index);
            occupied[level] |= 1L << index;
            occupiedLevels |= 1 << level;
            return;
        }
        head.prev = timer;
        if (!isAfter(at, mins[slot])) { // TimerWheel-4
            mins[slot] = at;
            stale[level] &= ~(1L << index);
        }
    }

    private void unlink(Timer timer, int slot) {
        Timer before = timer.prev;
        Timer after = timer.next;
        timer.prev = null;
        timer.next = null;
        if (after != null) {
            after.prev = before;
        }
        if (before != null) {
            before.next = after;
        } else {
            slots[slot] = after;
            if (after == null) {
                vacate(slot);
                opened = opened == slot ? NOWHERE : opened;
                return;
            }
        }
        if (at(timer) == mins[slot]) {
            stale[slot / SLOTS] |= 1L << slot; // a shift uses the low 6 bits of `slot`: the index in the level
        }
    }

    private void vacate(int slot) {
        int level = slot / SLOTS;
        occupied[level] &= ~(1L << slot);
        if (occupied[level] == 0) {
            occupiedLevels &= ~(1 << level);
        }
    }

    /** Advances {@code base} to the recorded minimum of the first slot, whose timers {@link #empty} then moves. */
    private void open(int slot) {
        vacate(slot);
        base = mins[slot];
        opened = slot;
    }

    private void empty(int slot) {
        Timer rest = slots[slot];
        for (int i = 0; rest != null && i < piece; i++) {
            Timer next = rest.next;
            place(rest);
            rest = next;
        }
        slots[slot] = rest;
        if (rest == null) {
            opened = NOWHERE;
        } else {
            rest.prev = null;
        }
    }

    private Timer takeFirst(Timer first) {
        near.poll();
        first.where = NOWHERE; // TimerWheel-5
        size--;
        return first;
    }

    /**
     * Returns a time that is not after any timer of a slot: the time of the earliest timer, unless {@code mins[slot]}
     * is stale and the slot is too long to scan.
     */
    private long earliest(int slot) {
        int level = slot / SLOTS;
        if ((stale[level] & 1L << slot) != 0) {
            long min = NEVER;
            Timer t = slots[slot];
            for (int i = 0; t != null && i < scan; i++) {
                min = earlier(min, at(t));
                t = t.next;
            }
            if (t == null) {
                mins[slot] = min;
                stale[level] &= ~(1L << slot);
            }
        }
        return mins[slot];
    }

    /** Returns the first occupied slot, which must exist. */
    private int firstSlot() {
        int level = Integer.numberOfTrailingZeros(occupiedLevels);
        return level * SLOTS + Long.numberOfTrailingZeros(occupied[level]);
    }

    /** Returns the start of an occupied slot. */
    private long start(int slot) {
        return mins[slot] >>> shift(slot / SLOTS) << shift(slot / SLOTS);
    }

    private static int shift(int level) {
        return TICK_BITS + LEVEL_BITS * level;
    }

    private long at(Timer timer) {
        return timer.due - epoch;
    }

    private static long earlier(long a, long b) {
        return isAfter(a, b) ? b : a;
    }

    private static boolean isAfter(long a, long b) {
        return Long.compareUnsigned(a, b) > 0;
    }
}
