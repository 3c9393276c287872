// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Letter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The asks, watchers and stages that are notified when an actor ends. Guarded by its own monitor. */
final class EndListeners {
    private final ActorBase actor;
    private @Nullable Set<Reply<?>> asks;
    private @Nullable Listener first;
    private @Nullable Listener last;
    private @Nullable CompletableFuture<ActorExit> terminated;
    private @Nullable CompletionStage<ActorExit> stage; // shared by all callers, since a stage is kept until the end
    private @Nullable ActorExit exit;

    EndListeners(ActorBase actor) {
        this.actor = actor;
    }

    /** Adds an open ask; returns false if the actor has ended. */
    synchronized boolean add(Reply<?> reply) {
        if (exit != null) {
            return false;
        }
        if (asks == null) {
            asks = new LinkedHashSet<>();
        }
        asks.add(reply);
        return true;
    }

    synchronized void remove(Reply<?> reply) {
        if (asks != null && asks.remove(reply) && asks.isEmpty()) {
            asks = null;
        }
    }

    /** Adds {@code listener}, or calls it at once if the actor has ended. */
    void add(Listener listener) {
        ActorExit with;
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

    synchronized CompletionStage<ActorExit> terminated() {
        CompletionStage<ActorExit> there = stage;
        if (there == null) {
            terminated = exit == null ? new CompletableFuture<>() : CompletableFuture.completedFuture(exit);
            there = terminated.minimalCompletionStage();
            stage = there;
        }
        return there;
    }

    /** Returns the asks that have no answer yet. */
    synchronized List<Reply<?>> openAsks() {
        return asks == null ? List.of() : new ArrayList<>(asks);
    }

    /** Notifies all listeners of the end of the actor. */
    void end(ActorExit with) {
        List<Reply<?>> open;
        List<Listener> listening;
        CompletableFuture<ActorExit> waiting;
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
        for (Reply<?> reply : open) {
            actor.call(() -> {
                boolean unused = reply.failure(actor.stoppedException("an ask"));
            });
        }
        if (waiting != null) {
            actor.call(() -> {
                boolean unused = waiting.complete(with);
            });
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
        abstract void ended(ActorExit with);
    }
}
