// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.Spindle;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A builder of {@link Actors}. */
public final class ActorsBuilder {
    /** The default of {@link #maxBatch}, in messages. Not measured. */
    private static final int DEFAULT_MAX_BATCH = 64;

    final Spindle spindle;
    int maxBatch = DEFAULT_MAX_BATCH;

    @Nullable
    BiConsumer<? super ActorRef<?>, Object> onDrop;

    ActorsBuilder(Spindle spindle) {
        this.spindle = Objects.requireNonNull(spindle, "spindle");
    }

    /**
     * Sets the handler of accepted messages that will not be handled, which must be thread-safe. It is called in the
     * thread that ends the actor, or that finds the actor ended. Its exceptions are reported to the failure handler.
     * Unless set, each message is reported to the {@link dev.spindle.SpindleBuilder#onFailure failure handler} with a
     * {@link dev.spindle.ClosedException}.
     */
    public ActorsBuilder onDrop(BiConsumer<? super ActorRef<?>, Object> handler) {
        onDrop = Objects.requireNonNull(handler, "handler");
        return this;
    }

    /**
     * Sets how many messages an actor handles before it yields its worker to other ready work; 64 unless set. The actor
     * also yields after about 100 µs. With a batch of 1, a simulation may run other tasks between any two messages.
     *
     * @throws IllegalArgumentException if {@code messages} is below 1
     */
    public ActorsBuilder maxBatch(int messages) {
        if (messages < 1) {
            throw new IllegalArgumentException("maxBatch must be at least 1, is " + messages);
        }
        maxBatch = messages;
        return this;
    }

    /** Returns a new group. */
    public Actors build() {
        return new Actors(this);
    }
}
