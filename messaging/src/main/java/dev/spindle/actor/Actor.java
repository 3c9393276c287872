// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/**
 * Handles the messages of an actor, one at a time. An instance belongs to one actor, so that it can keep its state in plain fields;
 * a restart makes a new one.
 *
 * <p>All methods run on workers of the spindle, and must not wait for other actors: see {@link ActorContext}. One that blocks
 * holds up its own actor, and nobody else.
 *
 * @param <M> the type of the messages
 */
@FunctionalInterface
public interface Actor<M> {
    /**
     * Handles one message. What it throws goes to the {@link dev.spindle.FailureHandler}, and then the {@link Supervision} of the
     * actor decides; the message is not handled again.
     */
    void receive(M message, ActorContext<M> self) throws Exception;

    /** Called before the first message of this instance, to set timers or to watch others. What it throws counts as a failure. */
    default void started(ActorContext<M> self) throws Exception {}

    /**
     * Called when this instance will get no more messages, once: the actor stops, or is restarted. It may still tell.
     *
     * @param cause what the instance failed with, or null if it was stopped
     */
    default void stopped(@Nullable Throwable cause) throws Exception {}
}
