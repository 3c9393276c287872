// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lane: a mailbox of tasks that run one at a time, in order, on the workers of a {@link Scheduler}. One atomic word
 * is both the queue and the scheduling state.
 */
public final class LaneCore extends LaneGate {
    /*
     * The word is IDLE, BUSY, DEAD, or the newest node of a chain linked by `older`.
     *
     *   value  meaning                           next value
     *   IDLE   no task                           chain (push: the lane is made ready), BUSY (retire)
     *   BUSY   ready, in a turn, or parked;      chain (push), IDLE (end of turn), DEAD (retire)
     *          without new tasks
     *   chain  like BUSY, with new tasks         longer chain (push), BUSY (taken by the turn, or by cancelPending)
     *   DEAD   removed; final                    none
     *
     * The thread that changes IDLE owns the lane. A push then makes the lane ready: the ownership passes to the
     * scheduler, and then to the thread that runs the turn. Ownership ends when BUSY becomes IDLE or DEAD. Pauses and
     * an open async task hold the lane (LaneGate). An owner that finds a hold parks the lane and leaves; the gate then
     * owns the lane until the last hold ends.
     *
     * field       writers                      readers         mode
     * word        all                          all             volatile, CAS
     * rest        owner                        all             plain after a release fence for the first
     *                                                          node; acquire read by others; see LaneCore-6
     * cells       submitters                   all             volatile, null -> the first cell, under this monitor
     * since       all                          all             plain, racy: for statistics; chained as well
     * stamp       owner, before IDLE           table's sweep   plain, ordered by the word; see also LaneGate.hold
     * droppable   droppers                     droppers        volatile
     *
     * LaneCore-1  A lane has at most one owner at any time, so turns never overlap (K2).
     * LaneCore-2  A lane that is neither IDLE nor DEAD has an owner. The owner gives the lane up only by a CAS of BUSY,
     *     which fails if a task has been pushed. So a push makes the lane ready only if it changes IDLE (T6), and no
     *     task is left without an owner.
     * LaneCore-3  The owner takes the whole chain, reverses the chain, and runs all its tasks before it takes another
     *     chain. Nodes are in push order, and tasks of a chunk in append order (Chunk-1). An append to a taken node
     *     fails (Chunk-2), so tasks run in the order of their submits (K3).
     * LaneCore-4  A task is pushed and taken by read-modify-writes of one variable, the word or a slot, so actions
     *     before the push happen-before the task. Every change of the word is a read-modify-write (a release sequence),
     *     so each turn happens-before the next. After a removal of the lane, the table's map gives the same order (K4).
     * LaneCore-5  The owner changes BUSY to DEAD only while the gate and all cells are sealed. So a push, a pause or a
     *     coalescing submit makes the retirement fail, or finds the lane dead or sealed and looks the key up again
     *     (K7).
     * LaneCore-6  The owner and cancelPending take a chain by a read-modify-write of the word, and a task by a
     *     read-modify-write of its node (Node-1, Chunk-3). The owner writes TAKING to `rest` before it takes a chain.
     *     So a canceller that finds the word emptied waits for `rest`, and misses no task that was pending at its call.
     * LaneCore-7  A submit that is refused after a shutdown retires the lane that it has made. In a pool without
     *     threads, endWithoutThread runs the barriers of a ready lane. If the lane also has a task, the submitter of
     *     the task has started a thread, so the lane is made ready again.
     *
     * No ABA: a node is pushed once, and DEAD is final.
     *
     * Tests: LaneCoreTest, LaneLincheckTest, QuiesceLincheckTest (LaneCore-7); jcstress SubmitAgainstDrain,
     * AppendAgainstTake, IdleAgainstDead, TurnAcrossRemoval.
     *
     * Derived from actor mailboxes that have a queue and a `scheduled` bit. Here one word is both the queue and this
     * bit.
     */
    private static final Node IDLE = new Node(null);
    private static final @Nullable Node BUSY = null; // written often; a write of null is cheap for garbage collectors
    private static final Node DEAD = new Node(null);
    private static final Node TAKING = new Node(null);

    private static final VarHandle WORD;
    private static final VarHandle REST;

    static {
        try {
            var lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(LaneCore.class, "word", Node.class);
            REST = lookup.findVarHandle(LaneCore.class, "rest", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final LaneSpace space;
    private volatile @Nullable Node word = IDLE;
    private @Nullable Node rest;
    volatile @Nullable CoalescingSlot cells;

    private int since; // milliseconds of the scheduler's clock, when the oldest waiting task was pushed
    private int chained; // the same for the oldest task of the chain in the word
    private volatile @Nullable Droppable droppable;

    LaneCore(LaneSpace space, Object key) {
        super(key);
        this.space = space;
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

    @Override
    public @Nullable String spaceName() {
        return space.name();
    }

    /** Returns the space of this lane. */
    public LaneSpace space() {
        return space;
    }

    // ---------------------------------------------------------------- submit

    /**
     * Adds a task at the end of the lane.
     *
     * @return false if the lane is dead; the caller then looks the key up again
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

    /** Does what {@link #push} does, for a caller that has not checked the stack. */
    public boolean submit(Runnable task) {
        Node w = word;
        if (w != null && w.append(task)) {
            return true; // the append is one step, which needs no check of the stack
        }
        Headroom.require(); // if a push failed between its CAS and makeReady, no later submit would make the lane ready
        return push(task);
    }

    /** Pushes the node of a cell that {@code entry} has just made pending. The lane is not dead (CoalescingSlot-2). */
    void pushCell(Node node, CoalescingSubmission entry) {
        Node w;
        do {
            w = word;
            if (w != null) {
                w.close();
            }
        } while (!chain(w, node));
        entry.setCount(0); // announces the push
        if (w == IDLE) {
            makeReady();
        }
    }

    /** Links {@code node} to {@code w}, and replaces {@code w} in the word. Returns false if the word has changed. */
    private boolean chain(@Nullable Node w, Node node) {
        node.older = w == IDLE ? null : w;
        if (!WORD.compareAndSet(this, w, node)) { // LaneCore-2
            return false;
        }
        if (w == BUSY) {
            chained = millis(space.scheduler.recentNanos());
            since = rest == null ? chained : since;
        }
        return true;
    }

    @Override
    void makeReady() {
        space.scheduler.ready(this);
        chained = millis(space.scheduler.recentNanos()); // after ready(), which refreshes a stale clock
        since = chained;
    }

    @Override
    void giveBackTurn() {
        space.giveBackTurn();
    }

    /**
     * Makes {@code entry} the pending submission of {@code slot}, and returns the cell. Returns null if the lane is
     * being retired or dead, or its named slots were dropped; the caller then looks the lane up again.
     */
    public @Nullable CoalescingSlot offer(@Nullable Object slot, CoalescingSubmission entry) {
        CoalescingSlot first = firstCell();
        NamedSlots named = slot == null ? null : first.slots();
        // the gate is read after the cell and the slots were published
        if (isSealed()) { // CoalescingSlot-2
            return null;
        }
        return named != null && slot != null ? named.offer(slot, entry) : first.offer(entry) ? first : null;
    }

    private CoalescingSlot firstCell() {
        CoalescingSlot found = cells;
        return found != null ? found : makeFirstCell();
    }

    private synchronized CoalescingSlot makeFirstCell() { // no VarHandle, which would load CoalescingSlot
        cells = cells == null ? new CoalescingSlot(this) : cells;
        return cells;
    }

    // ---------------------------------------------------------------- turn

    @Override
    public void turn(WorkerContext r) {
        if (space.limit != null && r.permit() == null) { // TurnLimit-1
            space.scheduler.ready(this); // became ready before the space had a limit
            return;
        }
        r.beginTurn(this);
        Node next = begin(r);
        boolean look = true;
        int left = WorkerContext.QUANTUM;
        for (; ; ) {
            boolean empty = next == null && word == BUSY;
            Node single = next != null || empty || ((look || r.isCalled()) && isHeld()) ? null : takeSingle();
            Runnable task = null;
            if (single != null) {
                task = single.single(); // runs even if a hold begins now (LaneGate-1)
            } else {
                if (next == null && !empty) {
                    next = takeChain(); // its getAndSet replaces the full fence of begin() (LaneGate-6)
                }
                if (look || r.answerCall()) {
                    look = isHeld();
                    if (look) { // another hold may have begun when this one ends
                        passBarriers();
                        if (park(r)) {
                            break;
                        }
                        next = begin(r);
                        continue;
                    }
                }
                if (next == null) {
                    if (!empty) {
                        continue; // cancelPending has taken the chain
                    }
                    if (finish()) {
                        break;
                    }
                    next = begin(r);
                    look = true;
                    continue;
                }
                if (next instanceof Chunk chunk) {
                    left = runPlain(r, chunk, left);
                }
                if (left > 0 && !r.isCalled()) {
                    task = next.take();
                    if (next.isSpent()) {
                        next = next.newer;
                        rest = next;
                    }
                }
            }
            if (task != null && runOne(r, task)) {
                left = r.tick() ? 0 : left - 1;
            }
            if (left <= 0) {
                if (next == null && word == BUSY) {
                    left = 1; // no task waits
                } else if (space.scheduler.mayGoOn(r)) { // N1
                    left = WorkerContext.QUANTUM;
                    r.renewTurn();
                } else {
                    requeue(r);
                    break;
                }
            }
        }
        r.endTurn();
    }

    /** Begins a turn, or continues it, and returns the oldest node that the owner has taken. */
    private @Nullable Node begin(WorkerContext r) {
        setWorker(r);
        Node next = rest;
        if (next != null) {
            VarHandle.fullFence(); // a thread that changes the gate after the next read sees the worker (LaneGate-6)
        }
        return next;
    }

    /**
     * Runs tasks of {@code chunk} until a call of the worker, the end of the quantum, or a task that
     * {@link Chunk#takePlain} does not return. Returns the number of tasks that are left of the quantum, which is 0 if
     * its time has elapsed.
     */
    private int runPlain(WorkerContext r, Chunk chunk, int quantum) {
        int left = quantum;
        while (left > 0 && !r.isCalled()) {
            Runnable task = chunk.takePlain();
            if (task == null) {
                break;
            }
            r.run(this, task);
            left = r.tick() ? 0 : left - 1;
        }
        return left;
    }

    /** Runs a task that the owner has taken. Returns false if the task was withdrawn. */
    private boolean runOne(WorkerContext r, Runnable task) {
        if (task instanceof DeferredTask late) {
            return runDeferred(r, late);
        }
        r.run(this, task);
        return true;
    }

    private boolean runDeferred(WorkerContext r, DeferredTask late) {
        Runnable task = late.take();
        if (task == null) {
            return false;
        }
        if (late instanceof LaneBarrier) {
            boolean unused = Thread.interrupted(); // an earlier barrier may have interrupted this thread
            reach(task); // the action may run user code, so a barrier uses the quantum like a task
        } else {
            r.run(this, task);
        }
        return true;
    }

    /** Takes the new node if it is the only one and not a chunk. Other threads then cannot reach its task. */
    private @Nullable Node takeSingle() {
        Node top = word;
        boolean single = top != null && top.older == null && !(top instanceof Chunk);
        return single && WORD.compareAndSet(this, top, BUSY) ? top : null; // LaneCore-2
    }

    /**
     * Takes all new nodes, and returns the oldest, or null if cancelPending has taken them. The write of TAKING is
     * ordered before the getAndSet.
     */
    private @Nullable Node takeChain() {
        since = chained;
        rest = TAKING; // LaneCore-6
        Node node = (Node) WORD.getAndSet(this, BUSY); // LaneCore-3
        Node oldest = node == null ? null : node.oldest();
        VarHandle.releaseFence(); // publishes the links to cancellers, for all later writes of `rest`
        rest = oldest;
        return oldest;
    }

    /**
     * Runs the barriers at the head of a paused lane, up to the first pending task, unless an async task is open. A
     * pause holds back tasks, not barriers.
     */
    private void passBarriers() {
        if (isAsyncOpen()) {
            return; // the open async task precedes the barriers
        }
        for (; ; ) {
            Node next = rest == null && word != BUSY ? takeChain() : rest;
            if (next == null) {
                return;
            }
            Runnable first = next.first();
            if (first == null) {
                rest = next.newer;
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
     * Runs the barriers of a lane in a pool without threads, and gives the lane up. If the lane has a task, makes the
     * lane ready instead and returns false (LaneCore-7). Called by the owner of the lane.
     */
    @Override
    public boolean endWithoutThread() {
        do {
            passBarriers();
            if (rest != null) { // LaneCore-7
                space.scheduler.ready(this); // passBarriers stopped at a task
                return false;
            }
        } while (!finish());
        return true;
    }

    private void reach(@Nullable Runnable barrier) {
        if (barrier != null) {
            try {
                barrier.run();
            } catch (Throwable t) { // the lane continues
                space.scheduler.failed(this, barrier, t);
            }
        }
    }

    private void requeue(WorkerContext r) {
        setWorker(null);
        space.scheduler.readyAgain(this, r);
        awaitInterrupter();
    }

    /**
     * Gives up an empty lane, and retires a closing lane. Returns false, and keeps the lane, if there are new tasks.
     */
    private boolean finish() {
        setWorker(null);
        stamp = space.table.epoch();
        if (!WORD.compareAndSet(this, BUSY, IDLE)) {
            return false;
        }
        if (!isClear()) {
            awaitInterrupter();
            if (isClosing()) {
                tryRetire();
            }
        }
        space.table.touched();
        return true;
    }

    /** Passes a held lane to the gate. Returns false, and keeps the lane, if the last hold has just ended. */
    private boolean park(WorkerContext r) {
        setWorker(null);
        if (!parkIfHeld(r)) {
            return false;
        }
        awaitInterrupter();
        Runnable first = Node.firstOf(rest());
        if (first == null ? word != BUSY : !Node.isPending(first)) {
            nudge(); // an earlier nudge may have come before PARKED was set, without effect
        }
        return true;
    }

    @Override
    public void resume() {
        super.resume();
        space.table.touched();
    }

    // ---------------------------------------------------------------- retirement

    @Override
    boolean tryRetire() {
        for (; ; ) {
            if (!WORD.compareAndSet(this, IDLE, BUSY)) { // LaneCore-1
                return word == DEAD; // if not DEAD, the lane has an owner, which then reads CLOSING in finish()
            }
            boolean sealed = seal();
            CoalescingSlot first = cells; // read after seal()
            // CoalescingSlot-2, LaneCore-5
            if (sealed && (first == null || first.sealAll()) && WORD.compareAndSet(this, BUSY, DEAD)) {
                space.died(this);
                return true;
            }
            if (sealed) {
                if (first != null) {
                    first.unsealAll();
                }
                unseal();
            }
            if (!WORD.compareAndSet(this, BUSY, IDLE)) {
                makeReadyAgain(); // a submitter has pushed a task, and this thread owns the lane
                return false;
            }
            space.table.touched();
            first = cells;
            if (!isClosing() || isHeld() || (first != null && !first.allFree())) {
                return false; // a closing lane is retired later, when its last hold has ended and its slots are free
            }
        }
    }

    // ---------------------------------------------------------------- withdrawal

    /** Withdraws every task that has not started, and returns the user's own objects in order. */
    public List<Runnable> cancelPending() {
        Node newest;
        Node taken;
        do {
            newest = word;
            taken = rest(); // older than `newest` if the CAS finds the word unchanged
        } while (newest != null && isChain(newest) && !WORD.compareAndSet(this, newest, BUSY));
        List<Runnable> all = new ArrayList<>();
        Node.takeList(taken, all);
        Node.takeList(newest != null && isChain(newest) ? newest.oldest() : null, all);
        List<Runnable> withdrawn = DeferredTask.takeAll(all);
        space.table.countWithdrawn(withdrawn.size());
        List<Runnable> users = CancellableEntry.handBackAll(withdrawn);
        for (Runnable one : all) { // last, since the action of a barrier may read the futures of the tasks
            DeferredTask late = DeferredTask.of(one);
            if (late != null && late.isBarrier() && !push(late)) {
                reach(late.take()); // the lane is dead, so all earlier tasks have ended
            }
        }
        nudge(); // a barrier may now be first
        if (isClosing()) { // LaneGate-4
            tryRetire(); // a task that was withdrawn here may have prevented a retirement by the owner
        }
        return users;
    }

    /** Withdraws and returns the oldest pending task that holds permits, or null. The caller takes over the permits. */
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
            Thread.yield(); // the owner is in takeChain
        }
    }

    private static boolean isChain(@Nullable Node w) {
        return w != IDLE && w != BUSY && w != DEAD;
    }

    // ---------------------------------------------------------------- seen from outside, racy

    /** Returns true if the lane is dead. */
    public boolean isDead() {
        return word == DEAD;
    }

    /** Returns true if the lane is idle and not held. */
    public boolean isFree() {
        return isIdle() && !isHeld();
    }

    /** Returns true if all tasks that were accepted before have ended, even if the lane is paused. */
    public boolean isIdle() {
        return word == IDLE;
    }

    /** Returns an estimate of the number of waiting tasks, in time proportional to that number. */
    public int estimatedDepth() {
        return depthUpTo(Integer.MAX_VALUE);
    }

    private int depthUpTo(int enough) {
        Node taken = rest();
        Node newest = word;
        return Node.estimatedDepth(taken, isChain(newest) ? newest : null, enough);
    }

    /** Returns an estimate of the wait of the oldest waiting task in milliseconds, or 0 if no task waits. */
    public int estimatedAgeMillis() {
        int age = depthUpTo(1) == 0 ? 0 : millis(space.scheduler.nanoTime()) - since;
        return age >= 0 ? age : age > -60_000 ? 0 : Integer.MAX_VALUE; // a negative age is due to a race or an overflow
    }

    /** Returns an estimate of the number of coalescing tasks superseded since the lane was created. */
    public long estimatedSuperseded() {
        CoalescingSlot first = cells;
        return first == null ? 0 : first.estimatedSuperseded();
    }
}
