// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.Spindle;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A builder of {@link Actors}. */
public final class ActorsBuilder {
    final Spindle spindle;
    int batch = 64;

    @Nullable
    DropHandler onDrop;

    @Nullable
    Consumer<? super Overdraft> onOverdraft;

    ActorsBuilder(Spindle spindle) {
        this.spindle = Objects.requireNonNull(spindle, "spindle");
    }

    /**
     * Sets the handler of accepted messages that will not be handled. Unless set, each is reported to the
     * {@link dev.spindle.SpindleBuilder#onFailure failure handler} with an {@link ActorStoppedException}.
     */
    public ActorsBuilder onDrop(DropHandler handler) {
        onDrop = Objects.requireNonNull(handler, "handler");
        return this;
    }

    /**
     * Sets the handler of overdrafts, which is called in the turn of the actor that closed the cycle. Unless set, the
     * first overdraft is logged.
     */
    public ActorsBuilder onOverdraft(Consumer<? super Overdraft> handler) {
        onOverdraft = Objects.requireNonNull(handler, "handler");
        return this;
    }

    /**
     * Sets how many messages an actor handles before it yields its worker to other ready work; 64 unless set. It yields
     * after about 200 µs in any case. With 1, a simulation may run other tasks between any two messages.
     *
     * @throws IllegalArgumentException if it is below 1
     */
    public ActorsBuilder batch(int messages) {
        if (messages < 1) {
            throw new IllegalArgumentException("batch must be at least 1, is " + messages);
        }
        batch = messages;
        return this;
    }

    /** Returns a new group. */
    public Actors build() {
        return new Actors(this);
    }
}
