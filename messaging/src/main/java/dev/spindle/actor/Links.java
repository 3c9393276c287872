// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The asks, watches and stages to notify when an actor ends. Most actors have none. Guarded by the monitor of this. */
final class Links {
    private final ActorCell<?> actor;
    private @Nullable Set<Reply<?>> asks;
    private @Nullable List<Watch> watches;
    private @Nullable CompletableFuture<ActorExit> terminated;
    private @Nullable ActorExit exit;

    private record Watch(ActorCell<?> by, Letter message) {}

    Links(ActorCell<?> actor) {
        this.actor = actor;
    }

    /** Notes an open ask; false when the actor has ended. */
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

    /** Has {@code message} come to {@code by} when the actor has ended. */
    void watch(ActorCell<?> by, Letter message) {
        synchronized (this) {
            if (exit == null) {
                if (watches == null) {
                    watches = new ArrayList<>();
                }
                watches.add(new Watch(by, message));
                return;
            }
        }
        boolean unused = by.force(message);
    }

    synchronized CompletableFuture<ActorExit> terminated() {
        if (terminated == null) {
            terminated = exit == null ? new CompletableFuture<>() : CompletableFuture.completedFuture(exit);
        }
        return terminated;
    }

    /** Says that the actor has ended; tells everybody. */
    void end(ActorExit with) {
        List<Reply<?>> open;
        List<Watch> watching;
        CompletableFuture<ActorExit> waiting;
        synchronized (this) {
            exit = with;
            open = asks == null ? List.of() : new ArrayList<>(asks);
            watching = watches == null ? List.of() : watches;
            waiting = terminated;
            asks = null;
            watches = null;
        }
        for (Watch watch : watching) {
            boolean unused = watch.by.force(watch.message); // one that has ended needs no news
        }
        for (Reply<?> reply : open) {
            boolean unused = reply.failure(actor.stoppedException("an ask"));
        }
        if (waiting != null) {
            waiting.complete(with);
        }
    }
}
