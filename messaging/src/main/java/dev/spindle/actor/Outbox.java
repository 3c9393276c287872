// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Letter;
import dev.spindle.actor.internal.Mailbox;
import dev.spindle.actor.internal.MailboxCycles;
import dev.spindle.actor.internal.Parcel;
import dev.spindle.actor.internal.Waiter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of an actor that found no room in the mailboxes of their targets, in one queue. Until the outbox is
 * empty the actor takes no request. For the owner of the actor, except {@link #edge}.
 */
final class Outbox {
    /*
     * Outbox-1  Messages of one actor to one target arrive in the order of the calls, for any method (R3): a message
     *     that would overtake a parcel goes into the outbox or finds no room. An ActorRef looks for the outbox, in
     *     `TURN`, only if `Mailbox.boxed` of the target is above 0; the thread of the turn has written this count for
     *     its own parcels, so it misses none of them.
     * Outbox-2  User code in a turn may deliver messages that find room, but never waits for room. Only flush(),
     *           between two messages, publishes an edge and resolves cycles.
     *
     * Tests: ActorOrderTest (Outbox-1), ActorRingTest (Outbox-2).
     */
    /** The maximum number of messages that count against the limit of the outbox. Not measured. */
    static final int LIMIT = 1_024;

    /** The outbox of the actor whose turn the calling thread runs, if the outbox is not empty. */
    private static final ThreadLocal<@Nullable Outbox> TURN = new ThreadLocal<>();

    private final ActorBase actor;
    private final ArrayDeque<Parcel> parcels = new ArrayDeque<>();
    private int bounded; // the number of parcels that count against LIMIT
    private boolean inTurn; // true if this outbox has set TURN
    private @Nullable Outbox outer; // the previous value of TURN
    private volatile @Nullable Waiter edge; // the edge of this actor (MailboxCycles)

    Outbox(ActorBase actor) {
        this.actor = actor;
    }

    boolean isEmpty() {
        return parcels.isEmpty();
    }

    @Nullable
    Waiter edge() {
        return edge;
    }

    void publish(Waiter wait) {
        edge = wait;
    }

    void add(Parcel parcel) {
        if (parcel.isBounded()) {
            if (bounded >= LIMIT) {
                throw new IllegalStateException("actor " + actor.name() + " has told " + LIMIT
                        + " messages that wait for room, the first in the mailbox of "
                        + ((ActorBase) parcels.element().target).name()
                        + "; tell fewer in one turn, or raise that capacity()");
            }
            bounded++;
        }
        parcels.add(parcel);
        parcel.target.countBoxed(1);
        beginTurn();
    }

    /**
     * Returns the told messages that wait here. For any thread, while user code of the actor runs; if the actor goes
     * on, it settles its parcels, and this method may return none.
     */
    List<Parcel> peekTold() {
        try {
            return Arrays.stream(parcels.toArray(new Parcel[0]))
                    .filter(parcel -> parcel != null && parcel.isBounded())
                    .toList();
        } catch (RuntimeException e) { // the owner has changed the queue
            return List.of();
        }
    }

    private void remove(Parcel first) {
        Parcel unused = parcels.remove();
        bounded -= first.isBounded() ? 1 : 0; // R3
        first.target.countBoxed(-1);
    }

    // ---------------------------------------------------------------- turns

    /**
     * Called in a turn while messages wait here: prevents messages sent by an ActorRef from overtaking them (Outbox-1).
     */
    void beginTurn() {
        if (!inTurn && actor.isTurnOf(Thread.currentThread())) {
            inTurn = true;
            outer = TURN.get();
            TURN.set(this);
        }
    }

    /** Ends {@link #beginTurn}, after the user code of a turn. */
    void endTurn() {
        if (inTurn) {
            inTurn = false;
            if (outer == null) {
                TURN.remove();
            } else {
                TURN.set(outer);
                outer = null;
            }
        }
    }

    /**
     * Returns the outbox that a message of the calling thread for {@code target} has to go through to keep the order;
     * null if there is none.
     */
    static @Nullable Outbox before(ActorBase target) {
        if (!target.isBoxed()) {
            return null;
        }
        Outbox own = TURN.get();
        if (own == null) {
            return null;
        }
        own.deliver(); // Outbox-2
        return own.isEmpty() || !target.isBoxed() ? null : own; // Outbox-1
    }

    // ---------------------------------------------------------------- delivery

    /** Delivers, in order, the parcels that find room, and queues a waiter for the first parcel that finds no room. */
    void flush() {
        endVoidWait();
        Parcel first = deliver();
        while (first != null) {
            Mailbox.Push push = park(first);
            if (push == null) {
                return;
            }
            if (push != Mailbox.Push.FULL) { // if FULL, overdraw() has settled the parcel
                settle(first, push == Mailbox.Push.QUEUED, null);
            }
            first = deliver();
        }
    }

    /** Delivers the parcels that find room; returns the first parcel that finds no room, or null. */
    private @Nullable Parcel deliver() {
        while (edge == null && !parcels.isEmpty()) {
            Parcel first = parcels.element();
            if (first.isVoid()) {
                remove(first);
                continue;
            }
            if (!first.mayGo()) {
                return null;
            }
            Mailbox.Push push = first.target.offer(first.letter);
            if (push == Mailbox.Push.FULL) {
                return first;
            }
            settle(first, push == Mailbox.Push.QUEUED, null);
        }
        return null;
    }

    private void settle(Parcel first, boolean sent, @Nullable Throwable why) {
        remove(first);
        if (sent) {
            first.sent();
        } else {
            first.refused(why);
        }
    }

    /** Sends a signal that makes the owner remove a request whose reply has ended. For any thread. */
    void lookAgain() {
        actor.wake();
    }

    /** Withdraws the waiter of a request whose reply has ended. */
    private void endVoidWait() {
        Waiter parked = edge;
        if (parked != null && parcels.element().isVoid() && parked.target.withdraw(parked)) {
            edge = null;
            remove(parcels.element());
        }
    }

    /**
     * Queues a waiter for the letter of {@code first}. Returns null if the letter waits or another thread settles the
     * letter. If the wait closes a cycle, returns the outcome of the letter: FULL if the letter was refused to resolve
     * the cycle.
     */
    private Mailbox.@Nullable Push park(Parcel first) {
        actor.batch(false); // the actor takes no requests now, so waiters of its mailbox get the free room at once
        Park park = new Park(this, first.target, first.letter);
        first.target.await(park); // from here on, other threads may admit the letter
        List<Waiter> cycle = MailboxCycles.publish(actor, park);
        return cycle.isEmpty() ? null : overdraw(park, cycle); // R4
    }

    /** Admits the letters for which the actors of a cycle wait, one for each actor (MailboxCycles-2). */
    private Mailbox.@Nullable Push overdraw(Park own, List<Waiter> cycle) {
        Mailbox.Push result = null;
        boolean first = actor.group().counts().overdrafts.sum() == 0;
        int letIn = 0;
        int full = 0;
        int deepest = 0;
        for (Waiter wait : cycle) {
            ActorBase target = (ActorBase) wait.target;
            Mailbox.Push push = target.overdraw(wait, target.options().overdraft());
            if (push == Mailbox.Push.QUEUED) {
                letIn++;
                target.count(counts -> counts.overdrafts);
                deepest = Math.max(deepest, target.estimatedDepth());
            }
            full += push == Mailbox.Push.FULL ? 1 : 0;
            if (wait == own) {
                result = push;
            } else if (push == Mailbox.Push.QUEUED) {
                wait.granted();
            } else if (push == Mailbox.Push.CLOSED) {
                wait.refused();
            }
        }
        Overdraft overdraft = new Overdraft(names(cycle), letIn, deepest);
        if (letIn > 0) {
            actor.group().overdrawn(overdraft, first);
        }
        if (result == Mailbox.Push.FULL) {
            if (full < cycle.size() || !own.target.withdraw(own)) { // MailboxCycles-2
                return null; // another actor of the cycle runs on, or this letter was admitted or refused
            }
            ActorBase target = (ActorBase) own.target;
            IllegalStateException deadlock = deadlock(overdraft, target);
            edge = null;
            settle(parcels.element(), false, deadlock);
            if (!actor.isEnding()) {
                actor.failed(deadlock, null);
            }
            return Mailbox.Push.FULL;
        }
        if (result != null) {
            edge = null;
        }
        return result; // null if another thread has admitted or refused the letter, and sends a signal
    }

    private static IllegalStateException deadlock(Overdraft refused, ActorBase target) {
        return new IllegalStateException("actors wait for room in each other's mailboxes: " + refused.describePath()
                + "; that of " + target.name() + " has its capacity of " + target.capacity() + " and its overdraft of "
                + target.options().overdraft() + " in use, and so have all others. Have them send fewer messages than"
                + " they handle, or raise capacity()");
    }

    private static List<String> names(List<Waiter> cycle) {
        return cycle.stream().map(wait -> ((ActorBase) wait.from()).name()).toList();
    }

    /** Settles the first parcel, whose letter has left the queue of waiters, unless the parcel was settled before. */
    private void settled(Park park, boolean granted) {
        if (edge == park) {
            edge = null;
            settle(parcels.element(), granted, null);
        }
    }

    /** The waiter for the first letter of an outbox. */
    private static final class Park extends Waiter {
        private final Outbox outbox;

        Park(Outbox outbox, Mailbox target, Letter letter) {
            super(target, letter, outbox.actor.group().nanoTime());
            this.outbox = outbox;
        }

        @Override
        public void granted() {
            boolean unused = outbox.actor.signal(new Settled(this, true));
        }

        @Override
        public void refused() {
            boolean unused = outbox.actor.signal(new Settled(this, false));
        }

        @Override
        public Object from() {
            return outbox.actor;
        }
    }

    /** The signal to the actor that its letter was admitted or refused. */
    private static final class Settled extends Letter.Signal {
        private final Park park;
        private final boolean granted;

        Settled(Park park, boolean granted) {
            this.park = park;
            this.granted = granted;
        }

        @Override
        public void arrive() {
            park.outbox.settled(park, granted);
        }
    }
}
