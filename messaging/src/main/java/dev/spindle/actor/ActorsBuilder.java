// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.Spindle;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Options of a group of actors. */
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
     * Sets the handler of messages that were accepted and will not be handled. Unless set, each is reported to the
     * {@link dev.spindle.FailureHandler} as an {@link ActorStoppedException} of its actor.
     */
    public ActorsBuilder onDrop(DropHandler handler) {
        onDrop = Objects.requireNonNull(handler, "handler");
        return this;
    }

    /**
     * Sets the handler of overdrafts, called in the turn of the actor that closed the cycle. Unless set, the first
     * one is logged.
     */
    public ActorsBuilder onOverdraft(Consumer<? super Overdraft> handler) {
        onOverdraft = Objects.requireNonNull(handler, "handler");
        return this;
    }

    /**
     * Sets how many messages an actor handles before it yields its worker to other ready work; 64 unless set. It
     * yields after about 200 µs in any case. With 1, a simulation may put others between any two messages.
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
