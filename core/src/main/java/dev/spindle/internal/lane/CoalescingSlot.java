// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The cell of a coalescing slot of a lane. The cell holds the latest submission until the submission runs or is
 * withdrawn.
 */
public final class CoalescingSlot implements CoalescingSubmission.Cell {
    /*
     * The submitters of a slot and the turns of the lane synchronize through the field `latest`.
     *
     * value of `latest`  meaning                                         leaves it
     * null               nothing pending, no task of this cell in lane   offer -> entry, seal, abandon -> SEALED
     * entry              pending, one task of this cell in the lane,     offer -> newer entry, take -> null,
     *                    or about to be pushed by the offer that         or SEALED, withdraw -> EMPTY
     *                    found null
     * EMPTY              withdrawn, its task still in the lane           offer -> entry, take or pass -> null or SEALED
     * SEALED             the lane is being retired, or this cell is of   unseal -> null; stays in a dead lane, and in
     *                    a named slot that no longer uses it             the cell of a named slot
     *
     * CoalescingSlot-1  At most one task of a cell is in its lane: an offer pushes the task only if it has changed null
     *     into an entry. Only the lane's owner, when it takes or passes the task, makes the cell null again, or SEALED
     *     in a named slot.
     * CoalescingSlot-2  A lane dies only if its first cell is SEALED and no cell of a named slot is in use. A cell with
     *     an entry cannot be sealed. An offer publishes or finds its cell and then reads the gate; a retirement seals
     *     the gate and then reads the cells. So the offer sees the seal, or the retirement sees the cell, and an offer
     *     never pushes to a dead lane.
     * CoalescingSlot-3  Each accepted entry is either superseded, taken or withdrawn, by the one read-modify-write that
     *     removes it.
     * CoalescingSlot-4  A newer entry takes the position of the older entry in the lane.
     * CoalescingSlot-5  An entry is superseded only after the push of its task. Otherwise a submit could return before
     *     its lane has the task, and the next task of the same submitter could overtake the entry (K3). `setCount(0)`
     *     announces the push. An offer that finds an entry before this announcement waits; turns never wait.
     * CoalescingSlot-6  The default slot uses the first cell until the lane is dead; a named slot has a cell while the
     *     slot is in use (NamedSlots). When the task of a named slot leaves the lane, the cell of that slot becomes
     *     SEALED and stays SEALED. An offer that finds a SEALED cell makes another cell, so a slot has at most one cell
     *     that accepts entries.
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
    private volatile long superseded; // used in the first cell, for all slots
    private volatile @Nullable NamedSlots slots; // null in the first cell of a lane without named slots

    /** Creates the first cell of a lane, which the default slot uses. */
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

    /** Returns the lane of this cell. */
    public LaneCore lane() {
        return lane;
    }

    /**
     * Returns the named slots of the lane, which are made if needed. Called on the first cell, or on the cell of a
     * named slot.
     */
    NamedSlots slots() {
        NamedSlots found = slots;
        if (found != null) {
            return found;
        }
        NamedSlots fresh = new NamedSlots(lane, this);
        return SLOTS.compareAndSet(this, null, fresh) ? fresh : slots();
    }

    /** Drops the named slots (NamedSlots-4), so that the next offer makes new ones. Called on the first cell. */
    void forgetSlots() {
        slots = null;
    }

    /**
     * Makes {@code entry} the pending submission of this slot.
     *
     * @return false if the lane is being retired or dead, or the slot no longer uses this cell; the caller looks the
     *     lane and the cell up again
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
                node = new Node(new SlotTask(this)); // before the CAS, after which a failure would lose the entry
            }
            CoalescingSubmission older = current == EMPTY ? null : current;
            if (older != null && !older.hasPlace()) { // CoalescingSlot-5
                Thread.yield(); // the submitter of `older` has not announced its push
                continue;
            }
            if (current == null) {
                entry.setCount(CoalescingSubmission.WITHOUT_PLACE);
            } else {
                entry.replaces(older);
            }
            if (swap(current, entry)) { // CoalescingSlot-3
                if (older != null) {
                    older.superseded(); // M2
                } else if (current == null && node != null) {
                    lane.pushCell(node, entry);
                }
                return true;
            }
        }
    }

    /** Takes and returns the pending submission, or returns null if there is none. Called by the owner of the lane. */
    @Nullable
    CoalescingSubmission take() {
        CoalescingSubmission entry = (CoalescingSubmission) LATEST.getAndSet(this, vacant()); // CoalescingSlot-3
        if (entry == null || entry == SEALED) {
            return null;
        }
        left(); // NamedSlots-1
        if (entry == EMPTY) {
            return null;
        }
        countReplaced(entry);
        return entry;
    }

    /** Returns the value of a cell whose task has left the lane (CoalescingSlot-6). */
    private @Nullable CoalescingSubmission vacant() {
        return slot == null ? null : SEALED; // CoalescingSlot-6
    }

    private void left() {
        if (slot != null) {
            slots().left(this);
        }
    }

    /**
     * Seals this cell of a named slot if the cell has neither a submission nor a task in the lane. Called by an offer
     * to the slot that has failed.
     */
    void abandon() {
        if (swap(null, SEALED)) {
            left();
        }
    }

    private void countReplaced(CoalescingSubmission entry) {
        long replaced = entry.replaced();
        if (replaced > 0) {
            SUPERSEDED.getAndAdd(slot == null ? this : slots().first(), replaced);
            lane.space.table.countSuperseded(replaced);
        }
    }

    /** Withdraws and returns the pending submission, or returns null if there is none. */
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

    @Override
    public boolean withdraw(CoalescingSubmission entry) {
        if (!swap(entry, EMPTY)) { // CoalescingSlot-1, CoalescingSlot-3
            return false;
        }
        countReplaced(entry);
        lane.space.table.countWithdrawn(1);
        return true;
    }

    @Override
    public boolean holds(CoalescingSubmission entry) {
        return latest == entry;
    }

    /** Returns true if this cell has neither a submission nor a task in the lane. */
    private boolean isFree() {
        CoalescingSubmission current = latest;
        return current == null || current == SEALED;
    }

    boolean isPending() {
        CoalescingSubmission current = latest;
        return current != null && current != EMPTY && current != SEALED;
    }

    /** Returns an estimate of the number of superseded submissions of all slots. Called on the first cell. */
    long estimatedSuperseded() {
        return superseded + estimatedReplaced();
    }

    /**
     * Returns an estimate of the number of submissions that the pending submissions of all slots have replaced. Called
     * on the first cell.
     */
    long estimatedReplaced() {
        NamedSlots named = slots;
        return ownReplaced() + (named == null ? 0 : named.estimatedReplaced());
    }

    /** Returns an estimate of the number of submissions that the pending submission of this slot has replaced. */
    long ownReplaced() {
        CoalescingSubmission current = latest;
        return current == null ? 0 : current.replaced();
    }

    /** Returns true if no slot of the lane is in use. Called on the first cell. */
    boolean allFree() {
        NamedSlots named = slots;
        return isFree() && (named == null || named.isFree());
    }

    private boolean swap(@Nullable CoalescingSubmission from, @Nullable CoalescingSubmission to) {
        return LATEST.compareAndSet(this, from, to);
    }

    /**
     * Seals all slots of the lane. Returns false if a slot is in use; some slots may then be sealed. Called on the
     * first cell.
     */
    boolean sealAll() {
        if (!swap(null, SEALED)) {
            return false;
        }
        NamedSlots named = slots;
        return named == null || named.seal();
    }

    /** Ends {@link #sealAll}. */
    void unsealAll() {
        swap(SEALED, null); // CoalescingSlot-2
        NamedSlots named = slots;
        if (named != null) {
            named.unseal();
        }
    }

    /** The mailbox entry of a cell. */
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
            // If the CAS fails, the cell holds an entry, which keeps this position in the lane.
            // CoalescingSlot-4
            boolean passed = cell.swap(EMPTY, cell.vacant());
            if (passed) {
                cell.left();
            }
            return passed;
        }
    }

    private static final class Sentinel implements CoalescingSubmission {
        @Override
        public void setCount(long replaced) {
            throw new AssertionError("a sentinel replaces no other");
        }

        @Override
        public long count() {
            return 0;
        }

        @Override
        public void superseded() {
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
