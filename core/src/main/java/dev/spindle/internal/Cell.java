// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** One coalescing slot of a lane: holds the latest submission until the lane comes to it. */
public final class Cell {
    /*
     * All submitters of a slot and the lane's turns meet in one field.
     *
     * value of `latest`  meaning                                         leaves it
     * null               nothing pending, no task of this cell in lane   offer -> entry, seal -> SEALED
     * entry              pending, one task of this cell in the lane,     offer -> newer entry, take -> null,
     *                    or about to be pushed by the offer that         withdraw -> EMPTY
     *                    found null
     * EMPTY              withdrawn, its task still in the lane           offer -> entry, take or pass -> null
     * SEALED             the lane is being retired                       unseal -> null; or for ever, in a dead lane
     *
     * C1  At most one task of a cell is in its lane: only the offer that changed null into an entry pushes one, and
     *     null comes back only when the lane's owner takes that one.
     * C2  A lane dies only with all its cells SEALED, and an entry keeps a cell from being sealed. An offer that has found
     *     or added its cell looks at the gate before it uses it: either it sees the seal of the retirement and gives up, or
     *     the retirement, which seals the gate before it walks the cells, sees the cell. So the push of C1 never meets a
     *     dead lane, and every entry that offer accepted is taken, withdrawn or superseded.
     * C3  An entry is superseded, taken or withdrawn by the one read-modify-write that removed it: exactly one of them.
     * C4  The newer entry stands in the place of the older one, so it keeps its place in the lane.
     * C5  Only an entry whose place is in the lane is superseded: else its successor's submitter could go on, and what it
     *     submits next be in the lane first (K3). The offer that changed null says when the place is there; one that finds
     *     its entry before waits those few instructions. What runs in a place was in the lane, so turns never wait.
     *
     * Tests: CellLincheckTest; jcstress CoalesceAgainstRun, CoalesceThenSubmit, WithdrawAgainstCoalesce, SealAgainstOffer.
     */
    private static final VarHandle LATEST;
    private static final VarHandle SUPERSEDED;
    private static final Latest EMPTY = new Sentinel();
    private static final Latest SEALED = new Sentinel();

    static {
        try {
            LATEST = MethodHandles.lookup().findVarHandle(Cell.class, "latest", Latest.class);
            SUPERSEDED = MethodHandles.lookup().findVarHandle(Cell.class, "superseded", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LaneCore lane;
    private final @Nullable Object slot;
    final @Nullable Cell next;
    private volatile @Nullable Latest latest;
    private volatile long superseded;

    Cell(LaneCore lane, @Nullable Object slot, @Nullable Cell next) {
        this.lane = lane;
        this.slot = slot;
        this.next = next;
    }

    /**
     * Makes {@code entry} the pending submission of this slot.
     *
     * @return false when the lane is being retired: look the lane up again
     */
    boolean offer(Latest entry) {
        Node node = null;
        entry.offeredTo(this);
        for (; ; ) {
            Latest current = latest;
            if (current == SEALED) {
                return false;
            }
            if (current == null && node == null) {
                node = new Node(new LatestTask(this)); // before the CAS: a failed allocation leaves nothing behind
            }
            Latest older = current == EMPTY ? null : current;
            if (older != null && !older.hasPlace()) {
                Thread.yield(); // its submitter is between two instructions, or not running just now (C5)
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
    Latest take() {
        Latest entry = (Latest) LATEST.getAndSet(this, null);
        if (entry == EMPTY || entry == null) {
            return null;
        }
        countReplaced(entry);
        return entry;
    }

    private void countReplaced(Latest entry) {
        long replaced = entry.replaced();
        if (replaced > 0) {
            SUPERSEDED.getAndAdd(this, replaced);
            lane.table.countSuperseded(replaced);
        }
    }

    /** Takes the pending submission away, whichever it is. */
    @Nullable
    Latest withdraw() {
        for (; ; ) {
            Latest current = latest;
            if (current == null || current == EMPTY || current == SEALED) {
                return null;
            }
            if (withdraw(current)) {
                return current;
            }
        }
    }

    /** Takes {@code entry} away if it is still the pending submission. */
    public boolean withdraw(Latest entry) {
        if (!swap(entry, EMPTY)) {
            return false;
        }
        countReplaced(entry);
        lane.table.countWithdrawn(1);
        return true;
    }

    /** Returns whether {@code entry} is the pending submission. */
    public boolean holds(Latest entry) {
        return latest == entry;
    }

    /** Returns whether no task of this cell is in the lane, on its way there, or in a canceller's hands. */
    private boolean isFree() {
        Latest current = latest;
        return current == null || current == SEALED;
    }

    boolean isPending() {
        Latest current = latest;
        return current != null && current != EMPTY && current != SEALED;
    }

    /** Returns about how many submissions of the cells from {@code first} on were superseded. */
    static long estimatedSuperseded(@Nullable Cell first) {
        long sum = 0;
        for (Cell c = first; c != null; c = c.next) {
            Latest current = c.latest;
            sum += c.superseded + (current == null ? 0 : current.replaced());
        }
        return sum;
    }

    /** Returns about how many submissions the pending ones of the cells from {@code first} on have replaced. */
    static long estimatedReplaced(@Nullable Cell first) {
        long sum = 0;
        for (Cell c = first; c != null; c = c.next) {
            Latest current = c.latest;
            sum += current == null ? 0 : current.replaced();
        }
        return sum;
    }

    /** Returns the cell of {@code slot} in the list that begins with {@code first}, or null. */
    static @Nullable Cell find(@Nullable Cell first, @Nullable Object slot) {
        for (Cell c = first; c != null; c = c.next) {
            if (c.slot == null ? slot == null : c.slot.equals(slot)) {
                return c;
            }
        }
        return null;
    }

    /** Returns whether all cells from {@code first} on are free. */
    static boolean allFree(@Nullable Cell first) {
        for (Cell c = first; c != null; c = c.next) {
            if (!c.isFree()) {
                return false;
            }
        }
        return true;
    }

    /** In one place, so that it is linked when the first entry is offered (Rehearsal). */
    private boolean swap(@Nullable Latest from, @Nullable Latest to) {
        return LATEST.compareAndSet(this, from, to);
    }

    /** Keeps offers out of the cells from {@code first} on; false, with some of them sealed, when one is not empty. */
    static boolean sealAll(@Nullable Cell first) {
        for (Cell c = first; c != null; c = c.next) {
            if (!c.swap(null, SEALED)) {
                return false;
            }
        }
        return true;
    }

    /** Ends {@link #sealAll}. */
    static void unsealAll(@Nullable Cell first) {
        for (Cell c = first; c != null; c = c.next) {
            c.swap(SEALED, null);
        }
    }

    /** Stands for a cell in the lane's mailbox. */
    static final class LatestTask extends LateTask {
        private final Cell cell;

        LatestTask(Cell cell) {
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
        boolean passWithdrawn() {
            return cell.swap(EMPTY, null); // else it may become an entry again, in this place (C4)
        }
    }

    private static final class Sentinel extends Latest {
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
