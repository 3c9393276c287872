// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The named coalescing slots of a lane: a cell for each that is in use. */
final class NamedSlots {
    /*
     * field  writers                   readers  mode
     * cells  offers, who ends a cell   all      ConcurrentHashMap: get, putIfAbsent, two-argument remove
     * inUse  offers, who ends a cell,  all      atomic: how many cells are in use; or RETIRED, FORGOTTEN
     *        the lane's retirement
     * most   offers                    all      plain, racy: about the most that were in use at once
     *
     * NamedSlots-1  A cell is counted from before it is put into the map until it has been SEALED for good, and whoever
     *     sealed it takes it off, once. So while anybody can offer to a cell, `inUse` is not 0.
     * NamedSlots-2  A retirement is a CAS of 0 to RETIRED, after which no cell is made. So a lane dies without a cell
     *     in use (CoalescingSlot-2), and an offer that comes too late looks the lane up again. Who lowers the count to
     *     0 without a turn to follow looks for CLOSING: a retirement may have failed for his cell.
     * NamedSlots-3  Whoever sealed a cell removes it from the map, and so does an offer that comes across it before.
     * NamedSlots-4  When none of very many is in use any more, all of this is forgotten by a CAS of 0 to FORGOTTEN: the
     *     map does not shrink. Offers that have it in hand find no way in, and come back to find another.
     *
     * Tests: SlotContractTest, NamedSlotsLincheckTest; jcstress SealAgainstNamedSlot.
     */
    private static final int RETIRED = -1;
    private static final int FORGOTTEN = -2;
    private static final int MANY = 256;

    private final LaneCore lane;
    private final CoalescingSlot first;
    private final ConcurrentHashMap<Object, CoalescingSlot> cells = new ConcurrentHashMap<>();
    private final AtomicInteger inUse = new AtomicInteger();
    private int most;

    /** Creates the slots of a lane with the given first cell. */
    NamedSlots(LaneCore lane, CoalescingSlot first) {
        this.lane = lane;
        this.first = first;
    }

    /** Returns the first cell of the lane. */
    CoalescingSlot first() {
        return first;
    }

    /**
     * Makes {@code entry} the pending submission of {@code slot}. Throws what the slot's code throws, and then nothing
     * was accepted.
     *
     * @return null when the lane is being retired, or these slots are forgotten: look the lane up again
     */
    @Nullable
    CoalescingSlot offer(Object slot, CoalescingSubmission entry) {
        for (; ; ) {
            CoalescingSlot found = cells.get(slot);
            CoalescingSlot cell = found != null ? found : make(slot);
            if (cell == null) {
                return null;
            }
            boolean accepted = false;
            try {
                accepted = cell.offer(entry);
            } finally {
                if (!accepted) {
                    cell.abandon(); // there was no memory for its place; else it is SEALED already
                }
            }
            if (accepted) {
                return cell;
            }
            cells.remove(slot, cell);
        }
    }

    /** Returns the cell of {@code slot}, new if there is none; null when none may be made. */
    private @Nullable CoalescingSlot make(Object slot) {
        CoalescingSlot fresh = new CoalescingSlot(lane, slot, this);
        if (!enter()) {
            return null;
        }
        CoalescingSlot other;
        try {
            other = cells.putIfAbsent(slot, fresh);
        } catch (Throwable t) { // the slot's code; or no memory, and the cell may be in the map
            fresh.abandon();
            throw t;
        }
        if (other == null) {
            return fresh;
        }
        leave();
        return other;
    }

    private boolean enter() {
        for (int n = inUse.get(); n >= 0; n = inUse.get()) {
            if (inUse.compareAndSet(n, n + 1)) {
                most = Math.max(most, n + 1);
                return true;
            }
        }
        return false;
    }

    /** Takes a cell off that the caller has SEALED for good. */
    void left(CoalescingSlot cell) {
        try {
            Object slot = cell.slot;
            boolean unused = slot != null && cells.remove(slot, cell);
        } catch (Throwable t) { // the slot's code: the next offer of the slot removes the cell
            leave();
            return;
        }
        leave();
    }

    private void leave() {
        if (inUse.decrementAndGet() != 0) {
            return;
        }
        if (most >= MANY && inUse.compareAndSet(0, FORGOTTEN)) {
            first.forgetSlots();
        }
        if (lane.isClosing()) {
            lane.tryRetire();
        }
    }

    /** Returns whether no cell is in use. */
    boolean isFree() {
        return inUse.get() <= 0;
    }

    /** Lets no more cells be made; false when one is in use. For the owner of the lane. */
    boolean seal() {
        return inUse.compareAndSet(0, RETIRED);
    }

    /** Ends {@link #seal}. */
    void unseal() {
        inUse.compareAndSet(RETIRED, 0);
    }

    /** Returns about how many submissions the pending ones have replaced. */
    long estimatedReplaced() {
        long sum = 0;
        for (CoalescingSlot cell : cells.values()) {
            sum += cell.ownReplaced();
        }
        return sum;
    }
}
