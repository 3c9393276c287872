// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * A builder of actors. May start several actors, each with its own instance.
 *
 * @param <M> the type of the messages
 */
public final class ActorBuilder<M> {
    static final int DEFAULT_CAPACITY = 1_024;
    static final int DEFAULT_OVERDRAFT = 1_024;

    private final Actors group;
    private final String name;
    private final Supplier<? extends Actor<M>> factory;
    private int capacity = DEFAULT_CAPACITY;
    private int overdraft = DEFAULT_OVERDRAFT;
    private Supervision supervision = Supervision.stop();

    ActorBuilder(Actors group, String name, Supplier<? extends Actor<M>> factory) {
        this.group = group;
        this.name = Objects.requireNonNull(name, "name");
        this.factory = Objects.requireNonNull(factory, "factory");
    }

    /**
     * Sets how many messages may wait in the request lane, not counting the one being handled. 1,024 unless set. The
     * place of a handled message may stay taken until up to a 64th of the capacity, at most 16, further messages have
     * been handled.
     *
     * <p>While an actor handles messages within microseconds, waiting senders are admitted when half of the places are
     * free, so that one wake-up serves many messages. A handler that waits for what a sender does after its send may
     * therefore count on only half of the capacity.
     *
     * @throws IllegalArgumentException if it is below 1
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
     * 1,024 unless set; with 0, the first such message fails its sender.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public ActorBuilder<M> overdraft(int messages) {
        if (messages < 0) {
            throw new IllegalArgumentException("overdraft must not be negative, is " + messages);
        }
        overdraft = messages;
        return this;
    }

    /** Sets the reaction to a failure of the actor; {@link Supervision#stop} unless set. */
    public ActorBuilder<M> onFailure(Supervision supervision) {
        this.supervision = Objects.requireNonNull(supervision, "supervision");
        return this;
    }

    /**
     * Creates an instance, in the calling thread, and starts the actor. An exception of the factory is thrown to the
     * caller, and no actor is started.
     *
     * @throws NullPointerException if the factory returns null
     * @throws java.util.concurrent.RejectedExecutionException after {@link Actors#stop} or a shutdown of the spindle
     */
    public ActorRef<M> start() {
        return group.start(factory, new ActorOptions(name, capacity, overdraft, supervision, group.capture()));
    }
}
