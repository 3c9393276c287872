// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import dev.spindle.internal.InternalTask;
import dev.spindle.internal.wait.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The mailbox of an actor: a request lane and a reply lane, with many producers and one owner at a time. */
public abstract class Mailbox extends InternalTask {
    /*
     * `word` is the newest letter of a chain linked by `older`, or a mark. Requests and signals share the chain; the
     * owner sorts the letters that it takes into its two lists.
     *
     *   Mark     empty, without an owner         -> letter (push; the pusher makes the mailbox ready)
     *   letter   an owner runs or is scheduled   -> newer letter (push); Mark or STOPPED (the owner, if it has taken
     *                                               every letter: `seen` is the word)
     *   STOPPED  final
     *
     * Taking new letters costs the owner no atomic step: it walks from the word down to `seen`. While the owner is
     * `batching`, it admits waiters only when half of the capacity is free, so that one wake-up serves many letters.
     *
     * field      writers           readers     mode
     * word       all               all         volatile, CAS
     * taken      owner             pushers     volatile; lags behind by less than `stride`
     * awaited    under the lock    all         volatile
     * batching   owner             waiters     volatile
     * closing    owner             pushers     volatile
     * boxed      outboxes          senders     volatile, atomic: letters for this mailbox in outboxes (Outbox-1)
     * waiters    under the lock    the same    lock
     * seen, passed, requests, replies          owner; handed on by the word, and by the pool from turn to turn
     *
     * Mailbox-1  There is at most one owner. The push that replaces a mark makes the mailbox ready, once; the owner
     *            gives the mailbox up by the CAS that installs a mark, or hands it to the pool again.
     * Mailbox-2  No letter is left behind: the CAS that installs a mark fails if a letter was pushed since the
     *            intake. Marks and letters are used once, so there is no ABA.
     * Mailbox-3  Letters of one lane are polled in the order of their pushes: the owner appends one chain to its lists,
     *            oldest letter first, before it takes the next.
     * Mailbox-4  A request is refused as FULL only if, at some moment, at least `bound` - (stride - 1) requests waited,
     *            not counting the request being handled. `taken` is read after the word and never decreases, so with a
     *            stale word the difference is too small, and the CAS of the word fails.
     * Mailbox-5  No waiter is forgotten: a waiter sets `awaited` and then reads `taken` and `batching`; the owner
     *            writes `taken` or `batching` and then reads `awaited`. All these accesses are volatile. If a mailbox
     *            is too full to admit the waiter, its owner has at least `stride` requests left to take, or the stride
     *            is 1, so the owner will read `awaited` again.
     * Mailbox-6  Waiters are served in order: while `awaited` is set, an offer is refused. Only an overdraft
     *     (MailboxCycles), a forced message (a watch) and an offer that read `awaited` before it was set may overtake a
     *     waiter.
     * Mailbox-7  A waiter leaves the queue once, under the lock, when it is granted, refused, overdrawn or withdrawn.
     *
     * Mailbox-8  Any thread may read the requests that wait while the owner, if there is one, runs user code, which may
     *     never return. The reader reads `seen`, `passed` and the first request before and after, so it notices an
     *     owner that takes requests. It follows racy links, which never form a cycle.
     *
     * Actions before a push happen-before the owner's access to the letter: the push is a CAS of the word, which the
     * owner reads.
     *
     * Tests: ActorTest, MailboxLincheckTest; jcstress PushAgainstIdle (Mailbox-2), WaitAgainstTake, WaitAgainstBatch,
     * WaitAgainstEndOfBatch (Mailbox-5), OverdrawAgainstOverdraw (Mailbox-7).
     */
    /** The result of a push. */
    public enum Push {
        /** In the mailbox, which has an owner. */
        QUEUED,
        /** In the mailbox, which has no owner: the caller has to make it ready. */
        FIRST,
        /** Refused: there is no room, or other senders wait for room. */
        FULL,
        /** Refused: the mailbox is closed. */
        CLOSED
    }

    private static final VarHandle WORD;
    private static final VarHandle BOXED;

    static {
        try {
            var lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(Mailbox.class, "word", Letter.class);
            BOXED = lookup.findVarHandle(Mailbox.class, "boxed", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final Letter.Mark START = new Letter.Mark(0);
    private static final Letter.Mark STOPPED = new Letter.Mark(0);

    /** The maximum number of requests between two writes of {@code taken}. Not measured. */
    private static final int MOST_STRIDE = 16;

    private volatile Letter word = START;
    private volatile int taken;
    private volatile boolean awaited;
    private volatile boolean batching;
    private volatile boolean closing;
    private volatile int boxed;
    private @Nullable WaitQueue<Waiter> waiters; // created with the first waiter; most mailboxes have none

    private Letter seen = START;
    private int passed;
    private @Nullable Letter firstRequest;
    private @Nullable Letter lastRequest;
    private @Nullable Letter firstReply;
    private @Nullable Letter lastReply;

    /** Returns the number of requests that may wait. */
    protected abstract int capacity();

    /** Schedules an owner for this mailbox. Called after a push that returned {@link Push#FIRST}. */
    protected abstract void ready();

    // ---------------------------------------------------------------- producers

    /**
     * Appends {@code request} to the request lane if there is room and no sender waits for room. Never returns FIRST.
     */
    public final Push offer(Letter request) {
        return called(offerQuietly(request));
    }

    /** As {@link #offer}, but the caller has to pass the result to {@link #called}. */
    public final Push offerQuietly(Letter request) {
        if (closing) {
            return Push.CLOSED;
        }
        return awaited ? Push.FULL : push(request, capacity()); // Mailbox-6
    }

    /**
     * Appends {@code request} to the request lane, regardless of the bound; returns false if the mailbox is stopped.
     */
    public final boolean force(Letter request) {
        return called(push(request, Integer.MAX_VALUE)) == Push.QUEUED;
    }

    /** Makes the mailbox ready after a push that returned FIRST. Outside the lock, since this may start a thread. */
    public final Push called(Push push) {
        if (push == Push.FIRST) {
            ready();
            return Push.QUEUED;
        }
        return push;
    }

    /** Appends {@code request} to the request lane unless {@code bound} requests wait there. */
    private Push push(Letter request, int bound) {
        for (; ; ) {
            Letter top = word;
            if (top == STOPPED) {
                return Push.CLOSED;
            }
            if (top.number - taken >= bound) { // Mailbox-4
                return Push.FULL;
            }
            request.number = top.number + 1;
            if (link(top, request)) {
                return top instanceof Letter.Mark ? Push.FIRST : Push.QUEUED;
            }
        }
    }

    /** Appends {@code signal} to the reply lane; returns false if the mailbox is stopped. */
    public final boolean signal(Letter.Signal signal) {
        return called(push(signal)) == Push.QUEUED;
    }

    /** Appends {@code signal} to the reply lane. After FIRST the caller owns the mailbox, or makes it ready. */
    public final Push push(Letter.Signal signal) {
        for (; ; ) {
            Letter top = word;
            if (top == STOPPED) {
                return Push.CLOSED;
            }
            signal.number = top.number;
            if (link(top, signal)) {
                return top instanceof Letter.Mark ? Push.FIRST : Push.QUEUED;
            }
        }
    }

    private boolean link(Letter top, Letter letter) {
        letter.older = top;
        return WORD.compareAndSet(this, top, letter);
    }

    /**
     * Returns whether outboxes hold letters for this mailbox. The result is exact for letters in the outbox of the
     * actor whose turn the caller runs.
     */
    public final boolean isBoxed() {
        return boxed != 0;
    }

    public final void countBoxed(int change) {
        int unused = (int) BOXED.getAndAdd(this, change);
    }

    /** Returns whether the mailbox accepts no more requests. */
    public final boolean isClosing() {
        return closing;
    }

    /** Returns true if the mailbox accepts no further letters. */
    public final boolean isStopped() {
        return word == STOPPED;
    }

    /** Returns an estimate of the number of requests that wait. */
    public final int estimatedDepth() {
        Letter top = word;
        return top == STOPPED ? 0 : Math.max(0, top.number - taken);
    }

    // ---------------------------------------------------------------- senders that wait for room

    /** Queues {@code waiter}, then admits the waiters for which there is room. */
    public final void await(Waiter waiter) {
        synchronized (this) {
            WaitQueue<Waiter> queue = waiters;
            if (queue == null) {
                queue = new WaitQueue<>();
                waiters = queue;
            }
            queue.add(waiter);
            // Mailbox-5
            awaited = true; // before the read of `taken` in admit (Mailbox-5)
        }
        if (closing || letsIn()) { // Mailbox-5
            admit();
        }
    }

    /** Returns whether waiters are admitted now; if not, the owner admits them when half of the capacity is free. */
    private boolean letsIn() {
        return !batching || estimatedDepth() <= capacity() / 2;
    }

    /**
     * Admits waiters in order while there is room; refuses all of them if the mailbox is closing. May be called by any
     * thread.
     */
    final void admit() {
        admit(false);
    }

    /** Admits waiters; for the owner, clears the interrupt before each callback. */
    private void admit(boolean owner) {
        List<Waiter> told = new ArrayList<>(); // the waiters that have left the queue, in order
        int granted = 0; // the waiters after these are refused: the mailbox never reopens
        boolean first = false;
        synchronized (this) { // admits all before telling the first, whose next offer must find no waiters
            WaitQueue<Waiter> queue = waiters;
            for (Waiter next = first(queue); next != null; next = first(queue)) {
                Push push = closing ? Push.CLOSED : push(next.letter, capacity());
                if (push == Push.FULL) {
                    break;
                }
                boolean unused = leave(next);
                told.add(next);
                granted += push == Push.CLOSED ? 0 : 1;
                first |= push == Push.FIRST;
            }
        }
        if (first) {
            ready();
        }
        for (int i = 0; i < told.size(); i++) {
            if (owner) {
                boolean unused = Thread.interrupted();
            }
            tell(told.get(i), i < granted);
        }
    }

    /** Tells {@code waiter} its outcome. A callback that throws must not keep the other waiters from being told. */
    private void tell(Waiter waiter, boolean granted) {
        try {
            if (granted) {
                waiter.granted();
            } else {
                waiter.refused();
            }
        } catch (Throwable t) {
            callbackFailed(t);
        }
    }

    /** Called with an exception that a callback of a waiter has thrown. Must not throw. */
    protected void callbackFailed(Throwable failure) {}

    /** Removes {@code waiter} from the queue; returns false if the waiter has left the queue. */
    public final boolean withdraw(Waiter waiter) {
        synchronized (this) {
            if (!leave(waiter)) {
                return false;
            }
        }
        admit(); // the waiter may have held back the waiters behind it
        return true;
    }

    /**
     * Admits the letter of {@code waiter} before the letters of other waiters, up to {@code excess} over the bound.
     *
     * @return QUEUED or CLOSED if the waiter has left the queue, so that the caller has to notify it; FULL if the
     *     waiter still waits; null if it was not in the queue
     */
    public final @Nullable Push overdraw(Waiter waiter, int excess) {
        Push push;
        synchronized (this) {
            if (!waiter.isQueued()) { // Mailbox-7
                return null;
            }
            push = closing
                    ? Push.CLOSED
                    : push(waiter.letter, (int) Math.min(Integer.MAX_VALUE, (long) capacity() + excess));
            if (push != Push.FULL) {
                boolean unused = leave(waiter);
            }
        }
        return called(push);
    }

    /** Removes {@code waiter}; returns false if it has left the queue. Under the lock. */
    private boolean leave(Waiter waiter) {
        WaitQueue<Waiter> queue = waiters;
        boolean left = queue != null && queue.remove(waiter);
        if (left && first(queue) == null) {
            awaited = false;
        }
        return left;
    }

    private static @Nullable Waiter first(@Nullable WaitQueue<Waiter> queue) {
        return queue == null ? null : queue.first();
    }

    /** Returns the waiters that are queued now. */
    public final synchronized List<Waiter> waiting() {
        WaitQueue<Waiter> queue = waiters;
        return queue == null ? List.of() : queue.toList();
    }

    // ---------------------------------------------------------------- the owner

    /** Takes the letters pushed since the last intake; returns false if there were none. */
    protected final boolean intake() {
        Letter top = word;
        if (top == seen) {
            return false;
        }
        Letter next = null;
        for (Letter letter = top; letter != null && letter != seen; ) {
            Letter older = letter.older;
            letter.older = next;
            next = letter;
            letter = older;
        }
        seen = top;
        while (next != null) {
            Letter letter = next;
            next = letter.older;
            letter.older = null;
            append(letter);
        }
        return true;
    }

    private void append(Letter letter) {
        if (letter.isSignal()) {
            if (lastReply == null) {
                firstReply = letter;
            } else {
                lastReply.older = letter;
            }
            lastReply = letter;
        } else {
            if (lastRequest == null) { // Mailbox-3
                firstRequest = letter;
            } else {
                lastRequest.older = letter;
            }
            lastRequest = letter;
        }
    }

    /**
     * Returns the requests that wait, oldest first, and takes none; null if the owner has taken letters during the call
     * (Mailbox-8). For any thread.
     */
    protected final @Nullable List<Letter> peekRequests() {
        VarHandle.fullFence();
        Letter known = seen;
        Letter first = firstRequest;
        int before = passed;
        List<Letter> requests = new ArrayList<>();
        for (Letter letter = word; letter != null && letter != known; letter = letter.older) {
            if (!letter.isSignal() && !(letter instanceof Letter.Mark)) {
                requests.add(letter); // Mailbox-8
            }
        }
        int fresh = requests.size();
        for (Letter letter = first; letter != null; letter = letter.older) {
            requests.add(letter);
        }
        Collections.reverse(requests.subList(0, fresh));
        Collections.rotate(requests, -fresh);
        VarHandle.fullFence();
        return seen == known && firstRequest == first && passed == before ? requests : null;
    }

    /** Returns whether anything was pushed since the last intake. */
    protected final boolean hasNew() {
        return word != seen;
    }

    protected final boolean hasReplies() {
        return firstReply != null;
    }

    protected final boolean hasRequests() {
        return firstRequest != null;
    }

    /** Removes and returns the first request, which frees its place; null if there is none. */
    protected final @Nullable Letter pollRequest() {
        Letter first = firstRequest;
        if (first == null) {
            return null;
        }
        firstRequest = first.older;
        if (firstRequest == null) {
            lastRequest = null;
        }
        first.older = null;
        passed = first.number;
        if (passed - taken >= stride()) {
            publishTaken();
        }
        return first;
    }

    private int stride() {
        return Math.max(1, Math.min(MOST_STRIDE, capacity() >> 6));
    }

    private void publishTaken() {
        // Mailbox-5, WaitQueue-2
        taken = passed; // volatile, before the read of `awaited` (Mailbox-5)
        if (awaited && letsIn()) {
            admit(true);
        }
    }

    /**
     * Sets whether waiters are admitted only when half of the capacity is free, since the owner handles requests fast.
     */
    public final void batch(boolean on) {
        if (on != batching) {
            // Mailbox-5
            batching = on; // volatile, before the read of `awaited` (Mailbox-5)
            if (!on && awaited) {
                admit(true);
            }
        }
    }

    /** Removes and returns the first signal; null if there is none. */
    protected final Letter.@Nullable Signal pollReply() {
        Letter first = firstReply;
        if (first == null) {
            return null;
        }
        firstReply = first.older;
        if (firstReply == null) {
            lastReply = null;
        }
        first.older = null;
        return (Letter.Signal) first;
    }

    /** Closes the request lane, and refuses the waiters; {@code owner} is true if the caller owns the mailbox. */
    protected final void closeRequests(boolean owner) {
        closing = true; // before the read of the queue; await() queues its waiter and then reads `closing`
        admit(owner);
    }

    /** Gives the mailbox up. If a letter was pushed since the intake, returns false, and the caller stays the owner. */
    protected final boolean becomeIdle() {
        Letter last = seen;
        Letter.Mark mark = new Letter.Mark(last.number);
        taken = passed;
        seen = mark;
        if (WORD.compareAndSet(this, last, mark)) { // Mailbox-2
            return true; // without reading `awaited`: fewer than `stride` requests were taken since (Mailbox-5)
        }
        seen = last;
        return false;
    }

    /** Stops the mailbox. Returns false if a letter was pushed since the intake. */
    protected final boolean becomeStopped() {
        return WORD.compareAndSet(this, seen, STOPPED);
    }
}
