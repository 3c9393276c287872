// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A builder of actors. May build several actors, each with its own instance.
 *
 * @param <M> the type of the messages
 */
public final class ActorBuilder<M> {
    /** The default of {@link #capacity}, in messages. Not measured. */
    static final int DEFAULT_CAPACITY = 1_024;

    /** The default of {@link #overdraft}, in messages. Not measured. */
    static final int DEFAULT_OVERDRAFT = 1_024;

    private final Actors group;
    private final String name;
    private final Supplier<? extends Actor<M>> factory;
    private int capacity = DEFAULT_CAPACITY;
    private int overdraft = DEFAULT_OVERDRAFT;
    private Supervision supervision = Supervision.stop();
    private @Nullable Function<? super M, ? extends @Nullable Object> keyOf;

    ActorBuilder(Actors group, String name, Supplier<? extends Actor<M>> factory) {
        this.group = group;
        this.name = Objects.requireNonNull(name, "name");
        this.factory = Objects.requireNonNull(factory, "factory");
    }

    /**
     * Sets how many messages may wait in the request lane, not counting the message being handled; 1,024 unless set.
     * The places of handled messages may become free late. At most a 64th of the capacity, and at most 16 places, are
     * in use for this reason.
     *
     * <p>While an actor handles messages within microseconds, waiting senders are admitted when half of the places are
     * free, so that one wake-up serves many messages. A handler that waits for an action that a sender takes after its
     * send can therefore rely on only half of the capacity.
     *
     * @throws IllegalArgumentException if {@code messages} is below 1
     */
    public ActorBuilder<M> capacity(int messages) {
        if (messages < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, is " + messages);
        }
        capacity = messages;
        return this;
    }

    /**
     * Sets how many messages may be admitted over the capacity to resolve cycles of actors that wait for each other.
     * For tests.
     */
    ActorBuilder<M> overdraft(int messages) {
        overdraft = messages;
        return this;
    }

    /**
     * Makes a message replace a waiting message with the same key. The new message takes the place of the superseded
     * message, so frequent messages with one key do not delay each other. Requests of asks have no key. A message that
     * had to wait for room is not replaced.
     *
     * @param keyOf the function that returns the key of a message, or null for a message without a key. Keys are
     *     compared by {@code equals}. Runs in the sending thread, to which its exceptions are thrown
     */
    public ActorBuilder<M> conflate(Function<? super M, ? extends @Nullable Object> keyOf) {
        this.keyOf = Objects.requireNonNull(keyOf, "keyOf");
        return this;
    }

    /** Sets the reaction to a failure of the actor; {@link Supervision#stop} unless set. */
    public ActorBuilder<M> supervision(Supervision supervision) {
        this.supervision = Objects.requireNonNull(supervision, "supervision");
        return this;
    }

    /**
     * Creates an instance, in the calling thread, and starts the actor. An exception of the factory is thrown to the
     * caller, and no actor is started.
     *
     * @throws NullPointerException if the factory returns null
     * @throws java.util.concurrent.RejectedExecutionException after {@link Actors#drain} or a shutdown of the spindle
     */
    public ActorRef<M> build() {
        return group.start(
                new ActorOptions(name, factory, capacity, overdraft, supervision, untyped(), group.capture()));
    }

    @SuppressWarnings("unchecked") // references have the type of the messages
    private @Nullable Function<Object, ?> untyped() {
        return (Function<Object, ?>) keyOf;
    }
}
