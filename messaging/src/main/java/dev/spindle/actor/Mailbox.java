// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.internal.InternalTask;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The request lane and the reply lane of an actor: a queue for many producers and one owner at a time. */
abstract class Mailbox extends InternalTask {
    /*
     * The word is the newest of a chain of letters linked by `older`, or a mark. Requests and signals are in one
     * chain; the owner sorts what it takes into its two lists.
     *
     *   Mark     nothing is pending, nobody owns the mailbox   -> letter (push: the pusher makes the mailbox ready)
     *   letter   an owner is there, or is being called         -> newer letter (push); Mark or STOPPED (the owner, if
     *                                                             it has taken no letter after this one: `seen`)
     *   STOPPED  for good
     *
     * To take what is new costs the owner no atomic step: it walks from the word down to `seen`.
     *
     * field      writers           readers     mode
     * word       all               all         volatile, CAS
     * taken      owner             pushers     volatile; lags behind by less than `stride`
     * awaited    under the lock    all         volatile
     * batching   owner             waiters     volatile
     * closing    owner             pushers     volatile
     * boxed      outboxes          senders     volatile, atomic: letters for this mailbox in outboxes (Outbox-1)
     * waiters    under the lock    the same        a list through the waiters themselves
     * seen, passed, requests, replies          owner; handed on through the word, and by the pool from turn to turn
     *
     * Mailbox-1  At most one owner: the push that changed a mark makes the mailbox ready once, and the owner gives it
     *            up by the CAS that puts a mark, or hands it to the pool again.
     * Mailbox-2  Nothing is left behind: that CAS fails if anything was pushed since the owner looked. Marks and
     *            letters are used once, so it takes no old word for the present one.
     * Mailbox-3  Letters of one lane come out in the order of their pushes: the owner ends the chain it has taken
     *            before it takes another.
     * Mailbox-4  A request is refused as FULL only if, at some moment, at least `bound` - (stride - 1) requests were
     *            waiting: `taken` is read after the word and never goes back, so an old word makes the difference too
     *            small, and its CAS fails. What the owner handles is not counted.
     * Mailbox-5  No waiter is forgotten: it is in the queue and `awaited` set before it looks at `taken` (admit); the
     *            owner writes `taken`, then reads `awaited`, every `stride` requests. Both are volatile, so one of them
     *            sees the other. A mailbox that the waiter finds full has more than `stride` requests to be taken, or
     *            `stride` is 1, so the owner comes to that look once more.
     *            While the owner is `batching`, both wait until half of the room is free: what one wake-up costs then
     *            serves half a mailbox. A mailbox that the waiter finds fuller has at least `stride` requests to be
     *            taken after that, since `stride` is at most half of the bound, or 1; and an owner that stops batching
     *            writes that, then reads `awaited`.
     * Mailbox-6  Waiters are served in order and not overtaken: while `awaited` is set, an offer is refused.
     *            Exceptions are an overdraft (MailboxCycles), a message that is forced (a watch), and an offer that
     *            had looked before.
     * Mailbox-7  A waiter leaves the queue under the lock, once: granted, refused, overdrawn or withdrawn.
     *
     * What happens before a push happens-before the owner's look at the letter: the CAS of the word, and the owner's
     * read.
     *
     * Tests: ActorTest, MailboxLincheckTest; jcstress PushAgainstIdle, WaitAgainstTake, WaitAgainstBatch,
     * WaitAgainstEndOfBatch, OverdrawAgainstOverdraw.
     */
    /** The result of a push. */
    enum Push {
        /** It is in the mailbox, which has an owner. */
        QUEUED,
        /** It is in the mailbox, and the caller has to make that ready. */
        FIRST,
        /** Refused: no room, or others wait for room. */
        FULL,
        /** Refused for good. */
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
    private static final int MOST_STRIDE = 16;

    private volatile Letter word = START;
    private volatile int taken;
    private volatile boolean awaited;
    private volatile boolean batching;
    private volatile boolean closing;
    private volatile int boxed;
    private @Nullable Waiter firstWaiter;
    private @Nullable Waiter lastWaiter;

    private Letter seen = START;
    private int passed;
    private @Nullable Letter firstRequest;
    private @Nullable Letter lastRequest;
    private @Nullable Letter firstReply;
    private @Nullable Letter lastReply;

    /** Returns how many requests may wait. */
    abstract int capacity();

    /** Hands this mailbox to a new owner. Called after the push that found none. */
    abstract void ready();

    // ---------------------------------------------------------------- producers

    /** Puts {@code request} at the end of the request lane, if there is room and nobody waits for it; never FIRST. */
    final Push offer(Letter request) {
        return called(offerQuietly(request));
    }

    /** Does as {@link #offer}, but leaves it to the caller to pass the result to {@link #called}. */
    final Push offerQuietly(Letter request) {
        if (closing) {
            return Push.CLOSED;
        }
        return awaited ? Push.FULL : push(request, capacity());
    }

    /** Puts {@code request} at the end of the request lane past the bound; false if the mailbox is stopped. */
    final boolean force(Letter request) {
        return called(push(request, Integer.MAX_VALUE)) == Push.QUEUED;
    }

    /** Makes the mailbox ready if need be; outside the lock, since that may start a thread. */
    final Push called(Push push) {
        if (push == Push.FIRST) {
            ready();
            return Push.QUEUED;
        }
        return push;
    }

    /** Puts {@code request} at the end of the request lane, unless {@code bound} requests wait there. */
    private Push push(Letter request, int bound) {
        for (; ; ) {
            Letter top = word;
            if (top == STOPPED) {
                return Push.CLOSED;
            }
            if (top.number - taken >= bound) {
                return Push.FULL;
            }
            request.number = top.number + 1;
            if (link(top, request)) {
                return top instanceof Letter.Mark ? Push.FIRST : Push.QUEUED;
            }
        }
    }

    /** Puts {@code signal} at the end of the reply lane; false if the mailbox is stopped. */
    final boolean signal(Letter.Signal signal) {
        return called(push(signal)) == Push.QUEUED;
    }

    /** Puts {@code signal} at the end of the reply lane; after FIRST the caller owns the mailbox or makes it ready. */
    final Push push(Letter.Signal signal) {
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

    /** Returns whether letters for this mailbox are in outboxes; exact for those of actors that the caller acts for. */
    final boolean isBoxed() {
        return boxed != 0;
    }

    final void countBoxed(int change) {
        int unused = (int) BOXED.getAndAdd(this, change);
    }

    /** Returns whether the mailbox takes no more requests. */
    final boolean isClosing() {
        return closing;
    }

    /** Returns whether the mailbox takes nothing more. */
    final boolean isStopped() {
        return word == STOPPED;
    }

    /** Returns about how many requests wait. */
    final int estimatedDepth() {
        Letter top = word;
        return top == STOPPED ? 0 : Math.max(0, top.number - taken);
    }

    // ---------------------------------------------------------------- those who wait for room

    /** Queues {@code waiter}, and admits those that find room, perhaps at once. */
    final void await(Waiter waiter) {
        synchronized (this) {
            Waiter last = lastWaiter;
            waiter.before = last;
            if (last == null) {
                firstWaiter = waiter;
            } else {
                last.after = waiter;
            }
            lastWaiter = waiter;
            waiter.queued = true;
            awaited = true; // before the look at `taken` in admit (Mailbox-5)
        }
        if (closing || letsIn()) {
            admit();
        }
    }

    /** Returns whether waiters are let in now; else the owner does it when half of the room is free. */
    private boolean letsIn() {
        return !batching || estimatedDepth() <= capacity() / 2;
    }

    /**
     * Admits waiters in their order while there is room; refuses all if the mailbox is closing. May be called by any
     * thread.
     */
    final void admit() {
        admit(false);
    }

    /** Does so for the owner, or for another thread, whose interrupt those that are told find as it is. */
    private void admit(boolean owner) {
        Waiter told = null; // those that have left, first to last, linked by `after`
        Waiter lastTold = null;
        Waiter refused = null; // the first of them that is refused: a mailbox that closes stays so
        boolean first = false;
        synchronized (this) { // all that find room, before one of them runs on and finds others that wait
            for (Waiter next = firstWaiter; next != null; next = firstWaiter) {
                Push push = closing ? Push.CLOSED : push(next.letter, capacity());
                if (push == Push.FULL) {
                    break;
                }
                leave(next);
                if (lastTold == null) {
                    told = next;
                } else {
                    lastTold.after = next;
                }
                lastTold = next;
                refused = refused == null && push == Push.CLOSED ? next : refused;
                first |= push == Push.FIRST;
            }
        }
        if (first) {
            ready();
        }
        boolean granted = true;
        for (Waiter next = told; next != null; ) {
            Waiter waiter = next;
            next = waiter.after;
            waiter.after = null;
            granted &= waiter != refused;
            if (owner) {
                boolean unused = Thread.interrupted();
            }
            tell(waiter, granted);
        }
    }

    /** Tells {@code waiter} what became of it; what that throws must not keep others from being told. */
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

    /** Called with what code of others has thrown that was told of room, or of the end. Must not throw. */
    void callbackFailed(Throwable failure) {}

    /** Removes {@code waiter} from the queue; false when it has left. */
    final boolean withdraw(Waiter waiter) {
        synchronized (this) {
            if (!waiter.queued) {
                return false;
            }
            leave(waiter);
        }
        admit(); // those behind it, which may have been refused for its sake
        return true;
    }

    /**
     * Admits the letter of {@code waiter} before the others, up to {@code excess} over the bound.
     *
     * @return QUEUED or CLOSED, and the caller tells the waiter; FULL, and it waits on; null when it is not in the
     *     queue
     */
    final @Nullable Push overdraw(Waiter waiter, int excess) {
        Push push;
        synchronized (this) {
            if (!waiter.queued) {
                return null;
            }
            push = closing
                    ? Push.CLOSED
                    : push(waiter.letter, (int) Math.min(Integer.MAX_VALUE, (long) capacity() + excess));
            if (push != Push.FULL) {
                leave(waiter);
            }
        }
        return called(push);
    }

    /** Removes {@code waiter}, which is in the queue, from it. Under the lock. */
    private void leave(Waiter waiter) {
        Waiter before = waiter.before;
        Waiter after = waiter.after;
        if (before == null) {
            firstWaiter = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            lastWaiter = before;
        } else {
            after.before = before;
        }
        waiter.before = null;
        waiter.after = null;
        waiter.queued = false;
        if (firstWaiter == null) {
            awaited = false;
        }
    }

    /** Returns the waiters of now. */
    final synchronized List<Waiter> waiting() {
        if (firstWaiter == null) {
            return List.of();
        }
        List<Waiter> all = new ArrayList<>();
        for (Waiter waiter = firstWaiter; waiter != null; waiter = waiter.after) {
            all.add(waiter);
        }
        return all;
    }

    // ---------------------------------------------------------------- the owner

    /** Takes what was pushed since the last look; false when there was nothing. */
    final boolean intake() {
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
            if (lastRequest == null) {
                firstRequest = letter;
            } else {
                lastRequest.older = letter;
            }
            lastRequest = letter;
        }
    }

    /** Returns whether anything was pushed since the last intake. */
    final boolean hasNew() {
        return word != seen;
    }

    final boolean hasReplies() {
        return firstReply != null;
    }

    final boolean hasRequests() {
        return firstRequest != null;
    }

    /** Removes and returns the first request, whose place is free from then on, or null. */
    final @Nullable Letter pollRequest() {
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
        taken = passed; // volatile, before the look at `awaited` (Mailbox-5)
        if (awaited && letsIn()) {
            admit(true);
        }
    }

    /**
     * Says whether the requests are taken so fast that who waits for room is to be admitted only when half of the room
     * is free.
     */
    final void batch(boolean on) {
        if (on != batching) {
            batching = on; // volatile, before the look at `awaited` (Mailbox-5)
            if (!on && awaited) {
                admit(true);
            }
        }
    }

    /** Removes and returns the first signal, or null. */
    final Letter.@Nullable Signal pollReply() {
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

    /** Accepts no more requests, and refuses the waiters. For the owner, or another thread. */
    final void closeRequests(boolean owner) {
        closing = true; // before the look at `awaited`: await() sets it first, and then looks at `closing`
        admit(owner);
    }

    /** Gives the mailbox up; false, and the caller is its owner still, if anything was pushed meanwhile. */
    final boolean becomeIdle() {
        Letter last = seen;
        Letter.Mark mark = new Letter.Mark(last.number);
        taken = passed;
        seen = mark;
        if (WORD.compareAndSet(this, last, mark)) {
            return true; // without a look at `awaited`: fewer than `stride` were taken since the last (Mailbox-5)
        }
        seen = last;
        return false;
    }

    /** Stops the mailbox for good; false if anything was pushed meanwhile. */
    final boolean becomeStopped() {
        return WORD.compareAndSet(this, seen, STOPPED);
    }
}
