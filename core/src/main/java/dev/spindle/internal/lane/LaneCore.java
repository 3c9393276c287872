// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Interrupts;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.limit.CountedPermits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
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
     *   chain BUSY, with new tasks                -> longer chain (push; or an append to its newest node),
     *                                                BUSY (taken by the turn, or by cancelPending)
     *   DEAD  removed for ever
     *
     * Whoever changed IDLE into something else owns the lane and must see that it gets a turn; ownership passes to the
     * scheduler with ready(), from there to the thread that runs the turn, and ends with BUSY -> IDLE or DEAD. The gate
     * (LaneGate) tells an owner to keep out: pauses and an open async task hold the lane. An owner that finds the gate
     * held parks the lane and leaves; ownership then lies with the gate until the last hold ends.
     *
     * field       writers                      readers         mode
     * word        all                          all             volatile, CAS
     * rest        owner                        all             release or opaque write, acquire read; see LaneCore-6
     * cells       submitters                   all             volatile, CAS null -> the first cell
     * worker      owner                        all             release write, volatile read
     * since       the pusher of a first node   all             plain, racy: for statistics
     * stamp       owner, before IDLE           table's sweep   plain, ordered by the word; see also LaneGate.hold
     * droppable   droppers                     droppers        volatile
     *
     * LaneCore-1  At most one owner at any time, so turns never overlap (K2).
     * LaneCore-2  A push that changed IDLE makes the lane ready; no other push does (T6). A lane that is not IDLE has
     *     an owner, who does not give it up before BUSY -> IDLE succeeds, that is with an empty mailbox. So no task is
     *     left behind and no wake-up is lost.
     * LaneCore-3  The owner takes the whole chain, turns it round, and ends it before it takes another. Chains hold
     *     nodes in the order of their pushes, and chunks their tasks in the order of the appends (Chunk-1), which fail
     *     once a node is taken (Chunk-2). So tasks run in the order of their submits (K3).
     * LaneCore-4  A push is a CAS of the word that the taking reads, or of a slot that the owner swaps, and BUSY ->
     *     IDLE -> node is read-modify-write throughout: a release sequence. So what happens before a push
     *     happens-before the task, and each turn happens-before the next (K4). Removal passes through the word and the
     *     table's map.
     * LaneCore-5  DEAD is reached only from BUSY, by the owner, with the gate and all cells sealed. Pushes, pauses and
     *     coalescing submits therefore either come before (and the retirement fails) or find the lane dead or sealed
     *     and look the key up again (K7). No counter, no ABA: a node is pushed once, DEAD is final.
     * LaneCore-6  What is in the word is taken by a read-modify-write of the word, what is in a node by one of the node
     *     (Node-1, Chunk-3): by the owner or by cancelPending, never by both. TAKING is written before a chain is
     *     taken, so a canceller that saw the word emptied by the owner waits the few instructions until `rest` is
     *     there, and misses no task that was pending when it began. A single task needs no `rest`: it runs at once.
     *
     * LaneCore-7  A submit that is refused after a shutdown has made a lane, and removes it. If a pool has ended
     *     meanwhile, no task gets into such a lane, but a barrier may: it is reached by whoever would else have left
     *     the lane to a thread. While the first thread cannot be started, another submitter's attempt may succeed, and
     *     its task be in the lane: then the lane is left to that thread.
     *
     * Tests: LaneCoreTest, LaneLincheckTest, QuiesceLincheckTest (LaneCore-7); jcstress SubmitAgainstDrain,
     * AppendAgainstTake, IdleAgainstDead, TurnAcrossRemoval.
     * Derived from the mailbox with a scheduled bit that actors use; what differs is that state and queue are one word.
     */
    private static final Node IDLE = new Node(null);
    private static final @Nullable Node BUSY = null; // what a turn writes most often: null costs a collector nothing
    private static final Node DEAD = new Node(null);
    private static final Node TAKING = new Node(null);

    private static final VarHandle WORD;
    private static final VarHandle REST;
    private static final VarHandle CELLS;
    private static final VarHandle WORKER;

    static {
        try {
            var lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(LaneCore.class, "word", Node.class);
            REST = lookup.findVarHandle(LaneCore.class, "rest", Node.class);
            CELLS = lookup.findVarHandle(LaneCore.class, "cells", CoalescingSlot.class);
            WORKER = lookup.findVarHandle(LaneCore.class, "worker", WorkerContext.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final LaneTable table;
    private final Object key;
    private final @Nullable CountedPermits places;
    private volatile @Nullable Node word = IDLE;
    private @Nullable Node rest;
    volatile @Nullable CoalescingSlot cells;

    @SuppressWarnings("UnusedVariable") // read through WORKER
    private @Nullable WorkerContext worker;

    private int since; // milliseconds of the scheduler's clock
    private volatile @Nullable Droppable droppable;

    LaneCore(LaneTable table, Object key, @Nullable CountedPermits places) {
        this.table = table;
        this.key = key;
        this.places = places;
    }

    /** Returns the lane whose turn the calling thread runs, or null. */
    public static @Nullable LaneCore current() {
        WorkerContext worker = WorkerContext.current();
        return worker == null ? null : of(worker);
    }

    /** Returns the lane whose turn the thread of {@code worker} runs, or null. */
    static @Nullable LaneCore of(WorkerContext worker) {
        return worker.turn() instanceof LaneCore lane ? lane : null;
    }

    /** Returns the key of this lane. */
    @Override
    public Object key() {
        return key;
    }

    /** Returns the places of a bounded lane, or null when it has no bound of its own. */
    public @Nullable CountedPermits places() {
        return places;
    }

    // ---------------------------------------------------------------- submit

    /**
     * Accepts a task at the end of the lane.
     *
     * @return false when the lane is dead: look the key up again
     */
    public boolean push(Runnable task) {
        for (; ; ) {
            Node w = word;
            if (w == DEAD) {
                return false;
            }
            if (w != null && w.append(task)) {
                return true; // its owner will come to it (Chunk-2)
            }
            Node node = w == IDLE || w == null ? new Node(task) : new Chunk(task, w.nextCapacity());
            if (chain(w, node)) {
                if (w == IDLE) {
                    makeReady();
                }
                return true;
            }
        }
    }

    /**
     * Pushes the node of a cell that has just become pending with {@code entry}; the lane cannot be dead
     * (CoalescingSlot-2).
     */
    void pushCell(Node node, CoalescingSubmission entry) {
        Node w;
        do {
            w = word;
            if (w != null) {
                w.close();
            }
        } while (!chain(w, node));
        entry.placed();
        if (w == IDLE) {
            makeReady();
        }
    }

    /** Puts {@code node} on top of the word, if {@code w} is there. */
    private boolean chain(@Nullable Node w, Node node) {
        node.older = w == IDLE ? null : w;
        if (!WORD.compareAndSet(this, w, node)) {
            return false;
        }
        if (w == BUSY && REST.getOpaque(this) == null) {
            since = millis(table.scheduler.recentNanos());
        }
        return true;
    }

    @Override
    void makeReady() {
        table.scheduler.ready(this);
        since = millis(table.scheduler.recentNanos()); // after ready(), which sets a stale clock right
    }

    /** Makes {@code entry} the pending submission of {@code slot}; null when the lane is being retired. */
    public @Nullable CoalescingSlot offer(@Nullable Object slot, CoalescingSubmission entry) {
        CoalescingSlot first = firstCell();
        NamedSlots named = slot == null ? null : first.slots();
        if (isSealed()) { // read when the cell, and the slots, can be seen (CoalescingSlot-2)
            return null;
        }
        return named != null && slot != null ? named.offer(slot, entry) : first.offer(entry) ? first : null;
    }

    private CoalescingSlot firstCell() {
        CoalescingSlot found = cells;
        if (found != null) {
            return found;
        }
        CoalescingSlot fresh = new CoalescingSlot(this);
        return CELLS.compareAndSet(this, null, fresh) ? fresh : firstCell();
    }

    // ---------------------------------------------------------------- turn

    @Override
    public void turn(WorkerContext r) {
        r.beginTurn(this);
        WORKER.setRelease(this, r);
        Node next = rest;
        if (next != null) {
            VarHandle.fullFence(); // who changes the gate after it is read below sees the worker (LaneGate-6)
        }
        boolean look = true;
        int left = WorkerContext.QUANTUM;
        for (; ; ) {
            Runnable task = null;
            boolean none = next == null && word == BUSY;
            boolean held = (look || r.isCalled()) && isHeld();
            if (next == null && !none) {
                Node top = held ? null : takeSingle();
                if (top != null) {
                    task = top.single(); // runs, even if a hold comes now (LaneGate-1); `look` stays
                    if (task == null) {
                        continue; // withdrawn
                    }
                } else {
                    next = takeChain(); // its swap stands for the fence above
                }
            }
            if (task == null && (look || r.answerCall())) {
                if (isHeld()) {
                    passBarriers();
                    if (park()) {
                        break;
                    }
                    WORKER.setRelease(this, r);
                    VarHandle.fullFence(); // as above
                    next = rest;
                    look = true; // there may be another hold by now
                    continue;
                }
                look = false;
            }
            if (next != null) {
                task = next.take();
                if (next.isSpent()) {
                    next = next.newer;
                    REST.setRelease(this, next);
                }
            } else if (none) {
                if (finish()) {
                    break;
                }
                WORKER.setRelease(this, r);
                look = true;
                continue;
            }
            DeferredTask late = task instanceof DeferredTask l ? l : null;
            task = late == null ? task : late.take();
            if (task == null) {
                continue; // withdrawn
            }
            if (late instanceof LaneBarrier) {
                boolean unused = Thread.interrupted(); // that a callback of a barrier before has left
                reach(task); // code of users, which takes time as a task does
            } else {
                r.run(key, task);
            }
            boolean timeUp = r.tick();
            left--;
            if ((timeUp || left <= 0) && (next != null || word != BUSY)) {
                if (!table.scheduler.mayGoOn()) {
                    requeue();
                    break;
                }
                left = WorkerContext.QUANTUM;
                r.renewTurn();
            }
        }
        r.endTurn();
    }

    /** Takes the new task if it is a single one: it runs at once, and nobody else can reach it. */
    private @Nullable Node takeSingle() {
        Node top = word;
        boolean single = top != null && top.older == null && !(top instanceof Chunk);
        return single && WORD.compareAndSet(this, top, BUSY) ? top : null;
    }

    /** Takes all new tasks (LaneCore-3, LaneCore-6), and returns the oldest node. */
    private @Nullable Node takeChain() {
        REST.setOpaque(this, TAKING); // ordered before the getAndSet by the latter's release
        Node node = (Node) WORD.getAndSet(this, BUSY);
        if (node == null) { // cancelPending was faster
            REST.setRelease(this, null);
            return null;
        }
        Node oldest = node.oldest();
        REST.setRelease(this, oldest); // publishes the links for cancellers
        return oldest;
    }

    /** Runs the barriers that no task precedes: a pause keeps tasks from starting, not the news that none is left. */
    private void passBarriers() {
        if (isAsyncOpen()) {
            return; // the open task is not ended
        }
        for (; ; ) {
            Node next = rest == null && word != BUSY ? takeChain() : rest;
            if (next == null) {
                return;
            }
            Runnable first = next.first();
            if (first == null) {
                REST.setRelease(this, next.newer);
                continue;
            }
            DeferredTask late = DeferredTask.of(first);
            if (late == null || !late.letsPass()) {
                return;
            }
            boolean mine = next.take(first);
            if (late.isBarrier()) {
                reach(mine ? late.take() : null);
            }
        }
    }

    /**
     * Passes the barriers of a lane that no thread will come to, or makes it ready again if there is one after all
     * (LaneCore-7). For the owner, who is not one any more afterwards.
     */
    @Override
    public boolean endWithoutThread() {
        do {
            passBarriers();
            if (rest != null) {
                table.scheduler.ready(this); // a task: whoever submitted it had a thread
                return false;
            }
        } while (!finish());
        return true;
    }

    private void reach(@Nullable Runnable barrier) {
        if (barrier != null) {
            try {
                barrier.run();
            } catch (Throwable t) { // no memory to tell all who wait for it; the lane goes on
                table.scheduler.failed(key, barrier, t);
            }
        }
    }

    private void requeue() {
        WORKER.setRelease(this, null);
        table.scheduler.readyAgain(this);
        awaitInterrupter();
    }

    /** Leaves an empty lane; false when there are new tasks and this thread still owns it. */
    private boolean finish() {
        WORKER.setRelease(this, null);
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
        WORKER.setRelease(this, null);
        if (!parkIfHeld()) {
            return false;
        }
        awaitInterrupter();
        Runnable first = firstTaken();
        if (first == null ? word != BUSY : !Node.isPending(first)) {
            nudge(); // a barrier or a withdrawal came before PARKED could be seen, and found nobody to nudge
        }
        return true;
    }

    @Override
    void callWorker() {
        WorkerContext r = worker();
        if (r != null) {
            r.call();
        }
    }

    /** Interrupts the thread that runs a turn of this lane, if there is one, and no other turn. */
    public void interruptTurn() {
        beginInterrupt();
        Thread thread = thread();
        Throwable failure = thread == null ? null : Interrupts.send(thread);
        endInterrupt();
        Interrupts.report(failure);
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
            if (sealed && sealCells() && WORD.compareAndSet(this, BUSY, DEAD)) {
                table.died(this);
                return true;
            }
            if (sealed) {
                unsealCells();
                unseal();
            }
            if (!WORD.compareAndSet(this, BUSY, IDLE)) {
                makeReady(); // somebody pushed, and left the lane to its owner
                return false;
            }
            table.touched();
            if (!isClosing() || isHeld() || !cellsAreFree()) {
                return false; // whoever pushes or takes the offer, or ends the last hold, will see CLOSING
            }
        }
    }

    private boolean sealCells() {
        CoalescingSlot first = cells;
        return first == null || first.sealAll();
    }

    private void unsealCells() {
        CoalescingSlot first = cells;
        if (first != null) {
            first.unsealAll();
        }
    }

    private boolean cellsAreFree() {
        CoalescingSlot first = cells;
        return first == null || first.allFree();
    }

    // ---------------------------------------------------------------- withdrawal

    /** Takes away every task that has not started, in order, and returns the user's own objects. */
    public List<Runnable> cancelPending() {
        Node newest;
        Node taken;
        do {
            newest = word;
            taken = rest(); // while the word stays the same chain, this is what came before it
        } while (newest != null && isChain(newest) && !WORD.compareAndSet(this, newest, BUSY));
        List<Runnable> all = new ArrayList<>();
        Node.takeList(taken, all);
        Node.takeList(newest != null && isChain(newest) ? newest.oldest() : null, all);
        List<Runnable> withdrawn = DeferredTask.takeAll(all);
        table.countWithdrawn(withdrawn.size());
        CancellableEntry.withdrawAll(withdrawn);
        for (Runnable one : all) { // after the tasks' futures have ended, which a barrier's listener may look at
            DeferredTask late = DeferredTask.of(one);
            if (late != null && late.isBarrier() && !push(late)) {
                reach(late.take()); // dead, so all before it has ended
            }
        }
        nudge(); // a barrier may be the first now
        if (isClosing()) {
            tryRetire(); // its owner may have left it for an offer that was taken here
        }
        return withdrawn;
    }

    /** Withdraws the oldest pending task that counts against bounds, whose places are the caller's then; or null. */
    public @Nullable Runnable dropOldest() {
        Droppable known = droppable;
        Runnable dropped = known == null ? null : known.drop();
        if (dropped == null) {
            known = new Droppable(rest(), word);
            dropped = known.drop();
            droppable = dropped == null ? null : known;
        }
        return dropped;
    }

    /** Returns the first node of what the owner has taken and not run, or null. */
    private @Nullable Node rest() {
        for (; ; ) {
            Node first = (Node) REST.getAcquire(this);
            if (first != TAKING) {
                return first;
            }
            Thread.yield(); // the owner is between two instructions, or not running just now
        }
    }

    /** Returns the first task of what the owner has taken and not run, or null. */
    private @Nullable Runnable firstTaken() {
        Runnable first = null;
        for (Node n = rest(); n != null && first == null; n = n.newer) {
            first = n.first();
        }
        return first;
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

    /** Returns the worker of the turn that runs now, or null. */
    public @Nullable WorkerContext worker() {
        return (WorkerContext) WORKER.getVolatile(this);
    }

    /** Returns the thread that runs a turn now, or null. */
    public @Nullable Thread thread() {
        WorkerContext r = worker();
        return r == null ? null : r.thread();
    }

    /** Returns about how many tasks wait; takes time in proportion to them. */
    public int estimatedDepth() {
        return depthUpTo(Integer.MAX_VALUE);
    }

    private int depthUpTo(int enough) {
        int depth = 0;
        for (Node n = rest(); n != null && depth < enough; n = n.newer) {
            depth += n.estimatedDepth();
        }
        for (Node n = word; isChain(n) && n != null && depth < enough; n = n.older) {
            depth += n.estimatedDepth();
        }
        return depth;
    }

    /** Returns about how long the oldest waiting task has waited, in milliseconds; 0 when none waits. */
    public int estimatedAgeMillis() {
        int age = depthUpTo(1) == 0 ? 0 : millis(table.scheduler.nanoTime()) - since;
        return age >= 0 ? age : age > -60_000 ? 0 : Integer.MAX_VALUE; // `since` is racy; 24 days or more
    }

    /** Returns about how many coalescing tasks were superseded since the lane was created. */
    public long estimatedSuperseded() {
        CoalescingSlot first = cells;
        return first == null ? 0 : first.estimatedSuperseded();
    }

    private static int millis(long nanos) {
        return (int) (nanos / 1_000_000);
    }

    @Override
    public String toString() {
        return "lane " + key;
    }
}
