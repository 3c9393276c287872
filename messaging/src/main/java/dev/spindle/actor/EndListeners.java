// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Letter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The open asks, the watchers and the future of {@link ActorRef#terminated}, which are notified when an actor ends.
 * Guarded by the monitor of this object.
 */
final class EndListeners {
    private final ActorBase actor;
    private @Nullable Set<Ask<?>> asks;
    private @Nullable Listener first;
    private @Nullable Listener last;
    private @Nullable Terminated terminated; // shared by all callers of ActorRef.terminated()
    private @Nullable Exit exit;

    EndListeners(ActorBase actor) {
        this.actor = actor;
    }

    /** Adds an open ask; returns false if the actor has ended. */
    synchronized boolean add(Ask<?> ask) {
        if (exit != null) {
            return false;
        }
        if (asks == null) {
            asks = new LinkedHashSet<>();
        }
        asks.add(ask);
        return true;
    }

    synchronized void remove(Ask<?> ask) {
        if (asks != null && asks.remove(ask) && asks.isEmpty()) {
            asks = null;
        }
    }

    /** Adds {@code listener}, or calls {@code listener} at once if the actor has ended. */
    void add(Listener listener) {
        Exit with;
        synchronized (this) {
            with = exit;
            if (with == null) {
                Listener before = last;
                listener.previous = before;
                if (before == null) {
                    first = listener;
                } else {
                    before.next = listener;
                }
                last = listener;
                listener.listed = true;
                return;
            }
        }
        listener.ended(with);
    }

    synchronized void remove(Listener listener) {
        if (!listener.listed) {
            return;
        }
        Listener before = listener.previous;
        Listener after = listener.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        listener.previous = null;
        listener.next = null;
        listener.listed = false;
    }

    synchronized CompletableFuture<@Nullable Void> terminated() {
        Terminated there = terminated;
        if (there == null) {
            there = new Terminated();
            terminated = there;
            if (exit != null) {
                there.end(exit);
            }
        }
        return there;
    }

    /** The future of {@link ActorRef#terminated}, which its users cannot complete. */
    private static final class Terminated extends CompletableFuture<@Nullable Void> {
        void end(Exit with) {
            boolean unused = with.cause() == null ? super.complete(null) : super.completeExceptionally(with.cause());
        }

        @Override
        public boolean complete(@Nullable Void value) {
            return false;
        }

        @Override
        public boolean completeExceptionally(Throwable failure) {
            return false;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return isCancelled();
        }

        @Override
        public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
        }
    }

    /** Returns the asks that have no answer yet. */
    synchronized List<Ask<?>> openAsks() {
        return asks == null ? List.of() : new ArrayList<>(asks);
    }

    /** Notifies the watchers, fails the open asks, and completes the future of {@link ActorRef#terminated}. */
    void end(Exit with) {
        List<Ask<?>> open;
        List<Listener> listening;
        Terminated waiting;
        synchronized (this) {
            exit = with;
            open = asks == null ? List.of() : new ArrayList<>(asks); // R2
            listening = new ArrayList<>();
            for (Listener listener = first; listener != null; listener = first) {
                listening.add(listener);
                remove(listener);
            }
            waiting = terminated;
            asks = null;
        }
        for (Listener listener : listening) {
            listener.ended(with);
        }
        for (Ask<?> ask : open) {
            actor.call(() -> {
                boolean unused = ask.failure(actor.stoppedException("an ask"));
            });
        }
        if (waiting != null) {
            actor.call(() -> waiting.end(with));
        }
    }

    /**
     * A listener, which is also the letter to an actor that watches this actor. Its fields are guarded by the monitor
     * of the listeners.
     */
    abstract static class Listener extends Letter {
        private boolean listed;
        private @Nullable Listener previous;
        private @Nullable Listener next;

        Listener() {
            super(null);
        }

        /** Called when the actor has ended. */
        abstract void ended(Exit with);
    }
}
