// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that an actor has sent and that found no room, first in, first out over all targets. Until it is empty
 * the actor takes no request. For the owner of the actor, save {@link #edge} and {@link #estimatedSize}.
 */
final class Outbox {
    /*
     * Outbox-1  What one actor sends to one target in its turns arrives in the order of the calls, whatever the method
     *           (R3). While its outbox is not empty, what it sends goes there, or finds no room (offer). An `ActorRef`
     *           sees that the calling thread runs a turn of such an actor: `Mailbox.boxed` of the target is above 0
     *           since that actor wrote it, and `TURN` names its outbox from the moment that it is not empty in a turn.
     * Outbox-2  Code of the user in a turn may hand over what finds room (deliver), but never waits for room: only
     *           flush(), between two messages, publishes an edge, and whatever undoes a cycle happens there.
     */
    static final int LIMIT = 1_024;

    /** The outbox of the actor whose code the calling thread runs, if it is not empty. */
    private static final ThreadLocal<@Nullable Outbox> TURN = new ThreadLocal<>();

    private final ActorCell<?> actor;
    private final ArrayDeque<Parcel> parcels = new ArrayDeque<>();
    private int bounded; // how many of them count
    private boolean inTurn; // whether TURN of this thread was set by this
    private @Nullable Outbox outer; // what it was before
    private volatile @Nullable Waiter edge; // MailboxCycles

    Outbox(ActorCell<?> actor) {
        this.actor = actor;
    }

    boolean isEmpty() {
        return parcels.isEmpty();
    }

    int estimatedSize() {
        return parcels.size();
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
                        + parcels.element().target.name() + "; tell fewer in one turn, or raise that capacity()");
            }
            bounded++;
        }
        parcels.add(parcel);
        parcel.target.countBoxed(1);
        beginTurn();
    }

    private void remove(Parcel first) {
        Parcel unused = parcels.remove();
        bounded -= first.isBounded() ? 1 : 0;
        first.target.countBoxed(-1);
    }

    // ---------------------------------------------------------------- turns

    /** Called in a turn whose code may send by other ways than this, if there is anything to overtake (Outbox-1). */
    void beginTurn() {
        if (!inTurn && actor.isTurnOf(Thread.currentThread())) {
            inTurn = true;
            outer = TURN.get();
            TURN.set(this);
        }
    }

    /** Called after the code of a turn. */
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
     * Returns the outbox that a message of the calling thread for {@code target} has to go through, so that it comes
     * after what waits there; null if there is none.
     */
    static @Nullable Outbox before(ActorCell<?> target) {
        if (!target.isBoxed()) {
            return null;
        }
        Outbox own = TURN.get();
        if (own == null) {
            return null;
        }
        own.deliver();
        return own.isEmpty() || !target.isBoxed() ? null : own;
    }

    // ---------------------------------------------------------------- on the way

    /** Hands over what finds room, in order; waits, with an edge, for the first that does not. */
    void flush() {
        endVoidWait();
        Parcel first = deliver();
        while (first != null) {
            Mailbox.Push push = park(first);
            if (push == null) {
                return;
            }
            if (push != Mailbox.Push.FULL) { // which was settled
                settle(first, push == Mailbox.Push.QUEUED, null);
            }
            first = deliver();
        }
    }

    /** Hands over what finds room; returns the first that does not, or null if none is to wait for room. */
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

    /** Has the owner look for a request whose reply has ended. For any thread. */
    void lookAgain() {
        boolean unused = actor.signal(new ActorCell.Look());
    }

    /** Stops to wait with a request whose reply has ended. */
    private void endVoidWait() {
        Waiter parked = edge;
        if (parked != null && parcels.element().isVoid() && parked.target.withdraw(parked)) {
            edge = null;
            remove(parcels.element());
        }
    }

    /**
     * Waits for room; returns null while it does. If it would wait without end, returns what became of the letter: FULL
     * if the cycle was ended by refusing it.
     */
    private Mailbox.@Nullable Push park(Parcel first) {
        actor.batch(false); // it takes no requests until this is over: who waits for it gets the room that there is
        Park park = new Park(actor, first.target, first.letter, actor.group().nanoTime());
        first.target.await(park); // from here on others may let it in; who closes a cycle does so if the edge is there
        List<Waiter> cycle = MailboxCycles.publish(actor, park);
        return cycle.isEmpty() ? null : overdraw(park, cycle);
    }

    /** Lets in what the actors of a cycle wait with, each one letter (MailboxCycles-2). */
    private Mailbox.@Nullable Push overdraw(Park own, List<Waiter> cycle) {
        Mailbox.Push result = null;
        int letIn = 0;
        int full = 0;
        int deepest = 0;
        for (Waiter wait : cycle) {
            ActorCell<?> target = (ActorCell<?>) wait.target;
            Mailbox.Push push = target.overdraw(wait, target.options().overdraft());
            if (push == Mailbox.Push.QUEUED) {
                letIn++;
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
            actor.group().overdrawn(actor, overdraft);
        }
        if (result == Mailbox.Push.FULL) {
            if (full < cycle.size() || !own.target.withdraw(own)) {
                return null; // others go on, and make room
            }
            MailboxDeadlockException deadlock = new MailboxDeadlockException(overdraft, (ActorCell<?>) own.target);
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
        return result; // null: somebody else has let it in, and the news are on their way
    }

    private static List<String> names(List<Waiter> cycle) {
        return cycle.stream().map(wait -> ((ActorCell<?>) wait.from()).name()).toList();
    }

    /** Takes note that the first letter has left the queue in which it waited. A flush follows. */
    private void settled(Park park, boolean granted) {
        if (edge == park) {
            edge = null;
            settle(parcels.element(), granted, null);
        }
    }

    /** An actor that waits for room for the first letter of its outbox. */
    private static final class Park extends Waiter {
        private final ActorCell<?> actor;

        Park(ActorCell<?> actor, Mailbox target, Letter letter, long since) {
            super(target, letter, since);
            this.actor = actor;
        }

        @Override
        void granted() {
            boolean unused = actor.signal(new Settled(this, true));
        }

        @Override
        void refused() {
            boolean unused = actor.signal(new Settled(this, false));
        }

        @Override
        Object from() {
            return actor;
        }
    }

    /** Says to an actor that its letter is where it should be, or never will be. */
    private static final class Settled extends Letter.Signal {
        private final Park park;
        private final boolean granted;

        Settled(Park park, boolean granted) {
            this.park = park;
            this.granted = granted;
        }

        @Override
        void arrive(ActorCell<?> actor) {
            actor.outbox().settled(park, granted);
        }
    }
}
