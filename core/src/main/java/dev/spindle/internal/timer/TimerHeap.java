// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.timer;

import dev.spindle.internal.timer.Timers.Timer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pairing heap (Fredman, Sedgewick, Sleator and Tarjan, 1986) of timers, ordered by due time, and by number among
 * equal times. The links are fields of the timers, so no method allocates memory. An add takes O(1). A poll or a
 * removal takes amortised O(log n), and O(1) for a timer without children. Not thread-safe.
 */
final class TimerHeap {
    /*
     * The heap is a tree in which no timer is before its parent. `child` is a timer's first child, `next` its next
     * sibling, `prev` its previous sibling or, for a first child, its parent. The links of a timer that has left the
     * heap are null.
     */
    private final long epoch;
    private @Nullable Timer first;

    /** Creates an empty heap that orders times by their unsigned distance from {@code epoch}. */
    TimerHeap(long epoch) {
        this.epoch = epoch;
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Returns the first timer, or null. */
    @Nullable
    Timer first() {
        return first;
    }

    void add(Timer timer) {
        timer.child = null;
        timer.prev = null;
        timer.next = null;
        first = first == null ? timer : join(first, timer);
    }

    /** Removes and returns the first timer, or null. */
    @Nullable
    Timer poll() {
        Timer taken = first;
        if (taken != null) {
            first = joinAll(taken.child);
            taken.child = null;
        }
        return taken;
    }

    /** Removes {@code timer}, which must be in this heap. */
    void remove(Timer timer) {
        if (timer == first) {
            poll();
            return;
        }
        Timer before = Objects.requireNonNull(timer.prev);
        Timer after = timer.next;
        if (before.child == timer) {
            before.child = after;
        } else {
            before.next = after;
        }
        if (after != null) {
            after.prev = before;
        }
        Timer below = joinAll(timer.child);
        timer.child = null;
        timer.prev = null;
        timer.next = null;
        if (below != null) {
            first = join(Objects.requireNonNull(first), below);
        }
    }

    /** Joins two trees whose roots have no siblings. */
    private Timer join(Timer a, Timer b) {
        boolean inOrder = isBefore(a, b);
        Timer above = inOrder ? a : b;
        Timer below = inOrder ? b : a;
        Timer sibling = above.child;
        below.prev = above;
        below.next = sibling;
        if (sibling != null) {
            sibling.prev = below;
        }
        above.child = below;
        return above;
    }

    /** Joins siblings into one tree: first in pairs from left to right, then the pairs from right to left. */
    private @Nullable Timer joinAll(@Nullable Timer siblings) {
        Timer pairs = null; // linked by `next`, the last pair first
        for (Timer a = siblings; a != null; ) {
            Timer b = a.next;
            Timer rest = b == null ? null : b.next;
            a.prev = null;
            a.next = null;
            Timer pair = a;
            if (b != null) {
                b.prev = null;
                b.next = null;
                pair = join(a, b);
            }
            pair.next = pairs;
            pairs = pair;
            a = rest;
        }
        Timer all = null;
        while (pairs != null) {
            Timer pair = pairs;
            pairs = pair.next;
            pair.next = null;
            all = all == null ? pair : join(all, pair);
        }
        return all;
    }

    private boolean isBefore(Timer a, Timer b) {
        return a.due == b.due ? a.number < b.number : Long.compareUnsigned(a.due - epoch, b.due - epoch) < 0;
    }
}
