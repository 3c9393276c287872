// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that an actor has told and that found no room, first in, first out over all targets. Until it is empty
 * the actor takes no request. For the owner of the actor, save {@link #edge} and {@link #estimatedSize}.
 */
final class Outbox {
    static final int LIMIT = 1_024;

    private record Parcel(ActorCell<?> target, Letter letter) {}

    private final ActorCell<?> actor;
    private final ArrayDeque<Parcel> parcels = new ArrayDeque<>();
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

    void add(ActorCell<?> target, Letter letter) {
        if (parcels.size() >= LIMIT) {
            throw new IllegalStateException("actor " + actor.name() + " has told " + LIMIT
                    + " messages that wait for room, the first in the mailbox of "
                    + parcels.element().target.name() + "; tell fewer in one turn, or raise that capacity()");
        }
        parcels.add(new Parcel(target, letter));
    }

    /** Hands over what finds room, in order; waits, with an edge, for the first that does not. */
    void flush() {
        while (edge == null && !parcels.isEmpty()) {
            Parcel first = parcels.element();
            Mailbox.Push push = first.target.offer(first.letter);
            if (push == Mailbox.Push.FULL) {
                push = park(first);
            }
            if (push == null) {
                return;
            }
            Parcel unused = parcels.remove();
            if (push == Mailbox.Push.CLOSED) {
                first.target.drop(first.letter);
            }
        }
    }

    /** Waits for room; returns null while it does, and what became of the letter if waiting would be for ever. */
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
            result = Mailbox.Push.CLOSED;
            if (!actor.isEnding()) {
                actor.failed(new MailboxDeadlockException(overdraft, (ActorCell<?>) own.target));
            }
        }
        if (result != null) {
            edge = null;
        }
        return result; // null: somebody else has let it in, and the news are on their way
    }

    private static List<String> names(List<Waiter> cycle) {
        return cycle.stream().map(wait -> ((ActorCell<?>) wait.from()).name()).toList();
    }

    /** Goes on after the first letter has left the queue in which it waited. */
    private void settled(Park park, boolean granted) {
        if (edge == park) {
            edge = null;
            Parcel first = parcels.remove();
            if (!granted) {
                first.target.drop(first.letter);
            }
            flush();
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
