// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** One coalescing slot of a lane: holds the latest submission until the lane comes to it. */
public final class CoalescingSlot {
    /*
     * All submitters of a slot and the lane's turns meet in one field.
     *
     * value of `latest`  meaning                                         leaves it
     * null               nothing pending, no task of this cell in lane   offer -> entry, seal, abandon -> SEALED
     * entry              pending, one task of this cell in the lane,     offer -> newer entry, take -> null,
     *                    or about to be pushed by the offer that         or SEALED, withdraw -> EMPTY
     *                    found null
     * EMPTY              withdrawn, its task still in the lane           offer -> entry, take or pass -> null or SEALED
     * SEALED             the lane is being retired, or this cell is of   unseal -> null; stays in a dead lane, and in
     *                    a named slot that has no use for it any more    the cell of a named slot
     *
     * CoalescingSlot-1  At most one task of a cell is in its lane: only the offer that changed null into an entry
     *     pushes one, and null comes back only when the lane's owner takes that one; in a named slot, SEALED comes
     *     instead (CoalescingSlot-6).
     * CoalescingSlot-2  A lane dies only with its first cell SEALED and no cell of a named slot in use, and an entry
     *     keeps a cell from being sealed. An offer that has found or added the first cell, or the named slots, looks at
     *     the gate before it uses them: either it sees the seal of the retirement and gives up, or the retirement,
     *     which seals the gate first, sees them. So the push of CoalescingSlot-1 never meets a dead lane, and every
     *     entry that offer accepted is taken, withdrawn or superseded.
     * CoalescingSlot-3  An entry is superseded, taken or withdrawn by the one read-modify-write that removed it:
     *     exactly one of them.
     * CoalescingSlot-4  The newer entry stands in the place of the older one, so it keeps its place in the lane.
     * CoalescingSlot-5  Only an entry whose place is in the lane is superseded: else its successor's submitter could go
     *     on, and what it submits next be in the lane first (K3). The offer that changed null says when the place is
     *     there; one that finds its entry before waits those few instructions. What runs in a place was in the lane, so
     *     turns never wait.
     *
     * CoalescingSlot-6  The default slot has the first cell, as long as the lane lives. A named slot has a cell while
     *     it is in use (NamedSlots): the step by which its last entry leaves the lane seals the cell for good, and an
     *     offer that comes to it makes another. So what is pending of a slot is in one cell, and a slot that nobody
     *     uses keeps nothing.
     *
     * Tests: CoalescingSlotLincheckTest, NamedSlotsLincheckTest; jcstress CoalesceAgainstRun, CoalesceThenSubmit,
     * WithdrawAgainstCoalesce, SealAgainstOffer.
     */
    private static final VarHandle LATEST;
    private static final VarHandle SUPERSEDED;
    private static final VarHandle SLOTS;
    private static final CoalescingSubmission EMPTY = new Sentinel();
    private static final CoalescingSubmission SEALED = new Sentinel();

    static {
        try {
            LATEST = MethodHandles.lookup().findVarHandle(CoalescingSlot.class, "latest", CoalescingSubmission.class);
            SUPERSEDED = MethodHandles.lookup().findVarHandle(CoalescingSlot.class, "superseded", long.class);
            SLOTS = MethodHandles.lookup().findVarHandle(CoalescingSlot.class, "slots", NamedSlots.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LaneCore lane;
    final @Nullable Object slot;
    private volatile @Nullable CoalescingSubmission latest;
    private volatile long superseded; // of all slots, in the first cell
    private volatile @Nullable NamedSlots
            slots; // here, since most lanes have no named ones; in the first cell it may be null

    /** Creates the first cell of a lane, that of the default slot. */
    CoalescingSlot(LaneCore lane) {
        this.lane = lane;
        slot = null;
    }

    /** Creates the cell of a named slot. */
    CoalescingSlot(LaneCore lane, Object slot, NamedSlots slots) {
        this.lane = lane;
        this.slot = slot;
        this.slots = slots;
    }

    /** Returns the named slots of the lane. */
    NamedSlots slots() {
        NamedSlots found = slots;
        if (found != null) {
            return found;
        }
        NamedSlots fresh = new NamedSlots(lane, this);
        return SLOTS.compareAndSet(this, null, fresh) ? fresh : slots();
    }

    /** Forgets named slots that are sealed for good, so that the next offer makes others. In the first cell. */
    void forgetSlots() {
        slots = null;
    }

    /**
     * Makes {@code entry} the pending submission of this slot.
     *
     * @return false when the lane is being retired, or the slot has no use for this cell any more: look up again
     */
    boolean offer(CoalescingSubmission entry) {
        Node node = null;
        entry.offeredTo(this);
        for (; ; ) {
            CoalescingSubmission current = latest;
            if (current == SEALED) {
                return false;
            }
            if (current == null && node == null) {
                node = new Node(new SlotTask(this)); // before the CAS: a failed allocation leaves nothing behind
            }
            CoalescingSubmission older = current == EMPTY ? null : current;
            if (older != null && !older.hasPlace()) {
                Thread.yield(); // its submitter is between two instructions, or not running just now (CoalescingSlot-5)
                continue;
            }
            if (current == null) {
                entry.withoutPlace();
            } else {
                entry.replaces(older);
            }
            if (swap(current, entry)) {
                if (older != null) {
                    older.superseded();
                } else if (current == null && node != null) {
                    lane.pushCell(node, entry);
                }
                return true;
            }
        }
    }

    /** Takes the pending submission to run it; null when it was withdrawn. For the owner of the lane's turn. */
    @Nullable
    CoalescingSubmission take() {
        CoalescingSubmission entry = (CoalescingSubmission) LATEST.getAndSet(this, vacant());
        if (entry == null || entry == SEALED) {
            return null;
        }
        left();
        if (entry == EMPTY) {
            return null;
        }
        countReplaced(entry);
        return entry;
    }

    /** Returns what is in the cell when its task has left the lane (CoalescingSlot-6). */
    private @Nullable CoalescingSubmission vacant() {
        return slot == null ? null : SEALED;
    }

    private void left() {
        if (slot != null) {
            slots().left(this);
        }
    }

    /** Ends the cell of a named slot that an offer has made or found and could not use. */
    void abandon() {
        if (swap(null, SEALED)) {
            left();
        }
    }

    private void countReplaced(CoalescingSubmission entry) {
        long replaced = entry.replaced();
        if (replaced > 0) {
            SUPERSEDED.getAndAdd(slot == null ? this : slots().first(), replaced);
            lane.table.countSuperseded(replaced);
        }
    }

    /** Takes the pending submission away, whichever it is. */
    @Nullable
    CoalescingSubmission withdraw() {
        for (; ; ) {
            CoalescingSubmission current = latest;
            if (current == null || current == EMPTY || current == SEALED) {
                return null;
            }
            if (withdraw(current)) {
                return current;
            }
        }
    }

    /** Takes {@code entry} away if it is still the pending submission. */
    public boolean withdraw(CoalescingSubmission entry) {
        if (!swap(entry, EMPTY)) {
            return false;
        }
        countReplaced(entry);
        lane.table.countWithdrawn(1);
        return true;
    }

    /** Returns whether {@code entry} is the pending submission. */
    public boolean holds(CoalescingSubmission entry) {
        return latest == entry;
    }

    /** Returns whether no task of this cell is in the lane, on its way there, or in a canceller's hands. */
    private boolean isFree() {
        CoalescingSubmission current = latest;
        return current == null || current == SEALED;
    }

    boolean isPending() {
        CoalescingSubmission current = latest;
        return current != null && current != EMPTY && current != SEALED;
    }

    /** Returns about how many submissions of all slots were superseded. In the first cell. */
    long estimatedSuperseded() {
        return superseded + estimatedReplaced();
    }

    /** Returns about how many submissions the pending ones of all slots have replaced. In the first cell. */
    long estimatedReplaced() {
        NamedSlots named = slots;
        return ownReplaced() + (named == null ? 0 : named.estimatedReplaced());
    }

    /** Returns about how many submissions the pending one of this slot has replaced. */
    long ownReplaced() {
        CoalescingSubmission current = latest;
        return current == null ? 0 : current.replaced();
    }

    /** Returns whether this cell is free, and no named slot in use. In the first cell. */
    boolean allFree() {
        NamedSlots named = slots;
        return isFree() && (named == null || named.isFree());
    }

    /** In one place, so that it is linked when the first entry is offered (VarHandleWarmup). */
    private boolean swap(@Nullable CoalescingSubmission from, @Nullable CoalescingSubmission to) {
        return LATEST.compareAndSet(this, from, to);
    }

    /** Keeps offers out of all slots; false, with some of them sealed, when one is in use. In the first cell. */
    boolean sealAll() {
        if (!swap(null, SEALED)) {
            return false;
        }
        NamedSlots named = slots;
        return named == null || named.seal();
    }

    /** Ends {@link #sealAll}. */
    void unsealAll() {
        swap(SEALED, null);
        NamedSlots named = slots;
        if (named != null) {
            named.unseal();
        }
    }

    /** Stands for a cell in the lane's mailbox. */
    static final class SlotTask extends DeferredTask {
        private final CoalescingSlot cell;

        SlotTask(CoalescingSlot cell) {
            this.cell = cell;
        }

        @Override
        @Nullable
        Runnable take() {
            return cell.take();
        }

        @Override
        public @Nullable Runnable withdraw() {
            return cell.withdraw();
        }

        @Override
        boolean isPending() {
            return cell.isPending();
        }

        @Override
        boolean letsPass() {
            // else it may become an entry again, in this place (CoalescingSlot-4)
            boolean passed = cell.swap(EMPTY, cell.vacant());
            if (passed) {
                cell.left();
            }
            return passed;
        }
    }

    private static final class Sentinel extends CoalescingSubmission {
        @Override
        protected void superseded() {
            throw new AssertionError("a sentinel is never superseded");
        }

        @Override
        public Runnable userTask() {
            throw new AssertionError("a sentinel is never run");
        }

        @Override
        public void withdrawn() {
            throw new AssertionError("a sentinel is never withdrawn");
        }

        @Override
        public void run() {
            throw new AssertionError("a sentinel is never run");
        }
    }
}
