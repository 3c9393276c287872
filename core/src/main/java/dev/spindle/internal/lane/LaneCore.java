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
     *   IDLE  no task                              -> chain (push: the lane is made ready), BUSY (retire)
     *   BUSY  ready, in a turn, or parked, and     -> chain (push), IDLE (end of turn), DEAD (retire)
     *         no new tasks
     *   chain BUSY, with new tasks                 -> longer chain (push; or an append to its newest node),
     *                                                 BUSY (taken by the turn, or by cancelPending)
     *   DEAD  removed; final
     *
     * The thread that changes IDLE owns the lane and has to make it ready. ready() passes ownership to the scheduler,
     * which passes it to the thread that runs the turn. Ownership ends with BUSY -> IDLE or DEAD. Pauses and an open
     * async task hold the lane by its gate (LaneGate). An owner that finds the gate held parks the lane and leaves;
     * ownership is then with the gate until the last hold ends.
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
     * LaneCore-1  A lane has at most one owner at any time, so turns never overlap (K2).
     * LaneCore-2  A lane that is not IDLE or DEAD has an owner, which gives it up only by a CAS of BUSY, and so only
     *     if no task has been pushed. Only the push that changes IDLE makes the lane ready, so no task is left behind
     *     and no wake-up is lost (T6).
     * LaneCore-3  The owner takes the whole chain, reverses it, and runs all its tasks before it takes another chain.
     *     Nodes are in push order and the tasks of a chunk in append order (Chunk-1), and appends fail once the node is
     *     taken (Chunk-2), so tasks run in the order of their submits (K3).
     * LaneCore-4  A push is a CAS of the word that the take reads, or of a slot that the owner swaps, and BUSY -> IDLE
     *     -> node consists of read-modify-writes: a release sequence. So actions before a push happen-before the task,
     *     and each turn happens-before the next, also after a removal, by the word and the table's map (K4).
     * LaneCore-5  DEAD is reached only from BUSY, by the owner, with the gate and all cells sealed. So a push, a pause
     *     or a coalescing submit makes the retirement fail, or finds the lane dead or sealed and looks the key up again
     *     (K7).
     * LaneCore-6  The owner or cancelPending takes the chain by a read-modify-write of the word, and each task by a
     *     read-modify-write of its node (Node-1, Chunk-3). The owner writes TAKING to `rest` before it takes a chain,
     *     so a canceller that finds the word emptied waits for `rest`, and misses no task that was pending when it
     *     began.
     * LaneCore-7  A submit that is refused after a shutdown removes the lane that it has made. If the pool has ended,
     *     the thread that would have made the lane ready passes the lane's barriers; if the lane then has a task, its
     *     submitter has started a thread, so the lane is made ready again.
     *
     * No ABA: a node is pushed once, and DEAD is final. A turn runs a single new task without writing it to `rest`.
     *
     * Tests: LaneCoreTest, LaneLincheckTest, QuiesceLincheckTest (LaneCore-7); jcstress SubmitAgainstDrain,
     * AppendAgainstTake, IdleAgainstDead, TurnAcrossRemoval.
     *
     * Derived from the actor mailbox with a scheduled bit. Here the state and the queue are one word.
     */
    private static final Node IDLE = new Node(null);
    private static final @Nullable Node BUSY = null; // the most frequent write of a turn: null is cheap for collectors
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

    /** Returns the permits of a bounded lane, or null if it has no bound of its own. */
    public @Nullable CountedPermits places() {
        return places;
    }

    // ---------------------------------------------------------------- submit

    /**
     * Accepts a task at the end of the lane.
     *
     * @return false if the lane is dead; then the key has to be looked up again
     */
    public boolean push(Runnable task) {
        for (; ; ) {
            Node w = word;
            if (w == DEAD) {
                return false;
            }
            if (w != null && w.append(task)) {
                return true; // the owner will take the task (Chunk-2)
            }
            Node node = w == IDLE || w == null ? new Node(task) : new Chunk(task, w.nextCapacity());
            if (chain(w, node)) {
                if (w == IDLE) { // LaneCore-1, LaneCore-2
                    makeReady();
                }
                return true;
            }
        }
    }

    /**
     * Pushes the node of a cell that has just become pending with {@code entry}. The lane cannot be dead
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
        entry.setCount(0); // it has its place
        if (w == IDLE) {
            makeReady();
        }
    }

    /** Replaces {@code w} in the word by {@code node}, which is linked to it; false if the word has changed. */
    private boolean chain(@Nullable Node w, Node node) {
        node.older = w == IDLE ? null : w;
        if (!WORD.compareAndSet(this, w, node)) { // LaneCore-2
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
        since = millis(table.scheduler.recentNanos()); // after ready(), which refreshes a stale clock
    }

    /** Makes {@code entry} the pending submission of {@code slot}; null if the lane is being retired. */
    public @Nullable CoalescingSlot offer(@Nullable Object slot, CoalescingSubmission entry) {
        CoalescingSlot first = firstCell();
        NamedSlots named = slot == null ? null : first.slots();
        // after the cell and the slots were published
        if (isSealed()) { // CoalescingSlot-2
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
            VarHandle.fullFence(); // a thread that changes the gate after the read below sees the worker (LaneGate-6)
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
                    task = top.single(); // this task runs even if a hold begins now (LaneGate-1); `look` stays set
                    if (task == null) {
                        continue; // withdrawn
                    }
                } else {
                    next = takeChain(); // the swap in takeChain is the full fence here
                }
            }
            if (task == null && (look || r.answerCall())) {
                if (isHeld()) {
                    passBarriers();
                    if (park()) {
                        break;
                    }
                    WORKER.setRelease(this, r);
                    VarHandle.fullFence(); // the same partner as at the start of the turn
                    next = rest;
                    look = true; // there may be another hold
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
                boolean unused = Thread.interrupted(); // a callback of an earlier barrier may have set the flag
                reach(task); // runs user code, so a barrier counts like a task
            } else {
                r.run(key, task);
            }
            boolean timeUp = r.tick();
            left--;
            if ((timeUp || left <= 0) && (next != null || word != BUSY)) { // N1
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

    /** Takes the new task if it is the only one; then no other thread can reach it. */
    private @Nullable Node takeSingle() {
        Node top = word;
        boolean single = top != null && top.older == null && !(top instanceof Chunk);
        return single && WORD.compareAndSet(this, top, BUSY) ? top : null; // LaneCore-2
    }

    /** Takes all new tasks; returns the oldest node. The getAndSet's release orders the write of TAKING before it. */
    private @Nullable Node takeChain() {
        REST.setOpaque(this, TAKING); // LaneCore-6
        Node node = (Node) WORD.getAndSet(this, BUSY); // LaneCore-3
        if (node == null) { // cancelPending took the tasks
            REST.setRelease(this, null);
            return null;
        }
        Node oldest = node.oldest();
        REST.setRelease(this, oldest); // publishes the links to cancellers
        return oldest;
    }

    /** Runs the barriers at the head of a paused lane, up to the first task: a pause holds back tasks, not barriers. */
    private void passBarriers() {
        if (isAsyncOpen()) {
            return; // the open task precedes the rest
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
     * Passes the barriers of a lane that no worker will run. If the lane has a task, its submitter found a thread, so
     * this makes the lane ready again (LaneCore-7). Called by the owner, which gives the lane up.
     */
    @Override
    public boolean endWithoutThread() {
        do {
            passBarriers();
            if (rest != null) { // LaneCore-7
                table.scheduler.ready(this); // `rest` is a task
                return false;
            }
        } while (!finish());
        return true;
    }

    private void reach(@Nullable Runnable barrier) {
        if (barrier != null) {
            try {
                barrier.run();
            } catch (Throwable t) { // the lane goes on
                table.scheduler.failed(key, barrier, t);
            }
        }
    }

    private void requeue() {
        WORKER.setRelease(this, null);
        table.scheduler.readyAgain(this);
        awaitInterrupter();
    }

    /** Gives up an empty lane; false if there are new tasks, and this thread still owns the lane. */
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

    /** Leaves a held lane to the gate; false if the last hold has just ended, and this thread still owns the lane. */
    private boolean park() {
        WORKER.setRelease(this, null);
        if (!parkIfHeld()) {
            return false;
        }
        awaitInterrupter();
        Runnable first = firstTaken();
        if (first == null ? word != BUSY : !Node.isPending(first)) {
            nudge(); // a barrier or a withdrawal came before PARKED was visible, so its nudge had no effect
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

    /** Interrupts the turn of this lane that is running, if there is one, and no other turn. */
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

    /** Removes the lane from its table if it is idle, not held, and no thread is about to use it. */
    @Override
    boolean tryRetire() {
        for (; ; ) {
            if (!WORD.compareAndSet(this, IDLE, BUSY)) { // LaneCore-1
                return word == DEAD; // otherwise the lane has an owner, which sees CLOSING when the lane is idle again
            }
            boolean sealed = seal();
            if (sealed && sealCells() && WORD.compareAndSet(this, BUSY, DEAD)) { // CoalescingSlot-2, LaneCore-5
                table.died(this);
                return true;
            }
            if (sealed) {
                unsealCells();
                unseal();
            }
            if (!WORD.compareAndSet(this, BUSY, IDLE)) {
                makeReady(); // a submitter has pushed, and left the lane to its owner
                return false;
            }
            table.touched();
            if (!isClosing() || isHeld() || !cellsAreFree()) {
                return false; // the next owner, or the thread that ends the last hold, sees CLOSING
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

    /** Withdraws every task that has not started, and returns the user's own objects in order. */
    public List<Runnable> cancelPending() {
        Node newest;
        Node taken;
        do {
            newest = word;
            taken = rest(); // if the word is unchanged at the CAS, these tasks precede it
        } while (newest != null && isChain(newest) && !WORD.compareAndSet(this, newest, BUSY));
        List<Runnable> all = new ArrayList<>();
        Node.takeList(taken, all);
        Node.takeList(newest != null && isChain(newest) ? newest.oldest() : null, all);
        List<Runnable> withdrawn = DeferredTask.takeAll(all);
        table.countWithdrawn(withdrawn.size());
        CancellableEntry.withdrawAll(withdrawn);
        for (Runnable one : all) { // after the tasks' futures, which the listener of a barrier may read
            DeferredTask late = DeferredTask.of(one);
            if (late != null && late.isBarrier() && !push(late)) {
                reach(late.take()); // the lane is dead, so all earlier tasks have ended
            }
        }
        nudge(); // a barrier may be first now
        if (isClosing()) { // LaneGate-4
            tryRetire(); // a task that was withdrawn here may have prevented a retirement by the owner
        }
        return withdrawn;
    }

    /** Withdraws and returns the oldest pending task that has places, which the caller gets; null if there is none. */
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

    /** Returns the first of the nodes that the owner has taken and not yet run, or null. */
    private @Nullable Node rest() {
        for (; ; ) {
            Node first = (Node) REST.getAcquire(this);
            if (first != TAKING) {
                return first;
            }
            Thread.yield(); // the owner is between two instructions, or preempted there
        }
    }

    /** Returns the first of the tasks that the owner has taken and not yet run, or null. */
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

    /** Returns whether the lane is idle and not held. */
    boolean isFree() {
        return word == IDLE && !isHeld();
    }

    /** Returns the worker of the running turn, or null. */
    public @Nullable WorkerContext worker() {
        return (WorkerContext) WORKER.getVolatile(this);
    }

    /** Returns the thread that runs a turn, or null. */
    public @Nullable Thread thread() {
        WorkerContext r = worker();
        return r == null ? null : r.thread();
    }

    /** Returns an estimate of the number of waiting tasks, in time proportional to that number. */
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

    /** Returns an estimate of how long the oldest waiting task has waited, in milliseconds; 0 if none waits. */
    public int estimatedAgeMillis() {
        int age = depthUpTo(1) == 0 ? 0 : millis(table.scheduler.nanoTime()) - since;
        return age >= 0 ? age : age > -60_000 ? 0 : Integer.MAX_VALUE; // negative: a race, or an overflow
    }

    /** Returns an estimate of the number of coalescing tasks superseded since the lane was created. */
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
