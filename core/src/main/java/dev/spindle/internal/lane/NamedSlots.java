// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The named coalescing slots of a lane, with a cell for each slot in use. */
final class NamedSlots {
    /*
     * field  writers                   readers  mode
     * cells  offers, sealers of cells  all      ConcurrentHashMap: get, putIfAbsent, two-argument remove
     * inUse  offers, sealers, the      all      atomic: the number of cells in use; or RETIRED, FORGOTTEN
     *        lane's retirement
     * most   offers                    all      plain, racy: about the most that were in use at once
     *
     * NamedSlots-1  A cell is counted in `inUse` before it is put into the map, and uncounted by the thread that has
     *     made the cell SEALED. So `inUse` is not 0 while a cell accepts offers.
     * NamedSlots-2  A retirement changes `inUse` from 0 to RETIRED by a CAS. Afterwards no cell can be made, so a lane
     *     dies without a cell in use (CoalescingSlot-2). A thread that decrements `inUse` to 0 checks CLOSING, since
     *     its cell may have made a retirement fail.
     * NamedSlots-3  The thread that has sealed a cell, or an offer that finds the sealed cell, removes the cell from
     *     the map.
     * NamedSlots-4  A ConcurrentHashMap does not shrink. So if very many cells were in use at once, the thread that
     *     removes the last cell changes `inUse` from 0 to FORGOTTEN and drops this object. A later offer to this object
     *     fails, and looks the slots up again.
     *
     * Tests: SlotContractTest, NamedSlotsLincheckTest; jcstress SealAgainstNamedSlot.
     */
    private static final int RETIRED = -1;
    private static final int FORGOTTEN = -2;
    /** The number of cells in use at once after which this object is dropped when it is empty. Not measured. */
    private static final int MANY = 256;

    private final LaneCore lane;
    private final CoalescingSlot first;
    private final ConcurrentHashMap<Object, CoalescingSlot> cells = new ConcurrentHashMap<>();
    private final AtomicInteger inUse = new AtomicInteger();
    private int most;

    /** Creates the named slots of a lane whose first cell is {@code first}. */
    NamedSlots(LaneCore lane, CoalescingSlot first) {
        this.lane = lane;
        this.first = first;
    }

    /** Returns the first cell of the lane. */
    CoalescingSlot first() {
        return first;
    }

    /**
     * Makes {@code entry} the pending submission of {@code slot}, and returns the cell. If the slot's code (hashCode,
     * equals) throws, nothing was accepted.
     *
     * @return null if the lane is being retired, or these slots were dropped; the caller looks the lane up again
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
                    cell.abandon(); // needed if the offer threw: a cell that refuses is SEALED already
                }
            }
            if (accepted) {
                return cell;
            }
            cells.remove(slot, cell);
        }
    }

    /** Returns the cell of {@code slot}, which is made if needed, or null if no cell can be made. */
    private @Nullable CoalescingSlot make(Object slot) {
        CoalescingSlot fresh = new CoalescingSlot(lane, slot, this);
        if (!enter()) { // NamedSlots-1
            return null;
        }
        CoalescingSlot other;
        try {
            other = cells.putIfAbsent(slot, fresh);
        } catch (Throwable t) { // thrown by the slot's code, or by the map, which may have inserted the cell
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

    /** Removes and uncounts a cell that the caller has made SEALED. */
    void left(CoalescingSlot cell) {
        try {
            Object slot = cell.slot;
            boolean unused = slot != null && cells.remove(slot, cell); // NamedSlots-3
        } catch (Throwable t) { // thrown by the slot's code: the next offer of the slot removes the cell
            leave();
            return;
        }
        leave();
    }

    private void leave() {
        if (inUse.decrementAndGet() != 0) {
            return;
        }
        if (most >= MANY && inUse.compareAndSet(0, FORGOTTEN)) { // NamedSlots-4
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

    /** Prevents the creation of cells. Returns false if a cell is in use. Called by the owner of the lane. */
    boolean seal() {
        return inUse.compareAndSet(0, RETIRED); // NamedSlots-2
    }

    /** Ends {@link #seal}. */
    void unseal() {
        inUse.compareAndSet(RETIRED, 0);
    }

    /**
     * Returns an estimate of the number of submissions that the pending submissions of the named slots have replaced.
     */
    long estimatedReplaced() {
        long sum = 0;
        for (CoalescingSlot cell : cells.values()) {
            sum += cell.ownReplaced();
        }
        return sum;
    }
}
