// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import static java.util.Objects.requireNonNull;

import dev.spindle.internal.DroppableEntry;
import dev.spindle.internal.Interrupts;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.queue.InjectionQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The core of a logical executor: a queue of tasks, and a number of tokens. A worker that holds a token runs tasks, so
 * at most as many run at once as there are tokens. All of it but the queue is one atomic word.
 */
public final class ConcurrencyLimiter extends ReadyEntry {
    /*
     * The word holds, from its lowest bit:
     *   waiting   30  tasks in the queue that nobody has claimed
     *   arriving  14  submitters that have been admitted and have not yet queued their task, and withdrawals
     *   held      16  tokens that workers hold
     *   OFFERED       one more token is on offer: this object is ready, that is with the scheduler
     *   SHUT          no submit is admitted any more
     *   TAKING        a shutdownNow takes what waits; workers keep out
     *   INTERRUPTING  somebody is about to interrupt the threads that hold tokens
     *
     *   arrive    arriving + 1                                unless SHUT, or there is no room (ConcurrencyLimiter-7)
     *   publish   arriving - 1, waiting + 1, OFFERED likewise after the task was queued
     *   abandon   arriving - 1                                the task could not be queued
     *   accept    waiting - 1, held + 1, OFFERED or not       begins the turn of a worker that was given the offer
     *   claim     waiting - 1                                 by a holder for its next task
     *   leave     held - 1, OFFERED or not                    ends a turn; offers if ConcurrencyLimiter-2 asks for it
     *   withdraw  waiting - 1, arriving + 1                   exchangeFirst; then publish, if it found none at once
     * All are made by CAS in one place, change(). Who sets OFFERED, or leaves it set in accept, makes this object
     * ready. Only who was given the offer clears it.
     *
     * field      writers                  readers   mode
     * word       all                      all       volatile, CAS
     * queue      all                      all       see InjectionQueue
     * outside    submitters, timers       all       atomic: accepted work outside the word (ConcurrencyLimiter-5)
     * room       submitters, holders      the same  see FairPermits: those who wait until there is room in the word
     * completed  holders                  all       atomic: statistics
     * peak       holders                  all       atomic: statistics
     *
     * ConcurrencyLimiter-1  A claim (accept, claim, withdraw) is one subtraction from `waiting` and entitles to one
     *     entry of the queue. `waiting` is raised after the offer to the queue has returned, so the queue holds at
     *     least as many tasks as `waiting` and the open claims together, and the poll finds one. Which one it is does
     *     not matter to the count.
     * ConcurrencyLimiter-2  waiting > 0 implies OFFERED, or held == tokens, or TAKING. Every transition keeps this in
     *     the same CAS. So no task is left behind: a submit is seen by an offer, or by a holder, whose leave offers a
     *     token.
     * ConcurrencyLimiter-3  OFFERED implies held < tokens: held grows only in accept, by whoever was given the offer.
     *     So held <= tokens.
     * ConcurrencyLimiter-4  OFFERED is one bit: this object is ready at most once at a time, however many tokens there
     *     are. So a flooded executor has one place in the scheduler's order like any other entry, and the overflow link
     *     of ReadyEntry is enough. The next token goes on offer when one was accepted and tasks are left: workers join
     *     one by one. That offer is for others than the worker that makes it, which would else keep it (ReadyQueue-3).
     * ConcurrencyLimiter-5  Terminated is: SHUT, then `outside` is 0, then waiting, arriving, held and TAKING are 0,
     *     read in this order. SHUT admits nothing; what is in `outside` (delayed tasks, tasks that submitters run
     *     themselves) came there before SHUT was read, and comes into the word, if ever, before it leaves `outside`.
     *     Whoever makes one of them 0 looks.
     * ConcurrencyLimiter-6  A holder writes the worker's token before accept and clears it before leave, or before it
     *     ends the offer instead. INTERRUPTING is set while one thread reads those and interrupts. Either it sees the
     *     token cleared, or the change of the word that follows sees the bit and waits.
     * ConcurrencyLimiter-7  waiting + arriving - (tokens - held) never passes the capacity in arrive: what a free token
     *     could start at once does not count as waiting. The sum waiting + arriving + held falls by a claim, a leave
     *     and an abandon, but not by an accept: so those three make room, and say so to whoever waits for it after the
     *     change of the word (FairPermits-2).
     * ConcurrencyLimiter-8  TAKING ends when a look has shown neither waiting nor arriving, so shutdownNow misses
     *     nothing that was admitted before. What becomes due later, having been accepted long ago, is run.
     *
     * Tests: ConcurrencyLimiterTest; jcstress TokenSubmitAgainstLeave, TokenTurnToTurn, TokenAgainstToken
     * (ConcurrencyLimiter-2, ConcurrencyLimiter-3), TokenShutdownAgainstSubmit, TokenEndAgainstShutdown
     * (ConcurrencyLimiter-5), TokenTakeAllAgainstSubmit (ConcurrencyLimiter-5, ConcurrencyLimiter-8),
     * TokenDropAgainstTurn (ConcurrencyLimiter-1), TokenBound, TokenWaitAgainstRoom (ConcurrencyLimiter-7),
     * TokenInterruptAgainstLeave (ConcurrencyLimiter-6).
     * Derived from the permits of Cassandra's shared executor pool; what differs is that a token is held for a turn,
     * not for a task, that one word decides all of it, and that idle executors are in no list that anybody scans.
     */
    private static final long ONE_ARRIVING = 1L << 30;
    private static final long ONE_HELD = 1L << 44;
    private static final long OFFERED = 1L << 60;
    private static final long SHUT = 1L << 61;
    private static final long TAKING = 1L << 62;
    private static final long INTERRUPTING = 1L << 63;
    private static final long WAITING = ONE_ARRIVING - 1;
    private static final long ARRIVING = ONE_HELD - ONE_ARRIVING;
    private static final long HELD = OFFERED - ONE_HELD;
    private static final long ACTIVE = WAITING | ARRIVING | HELD | TAKING;

    /** The most tasks that can wait, and the capacity of an executor without a bound. */
    public static final int UNBOUNDED = (int) WAITING;

    private static final int SEGMENT = 32; // small: there may be many executors
    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(ConcurrencyLimiter.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Scheduler scheduler;
    private final Consumer<Consumer<WorkerContext>> workers;
    private final Runnable terminated;
    private final int tokens;
    private final int most; // in the queue, arriving and in turns together (ConcurrencyLimiter-7)
    private final String name;
    private final InjectionQueue queue;
    private final AtomicLong outside = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    private final AtomicInteger peak = new AtomicInteger();
    private final AdmissionPermits room = new AdmissionPermits();
    private volatile long word;

    /**
     * Creates an idle core.
     *
     * @param name the name of the executor, for events
     * @param workers hands every worker of the scheduler to its argument
     * @param tokens how many workers may run tasks at once
     * @param capacity how many tasks may wait besides those that free tokens could start, at most {@link #UNBOUNDED}
     * @param terminated called, perhaps more than once, when the executor has been shut down and everything has ended
     */
    public ConcurrencyLimiter(
            String name,
            Scheduler scheduler,
            Consumer<Consumer<WorkerContext>> workers,
            int tokens,
            int capacity,
            Runnable terminated) {
        this.name = name;
        this.scheduler = scheduler;
        this.workers = workers;
        this.tokens = tokens;
        most = (int) Math.min(UNBOUNDED, (long) tokens + capacity);
        this.terminated = terminated;
        queue = new InjectionQueue(SEGMENT);
    }

    private static int waiting(long w) {
        return (int) (w & WAITING);
    }

    private static int arriving(long w) {
        return (int) ((w & ARRIVING) / ONE_ARRIVING);
    }

    private static int held(long w) {
        return (int) ((w & HELD) / ONE_HELD);
    }

    private boolean change(long w, long next) {
        return WORD.compareAndSet(this, w, next);
    }

    private void set(long bits) {
        for (long w = word; !change(w, w | bits); w = word) {
            Thread.onSpinWait();
        }
    }

    // ---------------------------------------------------------------- submit

    /** Asks for admission of a task; if it is granted, {@link #publish} has to follow. */
    public boolean arrive() {
        return room.tryTake();
    }

    /** Returns the room for submits; there is none after a shutdown. Who has taken some has arrived. */
    public FairPermits room() {
        return room;
    }

    private final class AdmissionPermits extends FairPermits {
        @Override
        boolean take() {
            for (long w = word; (w & SHUT) == 0 && hasRoom(w); w = word) {
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
        return waiting(w) + arriving(w) + held(w) < most;
    }

    /** Admits a task that was accepted earlier: past the bound and a shutdown. */
    public void arriveDue() {
        for (long w = word; ; w = word) {
            if (waiting(w) + arriving(w) < UNBOUNDED && mayArrive(w) && change(w, w + ONE_ARRIVING)) {
                return;
            }
        }
    }

    private static boolean mayArrive(long w) {
        if ((w & ARRIVING) != ARRIVING) {
            return true;
        }
        Thread.yield(); // thousands of threads are between two instructions
        return false;
    }

    /**
     * Queues the task of a submit that was admitted.
     *
     * @throws OutOfMemoryError if there was no memory to queue it; the task was not accepted
     */
    public void publish(Runnable task) {
        try {
            queue.offer(task);
        } catch (Throwable t) {
            abandon();
            throw t;
        }
        if (becomeWaiting()) {
            scheduler.ready(this);
        }
    }

    /** Makes an arriving task a waiting one; true if that offers a token, for which the caller has to see. */
    private boolean becomeWaiting() {
        for (; ; ) {
            long w = word;
            long next = offeredIfDue(w - ONE_ARRIVING + 1);
            if (change(w, next)) {
                return isNewOffer(w, next);
            }
        }
    }

    /** Returns {@code next} with a token on offer if ConcurrencyLimiter-2 asks for it. */
    private long offeredIfDue(long next) {
        return waiting(next) > 0 && (next & TAKING) == 0 && held(next) < tokens ? next | OFFERED : next;
    }

    private static boolean isNewOffer(long w, long next) {
        return (next & ~w & OFFERED) != 0;
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
        long accepted;
        try {
            accepted = accept(r);
        } catch (OutOfMemoryError e) { // nothing was changed, and the offer is still this thread's
            scheduler.ready(this);
            throw e;
        }
        if (accepted == 0) {
            return;
        }
        try {
            Runnable task = poll();
            notePeak(held(accepted));
            if ((accepted & OFFERED) != 0) {
                scheduler.readyForOthers(this); // before the task, which may block
            }
            int left = WorkerContext.QUANTUM;
            do {
                r.run(null, task);
                completed.getAndIncrement();
                boolean timeUp = r.tick();
                left--;
                if (timeUp || left <= 0) {
                    if (!scheduler.mayGoOn()) {
                        break;
                    }
                    left = WorkerContext.QUANTUM;
                    r.renewTurn();
                }
                task = claim() ? start(poll()) : null;
            } while (task != null);
        } finally {
            r.endTurn(); // before leave (ConcurrencyLimiter-6)
            leave();
        }
    }

    /**
     * Takes the token on offer and claims a first task; returns the word, or 0 with the offer ended when no task is
     * left.
     */
    private long accept(WorkerContext r) {
        for (; ; ) {
            long w = word;
            if (waiting(w) == 0 || (w & TAKING) != 0) {
                r.endTurn(); // before the change (ConcurrencyLimiter-6)
                if (change(w, w & ~OFFERED)) {
                    awaitInterrupter(w);
                    return 0;
                }
                continue;
            }
            r.beginTurn(this); // before the change (ConcurrencyLimiter-6)
            long next = offeredIfDue((w & ~OFFERED) + ONE_HELD - 1);
            if (change(w, next)) {
                return next;
            }
        }
    }

    /** Claims a task that waits (ConcurrencyLimiter-1); false when there is none for this thread. */
    private boolean claim() {
        for (; ; ) {
            long w = word;
            if (waiting(w) == 0 || (w & TAKING) != 0) {
                return false;
            }
            if (change(w, w - 1)) {
                return true;
            }
        }
    }

    /** Makes room: first at the other bound that the task counts against, for a submitter that is let in needs both. */
    private Runnable start(Runnable task) {
        Runnable started = task instanceof DroppableEntry placed ? placed.start() : task;
        room.made();
        return started;
    }

    private Runnable poll() {
        return (Runnable) requireNonNull(queue.poll(), "a claim without a task");
    }

    private void leave() {
        for (; ; ) {
            long w = word;
            long next = offeredIfDue(w - ONE_HELD);
            if (change(w, next)) {
                awaitInterrupter(w);
                if (isNewOffer(w, next)) {
                    scheduler.ready(this);
                }
                room.made();
                terminateIfIdle(next);
                return;
            }
        }
    }

    private void notePeak(int now) {
        for (int p = peak.get(); now > p && !peak.compareAndSet(p, now); ) {
            p = peak.get();
        }
    }

    // ---------------------------------------------------------------- the bound

    /**
     * Takes away the oldest waiting task that {@code wanted}, which is ours, accepts; null when there is none. The
     * caller has arrived in its place.
     */
    public @Nullable Runnable exchangeFirst(Predicate<Object> wanted) {
        for (; ; ) {
            long w = word;
            if (waiting(w) == 0 || (w & TAKING) != 0) {
                return null;
            }
            if (mayArrive(w) && change(w, w - 1 + ONE_ARRIVING)) {
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

    /** Admits nothing more; what was admitted is run. */
    public void shutdown() {
        set(SHUT);
        room.refuse();
        tryTerminate();
    }

    /**
     * Admits nothing more, and takes away every task that nobody has claimed. Those for which there is no memory in the
     * list stay, and are run.
     */
    public List<Runnable> shutdownNow() {
        ArrayList<Runnable> taken = new ArrayList<>();
        set(SHUT | TAKING);
        try {
            room.refuse();
            for (long w = word; (w & (WAITING | ARRIVING)) != 0; w = word) {
                int count = waiting(w);
                if (count == 0) {
                    Thread.yield(); // a submitter is between two instructions, or not running just now
                    continue;
                }
                taken.ensureCapacity(taken.size() + count); // before the claim: nothing claimed may get lost
                if (change(w, w - count)) {
                    for (int i = 0; i < count; i++) {
                        taken.add(poll());
                    }
                }
            }
        } catch (OutOfMemoryError e) {
            return taken;
        } finally {
            endTaking();
        }
        return taken;
    }

    private void endTaking() {
        for (; ; ) {
            long w = word;
            long next = offeredIfDue(w & ~TAKING); // a task that became due after the last look is run
            if (change(w, next)) {
                if (isNewOffer(w, next)) {
                    scheduler.ready(this);
                }
                terminateIfIdle(next);
                return;
            }
        }
    }

    /** Interrupts the threads that run tasks of this executor on workers, and no others. */
    public void interruptRunning() {
        for (long w = word; (w & INTERRUPTING) != 0 || !change(w, w | INTERRUPTING); w = word) {
            Thread.onSpinWait();
        }
        Interrupter interrupter = new Interrupter();
        try {
            workers.accept(interrupter);
        } finally {
            for (long w = word; !change(w, w & ~INTERRUPTING); w = word) {
                Thread.onSpinWait();
            }
        }
        Interrupts.report(interrupter.failure);
    }

    private final class Interrupter implements Consumer<WorkerContext> {
        private @Nullable Throwable failure;

        @Override
        public void accept(WorkerContext worker) {
            Thread thread = worker.turn() == ConcurrencyLimiter.this ? worker.thread() : null;
            Throwable thrown = thread == null ? null : Interrupts.send(thread);
            failure = thrown == null ? failure : thrown;
        }
    }

    /**
     * Called with the word that showed no token of this thread: an interrupt meant for its turn must not hit what
     * follows.
     */
    private void awaitInterrupter(long w) {
        if ((w & INTERRUPTING) != 0) {
            while ((word & INTERRUPTING) != 0) {
                Thread.yield();
            }
            Thread.interrupted();
        }
    }

    /** Counts work that is not in the word (ConcurrencyLimiter-5); false, and it is not counted, after a shutdown. */
    public boolean beginOutside() {
        outside.incrementAndGet();
        if (isShut()) {
            endOutside();
            return false;
        }
        return true;
    }

    /** Ends what {@link #beginOutside} began. */
    public void endOutside() {
        if (outside.decrementAndGet() == 0) {
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

    /** Returns whether the executor has been shut down and nothing is left of it. */
    public boolean hasEnded() {
        return isShut() && outside.get() == 0 && (word & ACTIVE) == 0; // in this order (ConcurrencyLimiter-5)
    }

    // ---------------------------------------------------------------- seen from outside, racy

    @Override
    public String executor() {
        return name;
    }

    /** Returns whether the executor has been shut down. */
    public boolean isShut() {
        return (word & SHUT) != 0;
    }

    /** Returns how many workers run its tasks. */
    public int running() {
        return held(word);
    }

    /** Returns the most workers that have run its tasks at once. */
    public int peak() {
        return peak.get();
    }

    /** Returns about how many tasks wait. */
    public int estimatedQueued() {
        return waiting(word);
    }

    /** Returns how many tasks have ended on workers, in any way. */
    public long completed() {
        return completed.get();
    }
}
