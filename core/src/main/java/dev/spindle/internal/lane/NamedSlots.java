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
     *     SEALED the cell for good. So `inUse` is not 0 while a thread can offer to a cell.
     * NamedSlots-2  A retirement changes `inUse` from 0 to RETIRED by a CAS. After that no cell is made, so a lane dies
     *     without a cell in use (CoalescingSlot-2), and a later offer looks the lane up again. A thread that lowers
     *     `inUse` to 0 outside a turn checks CLOSING, since its cell may have made a retirement fail.
     * NamedSlots-3  The thread that has sealed a cell, or an offer that finds the sealed cell, removes it from the map.
     * NamedSlots-4  When the last of very many cells has left, a CAS from 0 to FORGOTTEN drops this object, since the
     *     map does not shrink. An offer that still uses this object is refused, and looks the slots up again.
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
     * Makes {@code entry} the pending submission of {@code slot}. Throws what the slot's code throws; then nothing was
     * accepted.
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
                    cell.abandon(); // the cell is SEALED already unless the offer has thrown
                }
            }
            if (accepted) {
                return cell;
            }
            cells.remove(slot, cell);
        }
    }

    /** Returns the cell of {@code slot}, which is made if needed; null if no cell may be made. */
    private @Nullable CoalescingSlot make(Object slot) {
        CoalescingSlot fresh = new CoalescingSlot(lane, slot, this);
        if (!enter()) { // NamedSlots-1
            return null;
        }
        CoalescingSlot other;
        try {
            other = cells.putIfAbsent(slot, fresh);
        } catch (Throwable t) { // thrown by the slot's code, or by the map, which may have the cell
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

    /** Removes and uncounts a cell that the caller has SEALED for good. */
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

    /** Prevents the making of cells; false if a cell is in use. For the owner of the lane. */
    boolean seal() {
        return inUse.compareAndSet(0, RETIRED); // NamedSlots-2
    }

    /** Ends {@link #seal}. */
    void unseal() {
        inUse.compareAndSet(RETIRED, 0);
    }

    /** Returns an estimate of the number of submissions that the pending submissions replaced. */
    long estimatedReplaced() {
        long sum = 0;
        for (CoalescingSlot cell : cells.values()) {
            sum += cell.ownReplaced();
        }
        return sum;
    }
}
