// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.messaging.Headroom;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The part of an actor around its behaviour: the mailbox, the outbox, and the thread that runs user code. */
abstract class ActorBase<M> extends Mailbox implements MailboxCycles.Node {
    private final Actors group;
    private final ActorOptions<M> options;
    private volatile @Nullable Outbox outbox; // written by the owner, read by all
    private volatile @Nullable Links links; // made under the monitor
    private volatile @Nullable ConcurrentHashMap<Object, LatestLetter> latest; // made under the monitor
    private @Nullable Thread turnOf; // the thread that runs user code here; racy unless it is the reader's own

    ActorBase(Actors group, ActorOptions<M> options) {
        this.group = group;
        this.options = options;
    }

    // ---------------------------------------------------------------- for any thread

    /** Returns this. */
    abstract ActorCell<M> cell();

    Actors group() {
        return group;
    }

    ActorOptions<M> options() {
        return options;
    }

    String name() {
        return options.name();
    }

    @Override
    int capacity() {
        return options.capacity();
    }

    @Override
    void ready() {
        group.ready(cell());
    }

    @Override
    public @Nullable Waiter edge() {
        Outbox own = outbox;
        return own == null ? null : own.edge();
    }

    @Override
    public void publish(Waiter edge) {
        outbox().publish(edge);
    }

    /** Returns the thread that runs user code of this actor, or null. Racy. */
    @Nullable
    Thread estimatedThread() {
        return turnOf;
    }

    int estimatedOutbox() {
        Outbox own = outbox;
        return own == null ? 0 : own.estimatedSize();
    }

    Links links() {
        Links there = links;
        if (there == null) {
            synchronized (this) {
                there = links;
                if (there == null) {
                    there = new Links(cell());
                    links = there;
                }
            }
        }
        return there;
    }

    List<Reply<?>> openAsks() {
        Links there = links;
        return there == null ? List.of() : there.open();
    }

    ConcurrentHashMap<Object, LatestLetter> latest() {
        ConcurrentHashMap<Object, LatestLetter> there = latest;
        if (there == null) {
            synchronized (this) {
                there = latest;
                if (there == null) {
                    there = new ConcurrentHashMap<>();
                    latest = there;
                }
            }
        }
        return there;
    }

    ActorStoppedException stoppedException(String what) {
        return new ActorStoppedException("actor " + name() + " is stopped and rejected " + what, null);
    }

    /** Passes the message of a letter that will not be handled to the drop handler. */
    void drop(Letter letter) {
        Object message = letter.take();
        if (message != null) {
            group.dropped(cell(), message);
        }
    }

    @Override
    void callbackFailed(Throwable failure) {
        group.report(cell(), null, failure);
    }

    /** Runs {@code dependents} and reports what they throw. Between two messages, clears the interrupt first. */
    void call(Runnable dependents) {
        if (turnOf == null) {
            boolean unused = Thread.interrupted();
        }
        try {
            dependents.run();
        } catch (Throwable t) {
            callbackFailed(t);
        }
    }

    // ---------------------------------------------------------------- for the owner

    /** Notes that the calling thread begins to run user code, and clears its interrupt. */
    final void enter() {
        boolean unused = Thread.interrupted();
        turnOf = Thread.currentThread();
        Outbox own = outbox;
        if (own != null && !own.isEmpty()) {
            own.beginTurn();
        }
    }

    final void leave() {
        turnOf = null;
        Outbox own = outbox;
        if (own != null) {
            own.endTurn();
        }
    }

    boolean isTurnOf(Thread thread) {
        return turnOf == thread;
    }

    Outbox outbox() {
        Outbox own = outbox;
        if (own == null) {
            own = new Outbox(cell());
            outbox = own;
        }
        return own;
    }

    final void flush() {
        Outbox own = outbox;
        if (own != null && !own.isEmpty()) {
            own.flush();
        }
    }

    final boolean isFlushed() {
        Outbox own = outbox;
        return own == null || own.isEmpty();
    }

    /** Throws an exception if the caller is not in a turn of this actor. */
    void requireTurn(String what) {
        Headroom.require(); // before anything is changed
        if (turnOf != Thread.currentThread()) {
            throw new IllegalStateException(what + " is for turns of actor " + name()
                    + " only; elsewhere use its ActorRef: offer, send, sendAsync or ask");
        }
    }
}
