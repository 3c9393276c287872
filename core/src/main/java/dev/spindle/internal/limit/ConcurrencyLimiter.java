// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import static java.util.Objects.requireNonNull;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.queue.InjectionQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The core of a logical executor: a queue of tasks, and a number of tokens. A worker runs tasks while it holds a token,
 * so the number of tokens bounds the number of tasks that run at once. One atomic word holds the numbers of waiting
 * tasks and of held tokens. Both limits may change at any time.
 */
public final class ConcurrencyLimiter extends LimiterState {
    /*
     * The transitions of the word, whose fields LimiterState describes:
     *
     *   arrive    arriving + 1                                unless SHUT, or there is no room (ConcurrencyLimiter-7)
     *   publish   arriving - 1, waiting + 1, OFFERED or not   after the task was queued
     *   abandon   arriving - 1                                the task could not be queued
     *   accept    waiting - 1, held + 1, OFFERED or not       starts the turn of a worker that got the offer
     *   return    waiting + 1, held - 1, OFFERED or not       undoes an accept, if the limit has become lower meanwhile
     *   claim     waiting - 1                                 by a holder for its next task
     *   leave     held - 1, OFFERED or not                    ends a turn; offers as ConcurrencyLimiter-2 requires
     *   withdraw  waiting - 1, arriving + 1                   in exchangeFirst, then publish if it finds no task
     *
     * All transitions are made by CAS, in change(). A thread that sets OFFERED makes this object ready, and so does a
     * worker that leaves OFFERED set in its accept. Only the worker that dequeues this object clears OFFERED.
     *
     * field      writers                  readers   mode
     * word       all                      all       volatile, CAS
     * queue      all                      all       see InjectionQueue
     * outside    submitters, timers       all       atomic: accepted work outside the word (ConcurrencyLimiter-5)
     * limit      setters                  all       volatile; written under this monitor, as are `capacity` and `most`
     * room       submitters, holders      the same  see FairPermits: submitters that wait for room in the word
     * completed  holders                  all       atomic: statistics
     * failed     holders                  all       atomic: statistics
     *
     * ConcurrencyLimiter-1  A claim (accept, claim, withdraw) subtracts 1 from `waiting` and entitles its thread to any
     *     one entry of the queue. A thread increments `waiting` after its queue.offer has returned, so the queue holds
     *     a task for each claim, and the poll finds one.
     * ConcurrencyLimiter-2  If waiting > 0, then OFFERED is set, or held >= tokens, or TAKING is set; each transition
     *     preserves this. So each waiting task is claimed by a worker that accepts an offer, by a worker that holds a
     *     token, or by shutdownNow.
     * ConcurrencyLimiter-3  Only an accept increments held, and an accept requires OFFERED and held < tokens. So
     *     held <= tokens, except until the holders above a lowered limit have ended their tasks.
     * ConcurrencyLimiter-4  OFFERED is one bit, so this object is in the scheduler's queue at most once at a time. If
     *     tasks are left after an accept, the worker offers the next token by readyForOthers, since a single entry in
     *     the worker's own run queue would be owner-affine (ReadyQueue-3).
     * ConcurrencyLimiter-5  The executor has terminated if a thread reads, in this order, that SHUT is set, that
     *     `outside` is 0, and that waiting, arriving, held and TAKING are 0; each thread that makes one of these 0
     *     checks all of them. Work that `outside` counts (delayed tasks, tasks that submitters run themselves) is added
     *     before SHUT is set; a delayed task that becomes due is counted in the word before it is removed from
     *     `outside`.
     * ConcurrencyLimiter-6  A worker sets its turn (beginTurn) before the CAS of accept, and clears its turn (endTurn)
     *     before leave, or before it ends an offer without a task. While INTERRUPTING is set, one thread reads the
     *     turns and interrupts: that thread sees the turn cleared, or the worker sees the bit in its next CAS, and
     *     waits until the bit is cleared.
     * ConcurrencyLimiter-7  An arrive of a submitter keeps waiting + arriving + held at most tokens + capacity, or
     *     waiting + arriving at most capacity while held > tokens. Claim, leave and abandon lower these sums, so a
     * thread that makes one of these transitions admits waiting submitters
     *     afterwards (FairPermits-2).
     * ConcurrencyLimiter-8  shutdownNow clears TAKING after it has read a word in which waiting and arriving are 0, so
     *     no task that was admitted before SHUT was set stays in the queue. A delayed task that becomes due afterwards
     *     is executed.
     * ConcurrencyLimiter-9  A setter writes `limit`, and then offers a token if ConcurrencyLimiter-2 requires it. A
     *     thread that has changed the word reads `limit` again: if the limit has become larger, the thread offers a
     *     token; if an accept exceeds it, the thread returns its task. So the setter sees the change of the word, or
     *     that thread sees the limit, and no task waits below the limit. A setter of 0 reads SHUT under the monitor,
     * and
     *     a shutdown sets SHUT before it ends the pause under the monitor.
     *
     * Tests: ConcurrencyLimiterTest; jcstress TokenSubmitAgainstLeave, TokenTurnToTurn, TokenAgainstToken
     * (ConcurrencyLimiter-2, ConcurrencyLimiter-3), TokenShutdownAgainstSubmit, TokenEndAgainstShutdown
     * (ConcurrencyLimiter-5), TokenTakeAllAgainstSubmit (ConcurrencyLimiter-5, ConcurrencyLimiter-8),
     * TokenDropAgainstTurn (ConcurrencyLimiter-1), TokenBound, TokenWaitAgainstRoom (ConcurrencyLimiter-7),
     * TokenInterruptAgainstLeave (ConcurrencyLimiter-6), TokenSubmitAgainstLimit, TokenAcceptAgainstLimit,
     * TokenRefuseAgainstLimit (ConcurrencyLimiter-9).
     *
     * The tokens derive from the permits of Cassandra's shared executor pool. Unlike those permits, a token is held for
     * a turn instead of a task, and no thread scans a list of executors.
     */
    /** The number of slots of a segment; small, since there may be many executors. Not measured. */
    private static final int SEGMENT = 32;

    private final Scheduler scheduler;
    private final Runnable terminated;
    private final InjectionQueue queue;
    private final AtomicLong outside = new AtomicLong();
    private final AdmissionPermits room = new AdmissionPermits();

    /**
     * Creates a limiter without tasks.
     *
     * @param name the name of the executor, for events
     * @param workers a function that passes each worker of the scheduler to its argument
     * @param tokens the maximum number of workers that run tasks at once
     * @param capacity the maximum number of tasks that wait while all tokens are held
     * @param terminated an action that is run at least once after the executor was shut down and all its tasks have
     *     ended
     */
    public ConcurrencyLimiter(
            String name,
            Scheduler scheduler,
            Consumer<Consumer<WorkerContext>> workers,
            int tokens,
            int capacity,
            Runnable terminated) {
        super(name, workers, tokens, capacity);
        this.scheduler = scheduler;
        this.terminated = terminated;
        queue = new InjectionQueue(SEGMENT);
    }

    private boolean change(long w, long next) {
        return WORD.compareAndSet(this, w, next); // F3
    }

    // ---------------------------------------------------------------- submit

    /**
     * Admits a task, for which the caller must then call {@link #publish}. Returns false if there is no room, if
     * submitters wait for room, or after a shutdown.
     */
    public boolean arrive() {
        return room.tryTake();
    }

    /**
     * Returns the permits that admit tasks. Taking a permit has the effect of {@link #arrive}. After a shutdown no
     * permit can be taken.
     */
    public FairPermits room() {
        return room;
    }

    private final class AdmissionPermits extends FairPermits {
        @Override
        boolean take() {
            for (long w = word; (w & SHUT) == 0 && hasRoom(w); w = word) { // F3
                if (mayArrive(w) && change(w, w + ONE_ARRIVING)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void giveBack() {
            abandon();
        }

        @Override
        public boolean isFree() {
            return hasRoom(word);
        }
    }

    private boolean hasRoom(long w) {
        long queued = (w & WAITING) + (w & ARRIVING) / ONE_ARRIVING;
        return queued < capacity || queued + (w & HELD) / ONE_HELD < most; // ConcurrencyLimiter-7
    }

    /**
     * Admits a task that was accepted earlier, such as a delayed task, even if there is no room or the executor was
     * shut down.
     */
    public void arriveDue() {
        for (long w = word; ; w = word) {
            if ((w & WAITING) + (w & ARRIVING) / ONE_ARRIVING < UNBOUNDED
                    && mayArrive(w)
                    && change(w, w + ONE_ARRIVING)) {
                return;
            }
        }
    }

    private static boolean mayArrive(long w) {
        if ((w & ARRIVING) != ARRIVING) {
            return true;
        }
        Thread.yield(); // `arriving` is at its maximum: thousands of submitters are between arrive and publish
        return false;
    }

    /** Queues an admitted task. If this method throws, the task is not accepted, and the admission is undone. */
    public void publish(Runnable task) {
        try { // ConcurrencyLimiter-1
            queue.offer(task);
        } catch (Throwable t) {
            abandon();
            throw t;
        }
        if (becomeWaiting()) {
            scheduler.ready(this);
        }
    }

    /**
     * Changes an arriving task to a waiting task. Returns true if the change puts a token on offer; the caller must
     * then make this object ready.
     */
    private boolean becomeWaiting() {
        for (; ; ) {
            long w = word;
            long next = offeredIfDue(w - ONE_ARRIVING + 1);
            if (change(w, next)) {
                return isNewOffer(w, next);
            }
        }
    }

    /** Returns {@code next}, with OFFERED set if ConcurrencyLimiter-2 requires it. */
    private long offeredIfDue(long next) {
        // ConcurrencyLimiter-2, ConcurrencyLimiter-3
        return (next & WAITING) != 0 && (next & TAKING) == 0 && (next & HELD) < limit ? next | OFFERED : next;
    }

    /**
     * Returns true if the change from {@code w} to {@code next} has put a token on offer. If it has not since it read
     * a limit that has become larger, offers a token.
     */
    private boolean isNewOffer(long w, long next) {
        if ((next & OFFERED) == 0 && (next & WAITING) != 0 && (next & HELD) < limit) { // ConcurrencyLimiter-9
            offer();
        }
        return (next & ~w & OFFERED) != 0;
    }

    /** Puts a token on offer if ConcurrencyLimiter-2 requires it. */
    private void offer() {
        for (long w = word; ; w = word) {
            long next = offeredIfDue(w);
            if (next == w) {
                return;
            }
            if (change(w, next)) {
                scheduler.ready(this);
                return;
            }
        }
    }

    private void abandon() {
        long w = word;
        for (; !change(w, w - ONE_ARRIVING); w = word) {
            Thread.onSpinWait();
        }
        room.made();
        terminateIfIdle(w - ONE_ARRIVING);
    }

    // ---------------------------------------------------------------- turn

    @Override
    public void turn(WorkerContext r) {
        long accepted = accept(r);
        if (accepted == 0) {
            return;
        }
        long failures = r.failed();
        try {
            Runnable task = poll();
            if ((accepted & OFFERED) != 0) {
                // ConcurrencyLimiter-4
                scheduler.readyForOthers(this); // before the task, which may block this worker for long
            }
            int left = WorkerContext.QUANTUM;
            do {
                r.run(null, task);
                if (r.failed() != failures) {
                    failures = r.failed();
                    failed.getAndIncrement();
                }
                completed.getAndIncrement();
                boolean timeUp = r.tick();
                left--;
                if (timeUp || left <= 0) {
                    if (!scheduler.mayGoOn(r)) {
                        break;
                    }
                    left = WorkerContext.QUANTUM;
                    r.renewTurn();
                }
                task = claim() ? start(poll()) : null;
            } while (task != null);
        } finally {
            r.endTurn(); // before leave, so that no interrupt of this turn comes later (ConcurrencyLimiter-6)
            leave();
        }
    }

    /**
     * Takes the token on offer, claims a first task, and returns the new word. If there is no task to claim, ends the
     * offer and returns 0.
     */
    private long accept(WorkerContext r) {
        for (; ; ) {
            long w = word;
            if ((w & WAITING) == 0 || (w & TAKING) != 0 || (w & HELD) >= limit) { // ConcurrencyLimiter-3
                r.endTurn(); // before the change, so that no interrupt comes later (ConcurrencyLimiter-6)
                if (change(w, w & ~OFFERED)) {
                    awaitInterrupter(w);
                    if ((w & WAITING) != 0) { // ConcurrencyLimiter-9
                        offer();
                    }
                    return 0;
                }
                continue;
            }
            r.beginTurn(this); // before the change: each token then has a turn to interrupt (ConcurrencyLimiter-6)
            long next = offeredIfDue((w & ~OFFERED) + ONE_HELD - 1);
            if (change(w, next)) {
                if ((next & HELD) > limit && giveBack(r, next)) { // ConcurrencyLimiter-9
                    return 0;
                }
                if ((next & OFFERED) == 0 && (next & WAITING) != 0 && (next & HELD) < limit) {
                    offer();
                }
                return next;
            }
        }
    }

    /**
     * Undoes an accept that has changed the word to {@code accepted}, since the limit has become lower. Returns false,
     * and keeps the task, after a shutdown, whose shutdownNow may have taken the other tasks.
     */
    private boolean giveBack(WorkerContext r, long accepted) {
        for (long w = word; (w & SHUT) == 0; w = word) {
            r.endTurn();
            long next = offeredIfDue(w - ONE_HELD + 1);
            if (change(w, next)) {
                awaitInterrupter(w);
                if (isNewOffer(w, next) || (accepted & OFFERED) != 0) {
                    scheduler.ready(this);
                }
                return true;
            }
        }
        r.beginTurn(this);
        return false;
    }

    /**
     * Claims a waiting task (ConcurrencyLimiter-1). Returns false if no task waits, if shutdownNow takes the waiting
     * tasks, or if more tokens are held than there are.
     */
    private boolean claim() {
        for (; ; ) {
            long w = word;
            if ((w & WAITING) == 0 || (w & TAKING) != 0 || (w & HELD) > limit) {
                return false;
            }
            if (change(w, w - 1)) {
                return true;
            }
        }
    }

    /**
     * Frees the room of a task that starts. If the task has a second bound, its room at that bound is freed first,
     * since a submitter that this limiter admits needs room at both bounds.
     */
    private Runnable start(Runnable task) {
        Runnable started = task instanceof CancellableEntry.Droppable placed ? placed.start() : task;
        room.made();
        return started;
    }

    private Runnable poll() {
        return (Runnable) requireNonNull(queue.poll(), "a claim without a task");
    }

    private void leave() {
        for (; ; ) {
            long w = word;
            long next = offeredIfDue(w - ONE_HELD); // ConcurrencyLimiter-2
            if (change(w, next)) {
                awaitInterrupter(w);
                if (isNewOffer(w, next)) {
                    scheduler.ready(this);
                }
                room.made(); // ConcurrencyLimiter-7
                terminateIfIdle(next);
                return;
            }
        }
    }

    // ---------------------------------------------------------------- the bound

    /**
     * Withdraws and returns the oldest waiting task that {@code wanted} accepts, or returns null. If a task is
     * returned, the caller has been admitted, as by {@link #arrive}. {@code wanted} must not run user code.
     */
    public @Nullable Runnable exchangeFirst(Predicate<Object> wanted) {
        for (; ; ) {
            long w = word;
            if ((w & WAITING) == 0 || (w & TAKING) != 0) {
                return null;
            }
            if (mayArrive(w) && change(w, w - 1 + ONE_ARRIVING)) { // ConcurrencyLimiter-1
                break;
            }
        }
        Object task = null;
        try {
            task = queue.removeFirst(wanted);
        } finally {
            if (task == null && becomeWaiting()) {
                scheduler.ready(this);
            }
        }
        return (Runnable) task;
    }

    // ---------------------------------------------------------------- shutdown

    /** Ends the admission of tasks; the admitted tasks run. */
    public void shutdown() {
        set(SHUT);
        room.refuse();
        endPause();
        tryTerminate();
    }

    /** Ends the admission of tasks. Withdraws and returns the tasks that no worker has claimed. */
    public List<Runnable> shutdownNow() {
        ArrayList<Runnable> taken = new ArrayList<>();
        set(SHUT | TAKING);
        try {
            room.refuse();
            for (long w = word; (w & (WAITING | ARRIVING)) != 0; w = word) {
                int count = (int) (w & WAITING);
                if (count == 0) {
                    Thread.yield(); // a submitter is between arrive and publish
                    continue;
                }
                if (change(w, w - count)) { // ConcurrencyLimiter-8
                    for (int i = 0; i < count; i++) {
                        taken.add(poll());
                    }
                }
            }
        } finally {
            endTaking();
        }
        endPause();
        return taken;
    }

    private void endTaking() {
        for (; ; ) {
            long w = word;
            long next = offeredIfDue(w & ~TAKING); // a delayed task that arrived after the last check must run
            if (change(w, next)) {
                if (isNewOffer(w, next)) {
                    scheduler.ready(this);
                }
                terminateIfIdle(next);
                return;
            }
        }
    }

    private void awaitInterrupter(long w) {
        if ((w & INTERRUPTING) != 0) { // ConcurrencyLimiter-6
            awaitInterrupter();
        }
    }

    @Override
    void limitsChanged() {
        offer(); // ConcurrencyLimiter-9
        room.made();
    }

    /**
     * Counts a delayed task, or a task that a submitter runs itself (ConcurrencyLimiter-5). Returns false, and counts
     * nothing, after a shutdown.
     */
    public boolean beginOutside() {
        outside.incrementAndGet();
        if (isShut()) {
            endOutside();
            return false;
        }
        return true;
    }

    /** Ends the counting of a task by {@link #beginOutside}. */
    public void endOutside() {
        if (outside.decrementAndGet() == 0) { // ConcurrencyLimiter-5
            tryTerminate();
        }
    }

    private void terminateIfIdle(long w) {
        if ((w & SHUT) != 0 && (w & ACTIVE) == 0) {
            tryTerminate();
        }
    }

    private void tryTerminate() {
        if (hasEnded()) {
            terminated.run();
        }
    }

    /** Returns whether the executor was shut down and all its tasks have ended. */
    public boolean hasEnded() {
        return isShut() && outside.get() == 0 && (word & ACTIVE) == 0; // in this order (ConcurrencyLimiter-5)
    }

    @Override
    public boolean isShut() {
        return (word & SHUT) != 0;
    }

    /** Returns the queue of the waiting tasks, to read its positions. */
    public InjectionQueue queue() {
        return queue;
    }
}
