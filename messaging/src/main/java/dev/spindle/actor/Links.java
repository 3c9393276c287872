// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The asks, watches and stages that are notified when an actor ends. Guarded by its own monitor. */
final class Links {
    private final ActorCell<?> actor;
    private @Nullable Set<Reply<?>> asks;
    private @Nullable Watch firstWatch;
    private @Nullable Watch lastWatch;
    private @Nullable CompletableFuture<ActorExit> terminated;
    private @Nullable CompletionStage<ActorExit> stage; // shared by all callers, since each would be kept until the end
    private @Nullable ActorExit exit;

    Links(ActorCell<?> actor) {
        this.actor = actor;
    }

    /** Adds an open ask; returns false if the actor has ended. */
    synchronized boolean asked(Reply<?> reply) {
        if (exit != null) {
            return false;
        }
        if (asks == null) {
            asks = new LinkedHashSet<>();
        }
        asks.add(reply);
        return true;
    }

    synchronized void answered(Reply<?> reply) {
        if (asks != null && asks.remove(reply) && asks.isEmpty()) {
            asks = null;
        }
    }

    /** Adds {@code watch}, which notifies its actor when this one has ended; at once if it has. */
    void watch(Watch watch) {
        ActorExit with;
        synchronized (this) {
            with = exit;
            if (with == null) {
                Watch last = lastWatch;
                watch.previous = last;
                if (last == null) {
                    firstWatch = watch;
                } else {
                    last.next = watch;
                }
                lastWatch = watch;
                watch.listed = true;
                return;
            }
        }
        watch.tell(with);
    }

    synchronized void unwatch(Watch watch) {
        if (!watch.listed) {
            return;
        }
        Watch before = watch.previous;
        Watch after = watch.next;
        if (before == null) {
            firstWatch = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            lastWatch = before;
        } else {
            after.previous = before;
        }
        watch.previous = null;
        watch.next = null;
        watch.listed = false;
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
    synchronized List<Reply<?>> open() {
        return asks == null ? List.of() : new ArrayList<>(asks);
    }

    /** Notifies all of the end of the actor. */
    void end(ActorExit with) {
        List<Reply<?>> open;
        List<Watch> watching;
        CompletableFuture<ActorExit> waiting;
        synchronized (this) {
            exit = with;
            open = asks == null ? List.of() : new ArrayList<>(asks);
            watching = new ArrayList<>();
            for (Watch watch = firstWatch; watch != null; watch = firstWatch) {
                watching.add(watch);
                unwatch(watch);
            }
            waiting = terminated;
            asks = null;
        }
        for (Watch watch : watching) {
            watch.tell(with);
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
}
