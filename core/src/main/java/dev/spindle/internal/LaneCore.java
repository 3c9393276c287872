// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A lane: a mailbox of tasks that run one at a time, in order, on the workers of a {@link Scheduler}. Its whole
 * scheduling state is one atomic word.
 */
public final class LaneCore extends LaneGate {
    /*
     * The word is IDLE, BUSY, DEAD, or the newest of a chain of nodes linked by `older`.
     *
     *   IDLE  nothing to do                       -> chain (push: the lane is made ready), BUSY (retire)
     *   BUSY  ready, in a turn, or parked, and    -> chain (push), IDLE (end of turn), DEAD (retire)
     *         no new tasks
     *   chain BUSY, with new tasks                -> longer chain (push), BUSY (taken by the turn, or by cancelPending)
     *   DEAD  removed for ever
     *
     * Whoever changed IDLE into something else owns the lane and must see that it gets a turn; ownership passes to the
     * scheduler with ready(), from there to the thread that runs the turn, and ends with BUSY -> IDLE or DEAD. The
     * gate (LaneGate) tells an owner to keep out: pauses and an open async task hold the lane. An owner that finds the gate
     * held parks the lane and leaves; ownership then lies with the gate until the last hold ends.
     *
     * field       writers                      readers         mode
     * word        all                          all             volatile, CAS
     * batch       owner                        all             release or opaque write, acquire read; see L6
     * cells       submitters                   all             volatile, CAS (push on a list)
     * runner      owner                        all             release write, volatile read
     * since       the pusher of a first node   all             plain, racy: for statistics
     * stamp       owner, before IDLE           table's sweep   plain, ordered by the word
     *
     * L1  At most one owner at any time, so turns never overlap (K2).
     * L2  A push that changed IDLE makes the lane ready; no other push does (T6). A lane that is not IDLE has an owner,
     *     who does not give it up before BUSY -> IDLE succeeds, that is with an empty mailbox. So no task is left
     *     behind and no wake-up is lost.
     * L3  The owner takes the whole chain, turns it round into a batch, and ends the batch before it takes another; a
     *     chain of one it runs at once. Chains hold nodes in the order of their pushes. So tasks run in that order (K3).
     * L4  A push is a CAS of the word that the taking CAS reads, and BUSY -> IDLE -> node is read-modify-write
     *     throughout: a release sequence. So what happens before a push happens-before the task, and each turn
     *     happens-before the next (K4). Removal passes through the word and the table's map.
     * L5  DEAD is reached only from BUSY, by the owner, with the gate and all cells sealed. Pushes, pauses and coalescing
     *     submits therefore either come before (and the retirement fails) or find the lane dead or sealed and look the
     *     key up again (K7). No counter, no ABA: a node is pushed once, DEAD is final.
     * L6  What is in the word is taken by a CAS of the word, what is in a batch by moving its index (B1): by the owner or by
     *     cancelPending, never by both. TAKING is written before a chain is taken, so a canceller that saw the word
     *     emptied by the owner waits the few instructions until the batch is there, and misses no task that was pending
     *     when it began. Without memory for a batch, the owner takes tasks from the far end of the chain, each by its
     *     node (takeOldest), and so does cancelPending with the chains that it took.
     *
     * Tests: LaneCoreTest, LaneLincheckTest; jcstress SubmitAgainstDrain, IdleAgainstDead, CoalesceAgainstRun.
     * Derived from the mailbox with a scheduled bit that actors use; what differs is that state and queue are one word.
     */
    private static final Node IDLE = new Node(null);
    private static final @Nullable Node BUSY = null; // what a turn writes most often: null costs a collector nothing
    private static final Node DEAD = new Node(null);
    private static final Batch TAKING = new Batch(0); // here, so that its class is there before memory runs out

    /** How many tasks a lane runs before it yields to other ready work. */
    public static final int QUANTUM = 32;

    private static final VarHandle WORD;
    private static final VarHandle BATCH;
    private static final VarHandle CELLS;
    private static final VarHandle RUNNER;

    static {
        try {
            var lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(LaneCore.class, "word", Node.class);
            BATCH = lookup.findVarHandle(LaneCore.class, "batch", Batch.class);
            CELLS = lookup.findVarHandle(LaneCore.class, "cells", Cell.class);
            RUNNER = lookup.findVarHandle(LaneCore.class, "runner", Runner.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LaneTable table;
    private final Object key;
    private final @Nullable Semaphore places;
    private volatile @Nullable Node word = IDLE;
    private @Nullable Batch batch;
    private volatile @Nullable Cell cells;

    @SuppressWarnings("UnusedVariable") // read through RUNNER
    private @Nullable Runner runner;

    private int since; // milliseconds of the scheduler's clock
    int stamp; // the table's epoch when the lane was last used

    LaneCore(LaneTable table, Object key, @Nullable Semaphore places) {
        this.table = table;
        this.key = key;
        this.places = places;
    }

    /** Returns the key of this lane. */
    public Object key() {
        return key;
    }

    /** Returns the places of a bounded lane, or null when it has no bound of its own. */
    public @Nullable Semaphore places() {
        return places;
    }

    // ---------------------------------------------------------------- submit

    /**
     * Accepts a task at the end of the lane.
     *
     * @return false when the lane is dead: look the key up again
     * @throws NoThreadException if no worker exists and none could be started; the task was not accepted
     */
    public boolean push(Node node) {
        Node w = chain(node);
        if (w == DEAD) {
            return false;
        }
        if (w == IDLE && !makeReady() && table.scheduler.takeBack(this)) {
            refuse(node);
        }
        return true;
    }

    /**
     * Pushes the node of a cell that has just become pending with {@code entry}; the lane cannot be dead (C2).
     *
     * @throws NoThreadException if no worker exists and none could be started; the entry was not accepted
     */
    void pushCell(Node node, Cell cell, Latest entry) {
        if (chain(node) != IDLE || makeReady() || !table.scheduler.takeBack(this)) {
            return;
        }
        if (!WORD.compareAndSet(this, node, BUSY)) {
            table.scheduler.ready(this); // others pushed meanwhile: the next submit tries again for a thread
            return;
        }
        Latest taken = cell.take();
        if (!finish()) {
            table.scheduler.ready(this);
        }
        if (taken == entry) {
            throw new NoThreadException();
        }
        if (taken != null && !cell.offer(taken)) { // a newer one has replaced the entry and must not be lost
            taken.withdrawn();
        }
    }

    /** Puts {@code node} on top of the word and returns what was there. */
    private @Nullable Node chain(Node node) {
        for (; ; ) {
            Node w = word;
            if (w == DEAD) {
                return DEAD;
            }
            Node older = w == IDLE ? null : w;
            node.older = older;
            node.depth = older == null ? 1 : older.depth + 1;
            if (WORD.compareAndSet(this, w, node)) {
                if (w == BUSY && BATCH.getOpaque(this) == null) {
                    since = millis(table.scheduler.recentNanos());
                }
                return w;
            }
        }
    }

    @Override
    boolean makeReady() {
        boolean served = table.scheduler.ready(this);
        since = millis(table.scheduler.recentNanos()); // after ready(), which sets a stale clock right
        return served;
    }

    /** Refuses a task that no thread will ever see to. The scheduler gave the lane back: this thread owns it. */
    private void refuse(Node node) {
        Runnable withdrawn = node.withdraw();
        boolean alone = WORD.compareAndSet(this, node, BUSY);
        if (!alone || !finish()) {
            table.scheduler.ready(this); // others pushed meanwhile: the next submit tries again for a thread
        }
        reach(alone && node instanceof MarkerNode marker ? marker.take() : null); // nothing was before it
        if (withdrawn != null) {
            throw new NoThreadException();
        }
    }

    /** Makes {@code entry} the pending submission of {@code slot}; null when the lane is being retired. */
    public @Nullable Cell offer(@Nullable Object slot, Latest entry) {
        Cell cell = cell(slot);
        return !isSealed() && cell.offer(entry) ? cell : null; // the gate is read when the cell can be seen (C2)
    }

    private Cell cell(@Nullable Object slot) {
        for (; ; ) {
            Cell first = cells;
            Cell found = Cell.find(first, slot);
            if (found != null) {
                return found;
            }
            Cell fresh = new Cell(this, slot, first);
            if (CELLS.compareAndSet(this, first, fresh)) {
                return fresh;
            }
        }
    }

    // ---------------------------------------------------------------- turn

    @Override
    public void turn(Runner r) {
        r.beginTurn(this);
        RUNNER.setRelease(this, r);
        Batch rest = batch;
        if (rest != null) {
            VarHandle.fullFence(); // who changes the gate after it is read below sees the runner (G6)
        }
        boolean look = true;
        int left = QUANTUM;
        for (; ; ) {
            Runnable task = null;
            Node top = rest == null ? word : null;
            boolean held = (look || r.isCalled()) && isHeld();
            if (top != null && top.older == null && !held) {
                if (!WORD.compareAndSet(this, top, BUSY)) {
                    continue;
                }
                task = top.content(); // runs, even if a hold comes now (G1); `look` stays
            } else if (top != null) {
                rest = takeChain(); // its CAS stands for the fence above
                task = rest == null && !held ? takeOldest() : null;
            }
            if (task == null && (look || r.answerCall())) {
                if (isHeld()) {
                    passMarkers();
                    if (park()) {
                        break;
                    }
                    RUNNER.setRelease(this, r);
                    VarHandle.fullFence(); // as above
                    rest = batch;
                    look = true; // there may be another hold by now
                    continue;
                }
                look = false;
            }
            if (rest != null) {
                task = rest.take();
                if (rest.isSpent()) {
                    BATCH.setRelease(this, null);
                    rest = null;
                }
            } else if (top == null) {
                if (finish()) {
                    break;
                }
                RUNNER.setRelease(this, r);
                look = true;
                continue;
            }
            LateNode node = task instanceof LateNode late ? late : null;
            if (node != null) {
                task = node.take();
            }
            if (task == null) {
                continue; // withdrawn
            }
            if (node instanceof MarkerNode) {
                reach(task);
                continue;
            }
            r.run(key, task);
            boolean timeUp = r.tick();
            left--;
            if ((timeUp || left <= 0) && (rest != null || word != BUSY)) {
                if (table.scheduler.hasReady()) {
                    requeue();
                    break;
                }
                left = QUANTUM;
                r.renewTurn();
            }
        }
        r.endTurn();
    }

    /** Takes all new tasks (L3, L6); null when there are none any more, or no memory to hold them. */
    private @Nullable Batch takeChain() {
        for (Node top = word; top != null; top = word) {
            Batch taken;
            try {
                taken = Batch.withRoomFor(top);
            } catch (OutOfMemoryError e) {
                return null;
            }
            BATCH.setOpaque(this, TAKING); // ordered before the CAS by the latter's release
            do {
                if (WORD.compareAndSet(this, top, BUSY)) {
                    taken.fill(top);
                    BATCH.setRelease(this, taken);
                    return taken;
                }
                top = word;
            } while (top != null && taken.hasRoomFor(top.depth));
            BATCH.setRelease(this, null);
        }
        return null;
    }

    /** Takes the oldest new task alone: needs no memory, but time in proportion to the chain. Null when there is none. */
    private @Nullable Runnable takeOldest() {
        Node oldest = word;
        if (oldest == null) {
            return null;
        }
        Node newer = null;
        for (Node older = oldest.older; older != null; older = oldest.older) {
            newer = oldest;
            oldest = older;
        }
        if (newer == null) {
            return WORD.compareAndSet(this, oldest, BUSY) ? oldest.content() : null;
        }
        Runnable task = oldest instanceof LateNode node ? node : oldest.withdraw();
        newer.older = null;
        return task;
    }

    /** Runs the markers that no task precedes: a pause keeps tasks from starting, not the news that none is left. */
    private void passMarkers() {
        if (isAsyncOpen()) {
            return; // the open task is not ended
        }
        for (; ; ) {
            Batch rest = batch == null ? takeChain() : batch;
            if (rest == null) {
                return;
            }
            Runnable first = rest.first();
            if (first == null) {
                BATCH.setRelease(this, null);
            } else if (first instanceof MarkerNode marker) {
                reach(rest.take(first) ? marker.take() : null);
            } else if (!(first instanceof LateNode node) || !node.passWithdrawn()) {
                return;
            } else {
                rest.take(first);
            }
        }
    }

    private void reach(@Nullable Runnable marker) {
        if (marker != null) {
            try {
                marker.run();
            } catch (Throwable t) { // no memory to tell all who wait for it; the lane goes on
                table.scheduler.failed(key, marker, t);
            }
        }
    }

    private void requeue() {
        RUNNER.setRelease(this, null);
        table.scheduler.readyAgain(this);
        awaitInterrupter();
    }

    /** Leaves an empty lane; false when there are new tasks and this thread still owns it. */
    private boolean finish() {
        RUNNER.setRelease(this, null);
        stamp = table.epoch();
        if (!WORD.compareAndSet(this, BUSY, IDLE)) {
            return false;
        }
        if (!isClear()) {
            awaitInterrupter();
            if (isClosing()) {
                tryRetire();
            }
        }
        table.touched();
        return true;
    }

    /** Leaves a held lane to the gate; false when the last hold has just ended and this thread still owns it. */
    private boolean park() {
        RUNNER.setRelease(this, null);
        if (!parkIfHeld()) {
            return false;
        }
        awaitInterrupter();
        Batch rest = batch();
        boolean some = word != BUSY || (rest != null && !rest.isSpent());
        if (some && (rest == null || !rest.isFirstPending())) {
            nudge(); // a marker or a withdrawal came before PARKED could be seen, and found nobody to nudge
        }
        return true;
    }

    @Override
    void callRunner() {
        Runner r = runner();
        if (r != null) {
            r.call();
        }
    }

    /** Interrupts the thread that runs a turn of this lane, if there is one, and no other turn. */
    public void interruptTurn() {
        beginInterrupt();
        Runner r = runner();
        Thread thread = r == null ? null : r.thread();
        if (thread != null) {
            thread.interrupt();
        }
        endInterrupt();
    }

    @Override
    public void resume() {
        super.resume();
        table.touched();
    }

    // ---------------------------------------------------------------- retirement

    /** Removes the lane from its table if it is idle, not held, and nobody is about to use it. */
    @Override
    boolean tryRetire() {
        for (; ; ) {
            if (!WORD.compareAndSet(this, IDLE, BUSY)) {
                return word == DEAD; // somebody owns it, and will see CLOSING when it is idle again
            }
            boolean sealed = seal();
            if (sealed && Cell.sealAll(cells) && WORD.compareAndSet(this, BUSY, DEAD)) {
                table.died(this);
                return true;
            }
            if (sealed) {
                Cell.unsealAll(cells);
                unseal();
            }
            if (!WORD.compareAndSet(this, BUSY, IDLE)) {
                makeReady(); // somebody pushed, and left the lane to its owner
                return false;
            }
            table.touched();
            if (!isClosing() || isHeld() || !Cell.allFree(cells)) {
                return false; // whoever pushes or takes the offer, or ends the last hold, will see CLOSING
            }
        }
    }

    // ---------------------------------------------------------------- withdrawal

    /** Takes away every task that has not started, in order, and returns the user's own objects. */
    public List<Runnable> cancelPending() {
        Node chain = null;
        Batch rest;
        for (; ; ) {
            Node w = word;
            rest = batch(); // while the word stays the same chain, the batch is what came before it
            if (w == null || !isChain(w)) {
                break;
            }
            if (WORD.compareAndSet(this, w, BUSY)) {
                chain = w;
                break;
            }
        }
        List<Runnable> taken = new ArrayList<>();
        if (rest != null) {
            rest.takeAll(taken);
        }
        int older = taken.size();
        for (Node n = chain; n != null; n = n.older) {
            Runnable task = n instanceof LateNode node ? node : n.withdraw();
            if (task != null) {
                taken.add(task);
            }
        }
        Collections.reverse(taken.subList(older, taken.size()));
        List<Runnable> withdrawn = new ArrayList<>();
        for (Runnable one : taken) {
            Runnable task = one instanceof MarkerNode ? null : one instanceof LateNode node ? node.take() : one;
            if (task != null) {
                withdrawn.add(task);
            }
        }
        withdrawn.replaceAll(Accepted::withdraw);
        for (Runnable one : taken) { // after the tasks' futures have ended, which a marker's listener may look at
            if (one instanceof MarkerNode marker) {
                putBack(marker);
            }
        }
        nudge(); // a marker may be the first now
        if (isClosing()) {
            tryRetire(); // its owner may have left it for an offer that was taken here
        }
        return withdrawn;
    }

    private void putBack(MarkerNode marker) {
        Runnable reached = marker.take();
        if (reached != null && !push(new MarkerNode(reached))) {
            reach(reached); // dead, so all before it has ended
        }
    }

    /** Withdraws the oldest pending task that counts against a bound, to make room; null when there is none. */
    public @Nullable Runnable dropOldest() {
        Batch rest = batch();
        Runnable first = rest == null ? null : rest.dropOldest();
        if (first != null) {
            return first;
        }
        Node newest = word;
        return newest == null ? null : Node.dropOldest(newest);
    }

    /** Returns what is left of what the owner has taken. */
    private @Nullable Batch batch() {
        for (; ; ) {
            Batch rest = (Batch) BATCH.getAcquire(this);
            if (rest != TAKING) {
                return rest;
            }
            Thread.yield(); // the owner is between two instructions, or not running just now
        }
    }

    private static boolean isChain(@Nullable Node w) {
        return w != IDLE && w != BUSY && w != DEAD;
    }

    // ---------------------------------------------------------------- seen from outside, racy

    /** Returns whether the lane has been removed. */
    public boolean isDead() {
        return word == DEAD;
    }

    /** Returns whether the lane has nothing to do and nobody holds it. */
    boolean isFree() {
        return word == IDLE && !isHeld();
    }

    /** Returns the runner of the turn that runs now, or null. */
    public @Nullable Runner runner() {
        return (Runner) RUNNER.getVolatile(this);
    }

    /** Returns the thread that runs a turn now, or null. */
    public @Nullable Thread thread() {
        Runner r = runner();
        return r == null ? null : r.thread();
    }

    /** Returns about how many tasks wait; takes time in proportion to them. */
    public int estimatedDepth() {
        Batch rest = batch();
        int depth = rest == null ? 0 : rest.estimatedDepth();
        for (Node n = word; isChain(n) && n != null; n = n.older) {
            depth += n.isPending() ? 1 : 0;
        }
        return depth;
    }

    /** Returns about how long the oldest waiting task has waited, in milliseconds; 0 when none waits. */
    public int estimatedAgeMillis() {
        return estimatedDepth() == 0 ? 0 : Math.max(0, millis(table.scheduler.nanoTime()) - since);
    }

    /** Returns about how many coalescing tasks were superseded since the lane was created. */
    public long estimatedSuperseded() {
        return Cell.estimatedSuperseded(cells);
    }

    private static int millis(long nanos) {
        return (int) (nanos / 1_000_000);
    }

    @Override
    public String toString() {
        return "lane " + key;
    }
}
